// Package sample contains the pages that lshclust demo clusters, so that the demo needs no crawl and no network.
//
// They are 1,144 pages of the PostgreSQL 15 manual, from Debian's package postgresql-doc-15 (15.20-0+deb12u1), under
// the URLs at which the manual is published. The header and footer with the links to the previous page, the next page
// and the page above were removed, so that links are in the text or in a chapter's table of contents; nothing else
// was changed. The index of the book, the overall table of contents and the release notes were left out. 719 pages
// are linked from three or more others. make.sh makes the file.
//
// The manual may be copied under the PostgreSQL licence: see COPYRIGHT in this folder.
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

// Name is a file name for Pages.
const Name = "pages.jsonl.zst"

// Open returns the pages as JSON lines, in the order of the URLs; each line is an object with url and html. The reader
// starts no goroutine, so it need not be closed.
func Open() io.Reader {
	r, err := zstd.NewReader(strings.NewReader(pages), zstd.WithDecoderConcurrency(1))
	if err != nil { // only invalid options make it fail
		panic("sample: " + err.Error())
	}
	return r
}

// Pages returns a copy of the lines of Open as they are stored, compressed with zstd. They are the contents of a file
// named Name.
func Pages() []byte { return []byte(pages) }

// Notice returns the copyright notice that must accompany every copy of the pages.
func Notice() string { return notice }
