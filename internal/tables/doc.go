// Package tables holds the binary tables of a run: what pipeline writes and query maps into memory. Those of the
// topical view are
//
//	documents.lsh  every document in the order of its id: URL, title, what the crawl and the links know of it
//	captures.lsh   in which input each page stands; with all captures, which documents are captures of a URL
//	redirects.lsh  URLs that lead to another one: links to them count for that one
//	evidence.lsh   linking sentences of every document and the pages that they stand on
//	terms.lsh      the terms that count, with their document frequencies and a word to show for each
//	bags.lsh       the bag of every document
//	nodes.lsh      the distinct bags: for each the documents that have it, the first of which speaks for all
//	signatures.lsh one row of signatures a node
//	pairs.lsh      for each node its similar nodes, with agreement and exact similarity
//	clusters.lsh   for each document the center of its cluster, for each cluster its label
//
// and of the syntactic view, over the crawled pages, numbered in the order of their ids:
//
//	shingles.lsh   the set of shingle values of every page, or a sketch of it; digests, host
//	postings.lsh   for each shingle, of long pages of a large run for each sampled one, the pages that have it
//	equal.lsh      which pages equal others and at which level; the boilerplate of the hosts
//	similar.lsh    pairs of pages that resemble or contain each other, with exact and sampled counts
//	joined.lsh     the place of every page in its cluster, the clusters with what holds them together
//
// Ids of documents are their places in the order of the 64-bit hash of the canonical URL (ties by URL), so that a URL
// is found by its hash, and a run over the same documents numbers them alike whatever the order of the input.
//
// The one rule: an answer holds only if Err is nil afterwards. The readers check that sections fit each other when a table
// is opened, the checksum of a block when the block is first read (see package mapped), and an offset or an id when it is
// used. They leave out what is out of range: a damaged table gives a wrong or an empty answer, and an error from Err, but
// never a panic. Code that uses ids of one table in another checks them.
package tables

import (
	"fmt"
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
)

// None is the id of no document and the number of no node.
const None = ^uint32(0)

// Names of the files.
const (
	DocumentsFile  = "documents.lsh"
	EvidenceFile   = "evidence.lsh"
	TermsFile      = "terms.lsh"
	BagsFile       = "bags.lsh"
	NodesFile      = "nodes.lsh"
	SignaturesFile = "signatures.lsh"
	PairsFile      = "pairs.lsh"
	ClustersFile   = "clusters.lsh"
	ShinglesFile   = "shingles.lsh"
	EqualFile      = "equal.lsh"
	SimilarFile    = "similar.lsh"
	JoinedFile     = "joined.lsh"
	PostingsFile   = "postings.lsh"
	RedirectsFile  = "redirects.lsh"
	CapturesFile   = "captures.lsh"
)

const version = 1

// reader opens sections and keeps the first error.
type reader struct {
	f   *mapped.File
	err error
}

func open(path, kind string) reader {
	f, err := mapped.Open(path, kind, version)
	return reader{f, err}
}

// done closes the file if a section was missing or damaged where it was read, or the lengths do not fit.
func (r *reader) done(fits bool) error {
	if r.err == nil {
		r.err = r.f.Err()
	}
	if r.err == nil && !fits {
		r.err = fmt.Errorf("%s: the lengths of its sections do not fit each other", r.f.Path())
	}
	if r.err != nil && r.f != nil {
		r.f.Close()
	}
	return r.err
}

// Columns of the sections.
type (
	column8   = mapped.Column[byte]
	column16  = mapped.Column[uint16]
	column32  = mapped.Column[uint32]
	column64  = mapped.Column[uint64]
	columnF32 = mapped.Column[float32]
)

func section[T mapped.Number](r *reader, name string, view func(*mapped.File, string) (mapped.Column[T], error)) (v mapped.Column[T]) {
	if r.err == nil {
		v, r.err = view(r.f, name)
	}
	return v
}

func (r *reader) u8(name string) column8    { return section(r, name, (*mapped.File).Bytes) }
func (r *reader) u16(name string) column16  { return section(r, name, (*mapped.File).U16) }
func (r *reader) u32(name string) column32  { return section(r, name, (*mapped.File).U32) }
func (r *reader) u64(name string) column64  { return section(r, name, (*mapped.File).U64) }
func (r *reader) f32(name string) columnF32 { return section(r, name, (*mapped.File).F32) }

func (r *reader) strings(name string) (s mapped.Strings) {
	if r.err == nil {
		s, r.err = r.f.Strings(name)
	}
	return s
}

// file is the file of an open table.
type file struct{ f *mapped.File }

// Err returns the first damage in what was read of the table, also after Close.
func (t file) Err() error { return t.f.Err() }

// Verify reads the whole table and checks all its checksums.
func (t file) Verify() error { return t.f.Verify() }

// Close unmaps the table.
func (t file) Close() error { return t.f.Close() }

// span returns from and to of entry i of n+1 ascending offsets into something of the given length, 0, 0 if they are
// damaged or there is no such entry.
func (t file) span(section string, offsets column64, i, length int) (from, to int) {
	if i < 0 || i+1 >= offsets.Len() {
		return 0, 0
	}
	a, b := offsets.At(i), offsets.At(i+1)
	if a > b || b > uint64(length) {
		t.f.Report(section, i, "entry %d is from %d to %d of %d", i, a, b, length)
		return 0, 0
	}
	return int(a), int(b)
}

// below tells whether element i of a section, an id, is one of n.
func (t file) below(section string, i int, id uint32, n int) bool {
	if int64(id) < int64(n) {
		return true
	}
	t.f.Report(section, i, "%d of %d", id, n)
	return false
}

// allBelow tells whether the elements of a section that begin at from, ids, are all of n.
func (t file) allBelow(section string, from int, ids []uint32, n int) bool {
	for i, id := range ids {
		if int64(id) >= int64(n) {
			return t.below(section, from+i, id, n)
		}
	}
	return true
}

// search finds the first element of an ascending column that is not below x, and tells whether it is x.
func search[T mapped.Number](c mapped.Column[T], x T) (int, bool) {
	i := sort.Search(c.Len(), func(i int) bool { return c.At(i) >= x })
	return i, i < c.Len() && c.At(i) == x
}
