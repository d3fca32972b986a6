// Package skew makes inputs that are designed to need much memory: bombs that grow a thousandfold when they are
// decompressed, and crawls in which everything concerns one URL. Tests measure the memory of runs with them; the
// command in cmd writes them to files.
//
// Every input is written as a stream, and the same arguments give the same bytes. The caller chooses the size, which is
// not limited.
package skew

import (
	"fmt"
	"io"
	"strings"
)

// Input is one kind of input.
type Input struct {
	Name  string
	File  string // a file name that tells the format
	About string
	Size  int64 // usual size: bytes of a bomb after decompression, records of a crawl
	Write func(w io.Writer, size int64) error
}

// Inputs lists all kinds.
var Inputs = []Input{
	{"bomb-jsonl", "bomb.jsonl.gz", "one line of JSON, in gzip", 1 << 30, jsonlBomb},
	{"bomb-csv", "bomb.csv.gz", "one cell of a table, in gzip", 1 << 30, csvBomb},
	{"bomb-warc", "bomb.warc.gz", "one record of an archive, in gzip", 1 << 30, warcBomb},
	{"bomb-body", "bomb.warc", "the body of one response, whose content encoding is gzip", 1 << 30, bodyBomb},
	{"bomb-zip", "bomb.zip", "one page of HTML in a zip archive", 1 << 30, zipBomb("page.html", page)},
	{"bomb-zip-jsonl", "bomb.zip", "one line of JSON in a zip archive", 1 << 30, zipBomb("pages.jsonl", jsonLine)},
	{"bomb-html", "page.html.gz", "one page of HTML, in gzip, for a folder", 1 << 30, zipped(page)},
	{"html", "page.html", "one page of HTML, for a folder", 1 << 30, page},
	{"lines", "lines.jsonl.gz", "lines of JSON of 40 MB each, in gzip", 1 << 30, zipped(longLines)},
	{"captures", "captures.jsonl", "captures of one URL at different times", 2_000_000, captures},
	{"links", "links.jsonl", "pages that link to one target", 500_000, linking},
	{"tiny", "tiny.jsonl", "pages of a few words", 1_000_000, tiny},
	{"rows", "rows.tsv", "link rows to one target, of pages without words", 1_000_000, rows},
	{"common", "common.tsv", "link rows to targets that have a word in common", 200_000, common},
	{"template", "template.tsv", "link rows to targets that differ in two words", 200_000, template},
}

// ByName returns the input name.
func ByName(name string) (Input, error) {
	var names []string
	for _, in := range Inputs {
		if in.Name == name {
			return in, nil
		}
		names = append(names, in.Name)
	}
	return Input{}, fmt.Errorf("unknown input %q: there are %s", name, strings.Join(names, ", "))
}
