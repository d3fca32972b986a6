// Package sample holds the pages that lshclust demo clusters, so that it has something to show
// where there is no crawl and no network.
//
// They are 1,144 pages of the PostgreSQL 15 manual, from Debian's package postgresql-doc-15
// (15.20-0+deb12u1), under the URLs at which the manual is published. The header and footer with the links
// to the page before, after and above are cut, so that links stand in text or in a chapter's table of
// contents; nothing else is changed. The index of the book, the overall table of contents and the release
// notes are left out. 719 pages are linked from three others or more. Make.sh makes the file anew.
//
// The manual is free to copy under the PostgreSQL licence: see COPYRIGHT beside this file.
package sample

import (
	_ "embed" // for pages
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

//go:embed pages.jsonl.zst
var pages string

//go:embed COPYRIGHT
var notice string

// Name is a file name for Pages that says what is in them.
const Name = "pages.jsonl.zst"

// Open gives the pages as JSON lines: an object with url and html on each, in the order of the URLs.
// It starts no goroutine, so there is nothing to close.
func Open() io.Reader {
	r, err := zstd.NewReader(strings.NewReader(pages), zstd.WithDecoderConcurrency(1))
	if err != nil { // only options make it fail
		panic("sample: " + err.Error())
	}
	return r
}

// Pages gives a copy of the lines of Open as they are stored, compressed with zstd: what a file
// named Name should hold.
func Pages() []byte { return []byte(pages) }

// Notice is the copyright notice that has to go with the pages wherever they are copied.
func Notice() string { return notice }
