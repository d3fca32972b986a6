package tables

import (
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
)

// PostingsWriter writes postings.lsh, in the order of (value, page).
type PostingsWriter struct {
	w           *mapped.Writer
	value, page *mapped.Section
}

// CreatePostings starts postings.lsh.
func CreatePostings(path string) (*PostingsWriter, error) {
	w, err := mapped.Create(path, "postings", version)
	if err != nil {
		return nil, err
	}
	return &PostingsWriter{w, w.Section("value", 8), w.Side("page", 4)}, nil
}

// Add appends a sampled shingle of a page.
func (p *PostingsWriter) Add(value uint64, page uint32) {
	p.value.U64(value)
	p.page.U32(page)
}

// Close publishes the table.
func (p *PostingsWriter) Close() error { return p.w.Close() }

// Abort removes what was written.
func (p *PostingsWriter) Abort() { p.w.Abort() }

// Postings reads postings.lsh: for each sampled shingle the pages that have it.
type Postings struct {
	f     *mapped.File
	value []uint64
	page  []uint32
}

// OpenPostings opens postings.lsh.
func OpenPostings(path string) (*Postings, error) {
	r := open(path, "postings")
	p := &Postings{f: r.f, value: r.u64("value"), page: r.u32("page")}
	return p, r.done(len(p.value) == len(p.page))
}

// Len is the number of postings.
func (p *Postings) Len() int { return len(p.value) }

// Pages returns the pages that have a shingle, ascending; they point into the table.
func (p *Postings) Pages(value uint64) []uint32 {
	from := sort.Search(len(p.value), func(i int) bool { return p.value[i] >= value })
	to := from
	for to < len(p.value) && p.value[to] == value {
		to++
	}
	return p.page[from:to]
}

// Close unmaps the table.
func (p *Postings) Close() error { return p.f.Close() }
