// Package tables reads and writes the binary tables of a run. Package pipeline writes them; package runs maps them
// into memory. These are the tables of the topical view:
//
//	documents.lsh  every document in the order of its id: URL, title, and facts from the crawl and the links
//	captures.lsh   for each document the input that holds its page; with all captures, which documents are captures of a URL
//	redirects.lsh  URLs that redirect, each with the URL at which its redirects end
//	evidence.lsh   for each document the sentences that link to it, and the pages that these are on; the common texts of links,
//	               and the common ends of titles
//	sources.lsh    for each document the pages that link to it
//	terms.lsh      the terms of the dictionary, with their document frequencies and a word to show for each, and the numbers
//	               of bags with terms of links and of content; without the topical view there are no terms
//	bags.lsh       for each document its bag
//	nodes.lsh      the distinct bags: for each its documents, of which the first represents the others
//	signatures.lsh for each node its row of signatures; it is in work/ and removed once the pairs are found
//	inverted.lsh   for each term the nodes whose bag holds it, for exact neighbours
//	pairs.lsh      for each node its neighbours, with their exact similarity
//	clusters.lsh   for each document the center of its cluster, for each cluster its label
//	tree.lsh       the tree of the topical clusters: for each of its nodes parent, center, sizes and label
//
// These are the tables of the syntactic view, over the crawled pages, which are numbered in the order of their ids:
//
//	shingles.lsh   for each page its set of shingles, or a sketch of it, its digests and its host
//	postings.lsh   for each shingle the pages that have it; only sampled shingles of the long pages of a large run
//	equal.lsh      for each page the page that it equals, and at which level; the boilerplate of the hosts
//	similar.lsh    the pairs of pages that resemble or contain each other, with exact and sampled counts
//	union.lsh      for each page its place in its cluster; the clusters and what holds them together
//
// The id of a document is its index when documents are sorted by the 64-bit hashes of their canonical URLs, and by
// the URLs where hashes are equal. So a URL is found by its hash, and a run over the same documents gives them the
// same ids, in whatever order the inputs are read.
//
// An answer is valid only if Err returns nil afterwards. A reader checks that the sections fit each other when it
// opens a table, the checksum of a block when it first reads that block (see package mapped), and an offset or an id
// when it uses it. It leaves out what is out of range: a damaged table yields a wrong or an empty answer, and an
// error from Err, but never a panic. Callers must check ids from one table before they use them in another.
package tables

import (
	"fmt"
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
)

// None is not the id of any document nor the number of any node.
const None = ^uint32(0)

// Names of the files.
const (
	DocumentsFile  = "documents.lsh"
	EvidenceFile   = "evidence.lsh"
	SourcesFile    = "sources.lsh"
	TermsFile      = "terms.lsh"
	BagsFile       = "bags.lsh"
	NodesFile      = "nodes.lsh"
	SignaturesFile = "signatures.lsh"
	PairsFile      = "pairs.lsh"
	ClustersFile   = "clusters.lsh"
	TreeFile       = "tree.lsh"
	ShinglesFile   = "shingles.lsh"
	EqualFile      = "equal.lsh"
	SimilarFile    = "similar.lsh"
	UnionFile      = "union.lsh"
	PostingsFile   = "postings.lsh"
	RedirectsFile  = "redirects.lsh"
	CapturesFile   = "captures.lsh"
	InvertedFile   = "inverted.lsh"
)

const version = 1

// writer is the part that all writers of tables share.
type writer struct{ w *mapped.Writer }

// Close publishes the table.
func (t writer) Close() error { return t.w.Close() }

// Abort removes what was written. It does nothing after Close, so it may be deferred.
func (t writer) Abort() { t.w.Abort() }

// reader opens the sections of a table and keeps the first error.
type reader struct {
	f   *mapped.File
	err error
}

func open(path, kind string) reader {
	f, err := mapped.Open(path, kind, version)
	return reader{f, err}
}

// done returns the first error: a section is missing, a block that was read is damaged, or the lengths of the
// sections do not fit. If there is an error, done closes the file.
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
	column32  = mapped.Column[uint32]
	column64  = mapped.Column[uint64]
	columnF32 = mapped.Column[float32]
)

func section[T mapped.Number](r *reader, name string) (v mapped.Column[T]) {
	if r.err == nil {
		v, r.err = mapped.View[T](r.f, name)
	}
	return v
}

func (r *reader) u8(name string) column8    { return section[byte](r, name) }
func (r *reader) u32(name string) column32  { return section[uint32](r, name) }
func (r *reader) u64(name string) column64  { return section[uint64](r, name) }
func (r *reader) f32(name string) columnF32 { return section[float32](r, name) }

func (r *reader) offsets(name string) (o mapped.Offsets) {
	if r.err == nil {
		o, r.err = r.f.Offsets(name)
	}
	return o
}

func (r *reader) strings(name string) (s mapped.Strings) {
	if r.err == nil {
		s, r.err = r.f.Strings(name)
	}
	return s
}

// file is the file of an open table.
type file struct{ f *mapped.File }

// Err returns the first damage found in the table, even after Close.
func (t file) Err() error { return t.f.Err() }

// Verify reads the whole table and checks all its checksums.
func (t file) Verify() error { return t.f.Verify() }

// Close unmaps the table.
func (t file) Close() error { return t.f.Close() }

// span returns where entry i begins and ends, given n+1 ascending offsets into a section of the given length. It
// returns 0, 0 if there is no such entry or the offsets are damaged.
func (t file) span(section string, offsets mapped.Offsets, i, length int) (from, to int) {
	if i < 0 || i+1 >= offsets.Len() {
		return 0, 0
	}
	a, b := offsets.Range(i)
	if a > b || b > uint64(length) {
		t.f.Report(section, i, "entry %d is from %d to %d of %d", i, a, b, length)
		return 0, 0
	}
	return int(a), int(b)
}

// below reports whether element i of a section, an id, is less than n.
func (t file) below(section string, i int, id uint32, n int) bool {
	if int64(id) < int64(n) {
		return true
	}
	t.f.Report(section, i, "%d of %d", id, n)
	return false
}

// allBelow reports whether all ids, the elements of a section from number from on, are less than n.
func (t file) allBelow(section string, from int, ids []uint32, n int) bool {
	for i, id := range ids {
		if int64(id) >= int64(n) {
			return t.below(section, from+i, id, n)
		}
	}
	return true
}

// search returns the index of the first element of an ascending column that is not less than x, and whether it equals
// x.
func search[T mapped.Number](c mapped.Column[T], x T) (int, bool) {
	i := sort.Search(c.Len(), func(i int) bool { return c.At(i) >= x })
	return i, i < c.Len() && c.At(i) == x
}
