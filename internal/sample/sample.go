// Package sample contains the pages that lshclust demo clusters, so that the demo needs no crawl and no network.
//
// They are 1,144 pages of the PostgreSQL 15 manual, from Debian's package postgresql-doc-15 (15.20-0+deb12u1), under
// the URLs at which the manual is published. The header and footer with the links to the previous page, the next page
// and the page above were removed, so that links are in the text or in a chapter's table of contents; nothing else
// was changed. The index of the book, the overall table of contents and the release notes were left out. 719 pages
// are linked from three or more others. lab/sample makes the files.
//
// The manual may be copied under the PostgreSQL licence: see COPYRIGHT in this folder.
package sample

import (
	_ "embed" // for the files
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

//go:embed pages.jsonl.zst
var pages string

//go:embed gold.tsv.zst
var gold string

// File names for Pages and Gold.
const (
	Name     = "pages.jsonl.zst"
	GoldName = "gold.tsv"
)

// Open returns the pages as JSON lines, in the order of the URLs; each line is an object with url and html. The reader
// starts no goroutine, so it need not be closed.
func Open() io.Reader { return unpacked(pages) }

func unpacked(file string) io.Reader {
	r, err := zstd.NewReader(strings.NewReader(file), zstd.WithDecoderConcurrency(1))
	if err != nil { // only invalid options make it fail
		panic("sample: " + err.Error())
	}
	return r
}

// Gold returns the places of the pages in the manual's tables of contents, as lines of a URL, a tab and a category
// path such as "The SQL Language/Indexes", in order of the tables. A page with pages below it is in the category of
// its own name. The tables are on the pages of the eight parts of the manual.
func Gold() []byte {
	b, err := io.ReadAll(unpacked(gold))
	if err != nil {
		panic("sample: " + err.Error()) // the file is part of the program
	}
	return b
}

// Pages returns a copy of the lines of Open as they are stored, compressed with zstd. They are the contents of a file
// named Name.
func Pages() []byte { return []byte(pages) }
