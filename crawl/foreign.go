package crawl

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
)

// foreignMagics holds formats that Open recognizes by their first bytes but does not read, and what to do with each.
var foreignMagics = []struct {
	what   string
	begins []string
}{
	{"a PDF file: convert it to HTML or text first, for example with pdftotext", []string{"%PDF-"}},
	{"a ZIM file: unpack it with zimdump dump --dir=FOLDER FILE and give the folder", []string{"ZIM\x04"}},
	{"an Arrow or Feather file: write it as Parquet, for example with to_parquet", []string{"ARROW1", "FEA1", "\xff\xff\xff\xff\x10\x00\x00\x00"}},
	{"an ORC file: write it as Parquet", []string{"ORC"}},
	{"an Avro file: write it as Parquet or JSON Lines, for example with avro-tools tojson", []string{"Obj\x01"}},
	{"a SQLite database: export its tables as CSV; of WarcDB, export WARC files with warcdb export", []string{"SQLite format 3\x00"}},
	{"a DuckDB database: write its tables as Parquet with COPY", []string{"\x00\x00\x00\x00\x00\x00\x00\x00DUCK"}},
	{"a SequenceFile of Hadoop: write it as JSON Lines or Parquet", []string{"SEQ\x04", "SEQ\x05", "SEQ\x06"}},
	{"a 7z archive: unpack it with 7z x and give the folder", []string{"7z\xbc\xaf\x27\x1c"}},
	{"a RAR archive: unpack it with unrar x or 7z x and give the folder", []string{"Rar!\x1a\x07"}},
	{"a cabinet, cpio, ar or xar archive: unpack it with 7z x and give the folder", []string{"MSCF", "070701", "070702", "070707", "\xc7\x71", "!<arch>\n", "xar!"}},
	{"a disk image or a package: unpack it with 7z x and give the folder", []string{"\xed\xab\xee\xdb", "hsqs", "QFI\xfb"}},
	{"data of compress: decompress it with uncompress", []string{"\x1f\x9d"}},
	{"data of lzip, lzma or lzop: decompress it with lzip -d, unlzma or lzop -d", []string{"LZIP\x01", "\x5d\x00\x00\x80\x00", "\x5d\x00\x00\x00\x04", "\x89LZO\x00"}},
	{"a binary property list, such as a .webarchive of Safari: convert it with textutil -convert html", []string{"bplist00"}},
	{"a compiled help file: unpack it with 7z x and give the folder", []string{"ITSF"}},
	{"an old file of Microsoft Office: save it as HTML, or a table as CSV", []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}},
	{"a Rich Text file: save it as HTML or text", []string{"{\\rtf"}},
	{"a PostScript or DjVu file: convert it to text first", []string{"%!PS", "AT&TFORM"}},
	{"an image", []string{"\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "\xff\xd8\xff", "II*\x00", "MM\x00*", "\x00\x00\x01\x00", "8BPS"}},
	{"audio, video or an image", []string{"RIFF", "OggS", "ID3", "fLaC", "\x1aE\xdf\xa3", "FLV\x01"}},
	{"a font", []string{"wOFF", "wOF2", "OTTO\x00", "\x00\x01\x00\x00\x00"}},
	{"a program", []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm"}},
	{"a git bundle: git clone FILE FOLDER, and give the folder", []string{"# v2 git bundle", "# v3 git bundle"}},
	{"a pack of git: clone the repository and give the folder", []string{"PACK\x00\x00\x00"}},
	{"an array of numbers (HDF5, NumPy)", []string{"\x89HDF\r\n", "\x93NUMPY"}},
	{"a pickle of Python: write it as Parquet or JSON Lines", []string{"\x80\x03", "\x80\x04\x95", "\x80\x05\x95"}},
	{"a dump of PostgreSQL: export the table as CSV with COPY", []string{"PGDMP"}},
	{"an encrypted Parquet file: decrypt it, that is, write it again without encryption", []string{"PARE"}},
	{"an archive of Heritrix's recovery log or another log: give the WARC files", []string{"F+ http", "Fs http"}},
}

// foreignRoots holds formats of XML, by the first element.
var foreignRoots = map[string]string{
	"mediawiki":    "a dump of MediaWiki: extract the text with wikiextractor --json and give the JSON Lines",
	"rss":          "a feed, or an export of WordPress: crawl the pages that it names",
	"feed":         "a feed: crawl the pages that it names",
	"rdf:rdf":      "RDF, perhaps a feed: crawl the pages that it names",
	"urlset":       sitemapAlone,
	"sitemapindex": sitemapAlone,
	"doc":          "a collection of TREC: write one JSON object with url, or id, and text for each DOC",
	"plist":        "a property list: if it is a .webarchive of Safari, convert it with textutil -convert html",
	"svg":          "an image",
}

const sitemapAlone = "a sitemap without pages: crawl the pages that it names, or put it at the top of their folder"

// foreignFormat returns what a file is that is not read, and what to do, or "". A word at the start of a text, such as
// ORCID in the header of a table, is no signature.
func foreignFormat(head []byte) string {
	text := stream.IsText(head)
	for _, f := range foreignMagics {
		for _, magic := range f.begins {
			if bytes.HasPrefix(head, []byte(magic)) && !(text && isWord(magic)) {
				return f.what
			}
		}
	}
	if len(head) >= 12 && string(head[4:8]) == "ftyp" && binary.BigEndian.Uint32(head) < 1<<10 {
		return "audio, video or an image"
	}
	root, prolog := xmlRoot(head)
	if what, ok := foreignRoots[root]; ok {
		return what
	}
	if prolog && root != "" && root != "html" && !strings.HasSuffix(root, ":html") {
		return "XML with the root " + root + ": write its texts as JSON Lines"
	}
	return ""
}

// isWord reports whether a signature consists of letters and digits of ASCII alone.
func isWord(magic string) bool {
	return !strings.ContainsFunc(magic, func(c rune) bool { return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') })
}

// xmlRoot returns the name of the first element, in lower case, and whether a declaration of XML precedes it.
func xmlRoot(head []byte) (root string, prolog bool) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		end := ">"
		switch {
		case !bytes.HasPrefix(head, []byte("<")):
			return "", prolog
		case bytes.HasPrefix(head, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(head, []byte("<?")):
			end, prolog = "?>", prolog || bytes.HasPrefix(head, []byte("<?xml"))
		case !bytes.HasPrefix(head, []byte("<!")):
			name, _, _ := strings.Cut(strings.ToLower(string(head[1:min(len(head), 64)])), ">")
			if f := strings.Fields(strings.TrimSuffix(name, "/")); len(f) > 0 && !strings.HasPrefix(name, " ") {
				root = f[0]
			}
			return root, prolog
		}
		i := bytes.Index(head, []byte(end))
		if i < 0 {
			return "", prolog
		}
		head = head[i+len(end):]
	}
}

// foreignLists holds lists that are read by nothing, by the form of all their lines, or of the first.
var foreignLists = []struct {
	what  string
	line  *regexp.Regexp
	first bool
}{
	{"a list of URLs, not pages: crawl them first, for example with wget --input-file=FILE --warc-file=NAME", regexp.MustCompile(`^https?://[^\s]+$`), false},
	{"a list of files, not pages: fetch them first, those of Common Crawl from https://data.commoncrawl.org/", regexp.MustCompile(`^[^\s<>{}]+\.(gz|zst|parquet|jsonl|warc|wacz|cdx)$`), false},
	{"links between numbered hosts, such as a web graph of Common Crawl: give a table with source and target", regexp.MustCompile(`^\d+[\t ]\d+(\t\S+)*$`), false},
	{"numbered hosts, such as a web graph of Common Crawl: give a table with source and target", regexp.MustCompile(`^\d+\t[\w.-]+(\t\d+)?$`), false},
	{"the directory of a sharded index: give the index files that it names", regexp.MustCompile(`^\S+ \d{4,17}\t\S+\t\d+\t\d+\t\d+$`), false},
	{"triples of RDF: write a table with source and target", regexp.MustCompile(`^(<[^>]+>|_:\S+) <[^>]+> .*\.$`), false},
	{"a mailbox: write its messages as HTML files or JSON Lines", regexp.MustCompile(`^From \S+.* \d{4}$`), true},
}

// foreignList returns which list the lines of a text are, and what to do, or "".
func foreignList(head []byte) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(head), "\ufeff"), "\r", ""), "\n")
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last one may be cut
	}
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" || strings.HasPrefix(s, "#") })
	if len(lines) > 1 && !strings.Contains(lines[0], "/") && strings.Contains(strings.ToLower(lines[0]), "url") {
		lines = lines[1:] // a heading
	}
	for _, f := range foreignLists {
		looked := lines
		if f.first {
			looked = lines[:min(1, len(lines))]
		}
		if len(looked) > 0 && !slices.ContainsFunc(looked, func(line string) bool { return !f.line.MatchString(line) }) {
			return f.what
		}
	}
	return ""
}

// foreignZip returns which kind of document a zip archive is, and what to do, or "".
func foreignZip(files []*zip.File) string {
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(f *zip.File) bool {
			return f.Name == name || strings.HasSuffix(name, "/") && strings.HasPrefix(f.Name, name)
		})
	}
	switch {
	case has("[Content_Types].xml") && has("xl/"):
		return "this is a workbook of Excel: save the table as CSV"
	case has("[Content_Types].xml") && (has("word/") || has("ppt/")):
		return "this is a document of Microsoft Office: save it as HTML, for example with pandoc or soffice --convert-to html"
	case has("mimetype") && has("content.xml"):
		return "this is an OpenDocument file: save a table as CSV, a text as HTML"
	case has("AndroidManifest.xml"):
		return "this is an Android package: unpack it and give the folder"
	}
	return ""
}
