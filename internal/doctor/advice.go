package doctor

import (
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// advice says what to do about each reason.
var advice = map[crawl.Reason]string{
	record.ReasonTruncatedGzip:     "the file stops in the middle: fetch it again, or the rest of it; what comes before the end is read",
	record.ReasonBadGzip:           "fetch the file again and compare its checksum; after the damage, reading continues at the next member",
	record.ReasonBadZstd:           "fetch the file again and compare its checksum; after the damage, reading continues at the next frame",
	record.ReasonBadCompression:    "fetch the file again and compare its checksum; what comes before the damage is read, and after it the next stream",
	record.ReasonBadTar:            "fetch the archive again; the files before the damage are read, and after it from the next header",
	record.ReasonBadZip:            "fetch the archive again; zip -F may rescue the files in it, and unpacked they can be given as a folder",
	record.ReasonBadRecord:         "a record does not begin where the one before it ends: the crawler or another tool wrote a wrong length, or bytes are damaged; only this record is lost",
	record.ReasonTruncatedRecord:   "the last record stops early, for example because the crawl was killed: fetch the file again; the start of the page is kept",
	record.ReasonBadJSON:           "these are not JSON objects: look at them with tail -c +BYTE FILE | head -c 300; the objects before and after them are read",
	record.ReasonLineTooLong:       "write one page on each line; a line of this length is usually a file without line feeds",
	record.ReasonBadRow:            "these rows have more or fewer columns than the first line: put fields that hold separators or quotes in quotes",
	record.ReasonBadParquet:        "fetch the file again; a file without a footer was not finished and must be written again",
	record.ReasonBadSitemap:        "the pages are read anyway; give their address with --base instead",
	record.ReasonUnknownColumns:    "say what the columns are: --map url=COLUMN --map text=COLUMN, or --map source=COLUMN --map target=COLUMN",
	record.ReasonBadEncoding:       "these bodies are not encoded as their headers say, nor in another known way: crawl these pages again",
	record.ReasonTruncatedPayload:  "the body stops early, its start is kept: crawl these pages again if they matter",
	record.ReasonBadIndex:          "these lines are neither CDX nor CDXJ; make the index again from the archives, or give the archives themselves",
	record.ReasonNoArchive:         "put the archives that the index names next to it, or into ../archive, or give them instead of the index",
	record.ReasonUnsafeName:        "a name in the archive points outside it, which may be an attack; the file is not read",
	record.ReasonUnreadableFile:    "check the permissions of the file and the state of the disk",
	record.ReasonUnsupportedFormat: "see the message; docs/format.md lists what is read; for a table with unusual names use --map",

	record.ReasonNoURL:       "pages need a URL or an id; use --map url=COLUMN if the column has another name",
	record.ReasonBadURL:      "nothing to do: these are not web addresses",
	record.ReasonNotHTTPURL:  "nothing to do: records of DNS, FTP or the crawler itself are not pages",
	record.ReasonURLTooLong:  "nothing to do: URLs of this length are usually crawler traps",
	record.ReasonNotHTML:     "nothing to do: images, style sheets, scripts and other files are not pages",
	record.ReasonRunDir:      "nothing to do: a run of lshclust cluster is no input",
	record.ReasonNotLink:     "nothing to do: rows about images, scripts and style sheets",
	record.ReasonNotResponse: "nothing to do: records of types that the standard does not know",
	record.ReasonHTTPStatus:  "nothing to do: errors, and redirects without a usable target; --set status=200,404 reads such pages too",
	record.ReasonRedirect:    "nothing to do: links to these URLs count for the targets of the redirects",
	record.ReasonNotSelected: "left out because of --from, --to, --mime or the setting status",
	record.ReasonEmptyPage:   "nothing to do: no content",
	record.ReasonEmptyFile:   "the file is empty: fetch it again if it should not be",
	record.ReasonPageTooBig:  "the start of these pages is read; --set max_page=SIZE reads more",
	record.ReasonTruncated:   "the crawler cut these pages; raise its limits and crawl them again if they matter",
	record.ReasonOneMember:   "compressed as a whole: compress it record by record (warcio recompress FILE NEW) and several workers can read it, and damage affects one record, not the rest",
	record.ReasonRatio:       "a body that grows this much when decompressed is usually a decompression bomb; its start is kept",
	record.ReasonNotDocument: "nothing to do: images and fragments that other pages load are not pages",
	record.ReasonPost:        "nothing to do: the answer to a form is not the page of its URL",
	record.ReasonCompanion:   "nothing to do: operating systems, browsers and mirroring tools write such files beside the pages",

	record.ReasonLooksHTML:   "look at the examples: these were left out because of their type or name, but they look like pages",
	record.ReasonArchiveLeft: "give these files by name: a folder is read either as a site or as a set of crawl files",

	record.ReasonCharsetGuessed: "look at the examples: neither a header nor the page says the charset, so it was guessed from the bytes",
	record.ReasonOddURL:         "look at the examples: a row may be the rest of a cell that was cut at a line end or a separator",
	record.ReasonBadTime:        "these times cannot be read, so the pages have none: write them as 2006-01-02T15:04:05Z",

	"warc-revisit":      "a run resolves revisits whose originals are in its inputs: give the archives of the earlier crawls too",
	"warc-continuation": "nothing to do: records that are split over several files are not joined",
}

// Advice says what to do about a reason.
func Advice(r crawl.Reason) string {
	if a, ok := advice[r]; ok {
		return a
	}
	if strings.HasPrefix(string(r), "warc-") || strings.HasPrefix(string(r), "arc-") {
		return "nothing to do: records of this type hold no page"
	}
	return "nothing to do"
}
