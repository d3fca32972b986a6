// Package skew makes inputs that are designed to need much memory: bombs that grow a thousandfold when they are
// decompressed, and crawls in which everything concerns one URL. Torture
// measures the memory of runs with them.
//
// Every input is written as a stream, and the same arguments give the same bytes. The caller chooses the size, which is
// not limited.
package skew

import (
	"fmt"
	"io"
	"os"
	"strconv"
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
var Inputs = append([]Input{
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
}, pages...)

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

// Command writes the named input, of the given size or its usual one, to standard output. Without a name it lists them.
func Command(args []string) error {
	if len(args) == 0 {
		for _, in := range Inputs {
			fmt.Printf("%-15s %-15s %10d  %s\n", in.Name, in.File, in.Size, in.About)
		}
		return nil
	}
	in, err := ByName(args[0])
	if err != nil {
		return err
	}
	size := in.Size
	if len(args) > 1 {
		if size, err = strconv.ParseInt(args[1], 10, 64); err != nil || size < 1 {
			return fmt.Errorf("size %q: must be a positive number", args[1])
		}
	}
	return in.Write(os.Stdout, size)
}
