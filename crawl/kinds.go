package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/ascii"
)

// kind is what the name of a file in a folder or a zip archive says about its content.
type kind uint8

const (
	unknownKind   kind = iota // nothing: its first bytes decide
	pageKind                  // HTML
	archiveKind               // captures: WARC, ARC, WACZ, MHTML
	tableKind                 // rows or lines, which may hold pages
	jsonKind                  // JSON, zip and tar archives, which are usually something else
	indexKind                 // CDX
	textKind                  // plain text
	companionKind             // see record.ReasonCompanion
	otherKind                 // known not to be a page
)

// kindsByExt holds the names that are not sniffed. otherKind is for what sites have much of; any other name costs
// reading its first bytes.
var kindsByExt = func() map[string]kind {
	m := map[string]kind{}
	for k, names := range map[kind]string{
		pageKind:      "html htm xhtml xht shtml",
		archiveKind:   "warc arc wacz wet wat mht mhtml",
		tableKind:     "jsonl ndjson jl csv tsv parquet pq parq",
		jsonKind:      "json har zip tar tgz tbz tbz2 txz",
		indexKind:     "cdx cdxj",
		textKind:      "txt text md markdown",
		companionKind: "bak orig rej swp",
		otherKind: "png jpg jpeg jfif gif webp avif apng bmp ico cur svg svgz tif tiff heic psd css less scss sass js mjs cjs ts jsx tsx map wasm swf jar class " +
			"woff woff2 ttf otf eot mp3 mp4 m4a m4v ogg oga ogv opus wav flac aac mid avi mov mkv mpg mpeg webm wmv flv m3u8 vtt srt " +
			"pdf ps eps dvi doc docx docm xls xlsx xlsm ppt pptx pps odt ods odp rtf epub mobi djvu chm tex bib " +
			"xml xsl xslt xsd dtd rss atom rdf ttl owl yml yaml toml ini conf log sql db sqlite sqlite3 " +
			"7z rar lz lzma exe msi dll so dmg iso img bin apk deb rpm whl gem vsix " +
			"md5 sha1 sha256 sha512 asc sig pem crt patch diff pyc c h cc cpp hpp go rs java sh bat ps1 swift kt scala ipynb",
	} {
		for ext := range strings.FieldsSeq(names) {
			m["."+ext] = k
		}
	}
	return m
}()

// kindOf returns the kind of a file by the last element of its path. Mirroring tools leave the query and the parameters
// of a URL in the name: "page.html?v=1" and "view?id=1.html" are HTML, "list.php?id=7" is as unknown as "list.php".
func kindOf(name string) kind {
	name = strings.ToLower(name)
	if isCompanion(name) {
		return companionKind
	}
	packed, name := stream.KindOfName(name)
	if kindsByExt[path.Ext(name)] == pageKind {
		if packed != stream.Plain && packed != stream.Gzip { // servers keep index.html.br beside index.html
			return otherKind
		}
		return pageKind
	}
	hidden := name[0] == '.'
	name, _, _ = cutQuery(name)
	name, _, _ = strings.Cut(name, ";")
	k := kindsByExt[path.Ext(trimNumber(name))]
	if hidden && k == textKind {
		return otherKind
	}
	return k
}

// cutQuery cuts a file name at the query that a mirroring tool has left in it. mark is "?", or "@" as wget writes it
// for Windows.
func cutQuery(name string) (before, query, mark string) {
	if before, query, found := strings.Cut(name, "?"); found {
		return before, query, "?"
	}
	if i := strings.LastIndexByte(name, '@'); i > 0 && (strings.Contains(name[i:], "=") || isPageName(name[:i])) {
		return name[:i], name[i+1:], "@"
	}
	return name, "", ""
}

// trimNumber returns the name of a page of which wget has saved another capture: page.html for page.html.1.
func trimNumber(name string) string {
	if ext := path.Ext(name); len(ext) > 1 && len(ext) < 5 && ascii.IsDigits(ext[1:]) && isPageName(name[:len(name)-len(ext)]) {
		return name[:len(name)-len(ext)]
	}
	return name
}

// isPageName reports whether a name is that of HTML or of a program that makes pages.
func isPageName(name string) bool {
	name = strings.ToLower(name)
	return isHTMLName(name) || isDynamic(name)
}

// isCompanion recognizes a file or folder that an operating system, an editor or a mirroring tool writes beside others.
// The name is in lower case.
func isCompanion(name string) bool {
	switch name {
	case ".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", "__macosx", "@eadir", "$recycle.bin",
		"system volume information", "lost+found", "hts-cache", "hts-log.txt", "datapackage.json", "datapackage-digest.json":
		return true
	}
	return strings.HasPrefix(name, "._") || strings.HasPrefix(name, ".#") || len(name) > 1 && strings.HasSuffix(name, "~")
}

func isHTMLName(lower string) bool { return kindsByExt[path.Ext(lower)] == pageKind }

// contents counts the files of a folder or zip archive by their kinds, and decides with them what it is.
type contents [otherKind + 1]int

// reads reports whether files of a kind are read. Pages and archives always are. Beside pages, tables and texts belong
// to the site. Beside archives and tables, texts describe these.
func (c *contents) reads(k kind) bool {
	switch k {
	case pageKind, archiveKind, unknownKind:
		return true
	case tableKind, jsonKind:
		return c[pageKind] == 0
	case indexKind, textKind: // an index lists the archives
		return !slices.ContainsFunc(c[pageKind:k], func(n int) bool { return n > 0 })
	}
	return false
}

// leftOut returns the skip for a file of a kind that is not read. head returns its first bytes.
func leftOut(pos record.Position, k kind, name string, head func() []byte) *record.Skip {
	s := &record.Skip{Pos: pos, Reason: record.ReasonNotHTML, Err: fmt.Errorf("extension %.20q", path.Ext(name))}
	switch {
	case k == companionKind:
		s.Reason, s.Err = record.ReasonCompanion, nil
	case k == archiveKind, k == tableKind:
		s.Reason, s.Err = record.ReasonArchiveLeft, errors.New("beside the pages of a site")
	case payload.SniffPage(head()):
		s.Reason = record.ReasonLooksHTML
	}
	return s
}

// headLen is the number of bytes of a file that leftOut needs.
const headLen = 512

// isPackage reports whether a folder is an unpacked WACZ, or a crawl from which one is made. Only the archives in it are input.
func isPackage(files fs.FS, dir string) bool {
	info, err := fs.Stat(files, path.Join(dir, "archive"))
	return err == nil && info.IsDir() && (isFile(files, path.Join(dir, "datapackage.json")) || isFile(files, path.Join(dir, "pages/pages.jsonl")))
}

// IsRun reports whether a folder is a run directory, finished or under construction. Its tables could be mistaken for
// input, and a run that is built inside its own input would change that input.
func IsRun(dir string) bool {
	return isRun(os.DirFS(dir), ".")
}

func isRun(files fs.FS, dir string) bool {
	has := func(name string) bool { return isFile(files, path.Join(dir, name)) }
	return has("work/state.json") || has("run.json") && has("pages.parquet")
}

// isFile reports whether there is a regular file, or a link to one.
func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// runSkip returns the skip for a run directory.
func runSkip(dir string) *record.Skip {
	return &record.Skip{Pos: record.Position{File: dir}, Reason: record.ReasonRunDir, Err: errors.New("a run of lshclust cluster is no input")}
}
