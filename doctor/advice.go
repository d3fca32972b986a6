package doctor

import (
	"strings"

	"github.com/lshclust/lshclust/crawl"
)

// advice says for every reason what can be done about it.
var advice = map[crawl.Reason]string{
	crawl.ReasonTruncatedGzip:     "the file stops in the middle: fetch it again or get the rest of it; what stands before the end is read",
	crawl.ReasonBadGzip:           "fetch the file again and compare its checksum; what is behind the damage is read from the next member on",
	crawl.ReasonBadZstd:           "fetch the file again and compare its checksum; what is behind the damage is read from the next frame on",
	crawl.ReasonBadZip:            "fetch the archive again; zip -F may save the files in it, and unpacked they can be given as a folder",
	crawl.ReasonBadRecord:         "a record is not where its neighbour's length says: the crawler or a tool behind it wrote a wrong length, or bytes are damaged; only this record is lost",
	crawl.ReasonTruncatedRecord:   "the last record stops early, as when a crawl is killed: fetch the file again; of a page the start is kept",
	crawl.ReasonBadJSON:           "these lines are no JSON objects: look at them with sed -n RECORDp; one object a line, no array around them",
	crawl.ReasonLineTooLong:       "write one page a line; a line of this length is mostly a file without line ends",
	crawl.ReasonBadRow:            "these rows have other columns than the first line names: separators or quotes inside of fields are not quoted",
	crawl.ReasonBadParquet:        "fetch the file again; what was written without an end (no footer) must be written anew",
	crawl.ReasonBadSitemap:        "the pages are read all the same; without a sitemap give their address with --base",
	crawl.ReasonUnknownColumns:    "say what the columns are: --map url=COLUMN --map text=COLUMN, or --map source=COLUMN --map target=COLUMN",
	crawl.ReasonBadEncoding:       "these bodies are not encoded as their headers say, in no way that is known; nothing to do but to crawl these pages again",
	crawl.ReasonTruncatedPayload:  "the body stops early, its start is kept: crawl these pages again if they matter",
	crawl.ReasonBadIndex:          "these lines are neither CDX nor CDXJ; make the index again from the archives, or give the archives themselves",
	crawl.ReasonNoArchive:         "put the archives that the index names beside it, or into ../archive, or give them instead of the index",
	crawl.ReasonUnsafeName:        "a name in the archive leads out of it: whoever made it may mean harm; the file is not read",
	crawl.ReasonUnreadableFile:    "look at the rights of the file and the state of the disk",
	crawl.ReasonUnsupportedFormat: "give WARC, ARC, WACZ, WAT, WET, CDX, JSON Lines, Parquet, CSV, TSV, HTML or a folder, plain or with gzip or zstd; decompress others (bunzip2, unxz) first; for a table with odd names use --map",

	crawl.ReasonNoURL:       "pages need a URL or an id; --map url=COLUMN if it goes by another name",
	crawl.ReasonBadURL:      "nothing to do: these are no addresses of the web",
	crawl.ReasonNotHTTPURL:  "nothing to do: records of DNS, FTP or the crawler itself are no pages",
	crawl.ReasonURLTooLong:  "nothing to do: mostly traps of crawlers",
	crawl.ReasonNotHTML:     "nothing to do: images, style sheets, scripts and other files hold no page",
	crawl.ReasonNotLink:     "nothing to do: rows about images, scripts and style sheets",
	crawl.ReasonNotResponse: "nothing to do: records of types that the standard does not know",
	crawl.ReasonHTTPStatus:  "nothing to do: errors, and redirects that lead nowhere; --status 200,404 reads these too",
	crawl.ReasonRedirect:    "nothing to do: links to these URLs count for where they lead",
	crawl.ReasonNotSelected: "as asked for by --from, --to, --status and --mime",
	crawl.ReasonEmptyPage:   "nothing to do: no content",
	crawl.ReasonEmptyFile:   "the file is empty: fetch it again if it should not be",
	crawl.ReasonPageTooBig:  "the start of these pages is read; --max-page BYTES reads more",
	crawl.ReasonTruncated:   "the crawler cut these pages; raise its limits and crawl them again if they matter",
	crawl.ReasonOneMember:   "compressed as a whole: compress it record by record (warcio recompress FILE NEW) and several workers can read it, and damage costs a record and not the rest",
	crawl.ReasonRatio:       "a body that swells this much is mostly a bomb; its start is kept",
	"warc-revisit":          "a run resolves revisits whose originals are in its inputs: give the archives of the earlier crawls too",
	"warc-continuation":     "nothing to do: parts of records over several files are not put together",
}

// kept are the reasons for which pages are read all the same, and archives.
var kept = map[crawl.Reason]bool{crawl.ReasonOneMember: true, crawl.ReasonPageTooBig: true, crawl.ReasonRatio: true, crawl.ReasonTruncated: true}

// Advice is what can be done about a reason.
func Advice(r crawl.Reason) string {
	if a, ok := advice[r]; ok {
		return a
	}
	if strings.HasPrefix(string(r), "warc-") || strings.HasPrefix(string(r), "arc-") {
		return "nothing to do: records of this type hold no page"
	}
	return "nothing to do"
}
