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
	"cmp"
	"errors"
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

// kind is the kind of a table, with its version.
type kind struct {
	name    string
	version uint32
}

// create starts a table with some columns; see mapped.Writer.Declare.
func (k kind) create(path string, columns any) writer {
	w := mapped.Create(path, k.name, k.version)
	w.Declare("", columns)
	return writer{w}
}

// open opens a table with some columns. If fits is not nil, it reports whether their lengths fit each other.
func (k kind) open(path string, t *file, columns any, fits func() bool) (err error) {
	if t.f, err = mapped.Open(path, k.name, k.version); err != nil {
		return err
	}
	return t.opened(t.f.Load("", columns), fits)
}

// opened returns the first error of opening a table: that of its columns, or one about their lengths. If there is one, it
// closes the file.
func (t *file) opened(err error, fits func() bool) error {
	if err == nil && fits != nil && !fits() {
		err = t.f.Misfit()
	}
	if err = cmp.Or(err, t.f.Err()); err != nil {
		t.f.Close()
	}
	return err
}

// writer is the part that all writers of tables share.
type writer struct{ w *mapped.Writer }

// Close publishes the table.
func (t writer) Close() error { return t.w.Close() }

// Abort removes what was written. It does nothing after Close, so it may be deferred.
func (t writer) Abort() { t.w.Abort() }

// Columns that many tables have.
type (
	numbers16 = mapped.Numbers[uint16]
	numbers32 = mapped.Numbers[uint32]
	numbers64 = mapped.Numbers[uint64]
	floats    = mapped.Numbers[float32]
	octets    = mapped.Numbers[byte]
)

// below returns element i of a column if it is less than n, or None if there is none or the table is damaged.
func below(c *numbers32, i, n int) uint32 {
	if x, ok := c.Below(i, n); ok {
		return x
	}
	return None
}

// file is the file of an open table.
type file struct{ f *mapped.File }

// Err returns the first damage found in the table, even after Close.
func (t file) Err() error { return t.f.Err() }

// Verify reads the whole table and checks all its checksums.
func (t file) Verify() error { return t.f.Verify() }

// Close unmaps the table.
func (t file) Close() error { return t.f.Close() }

// search returns the index of the first element of an ascending column that is not less than x, and whether it equals
// x.
func search[T mapped.Number](c mapped.Column[T], x T) (int, bool) {
	i := sort.Search(c.Len(), func(i int) bool { return c.At(i) >= x })
	return i, i < c.Len() && c.At(i) == x
}

// Table is an open table.
type Table interface {
	// Err returns the first damage found in what was read of the table, even after Close.
	Err() error
	// Close unmaps the table.
	Close() error
}

// Set is a set of tables that are opened together, either all or none:
//
//	var set tables.Set
//	bags := tables.Open(&set, dir.Path(tables.BagsFile), tables.OpenBags)
//	nodes := tables.Open(&set, dir.Path(tables.NodesFile), tables.OpenNodes)
//	if err := set.Ready(); err != nil {
//		return err
//	}
//	defer set.Close()
//
// After the first failure Open opens nothing more, and the caller need not check errors before Ready. The zero Set is
// empty and ready to use.
type Set struct {
	// Verify, if not nil, is called with the path of each table before it is opened. Its error is a failure.
	Verify func(path string) error

	open []Table
	err  error // the first failure
}

// Open opens a table and adds it to the set. It returns the zero value of T if this or an earlier step failed.
func Open[T Table](s *Set, path string, open func(path string) (T, error)) (table T) {
	s.Do(func() error {
		if s.Verify != nil {
			if err := s.Verify(path); err != nil {
				return err
			}
		}
		t, err := open(path)
		if err != nil {
			return err
		}
		table = t
		s.open = append(s.open, t)
		return nil
	})
	return table
}

// Do calls step unless an earlier step failed. An error of step is a failure, too.
func (s *Set) Do(step func() error) {
	if s.err == nil {
		s.err = step()
	}
}

// Ready returns nil if every step succeeded. Otherwise it closes the open tables and returns the first failure.
func (s *Set) Ready() error {
	if s.err != nil {
		s.Close()
	}
	return s.err
}

// Err returns the first damage found in each table, even after Close.
func (s *Set) Err() error { return s.each(Table.Err) }

// Close closes every table.
func (s *Set) Close() error { return s.each(Table.Close) }

func (s *Set) each(do func(Table) error) error {
	var errs []error
	for _, t := range s.open {
		errs = append(errs, do(t))
	}
	return errors.Join(errs...)
}
