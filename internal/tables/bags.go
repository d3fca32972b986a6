package tables

import (
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
	"github.com/zeebo/xxh3"
)

var termsTable = kind{"terms", 1}

type termColumns struct {
	hash numbers64    `lsh:"hash" of:"term"`
	df   numbers32    `lsh:"df" of:"term"`
	bags numbers64    `lsh:"bags"` // bags with links, and with content
	word mapped.Texts `lsh:"word,packed" of:"term"`
}

// TermsWriter writes terms.lsh in order of the hashes.
type TermsWriter struct {
	writer
	termColumns
}

// CreateTerms starts terms.lsh for a corpus.
func CreateTerms(path string, n bags.Corpus) *TermsWriter {
	t := new(TermsWriter)
	t.writer = termsTable.create(path, &t.termColumns)
	t.bags.AddAll([]uint64{n.Links, n.Content})
	return t
}

// Add appends a term, given by its hash, with its document frequency and a word to show for it.
func (t *TermsWriter) Add(hash uint64, df uint32, word string) {
	t.hash.Add(hash)
	t.df.Add(df)
	t.word.Add(word)
}

// Terms reads terms.lsh.
type Terms struct {
	file
	termColumns
	Bags bags.Corpus // whose terms these are
}

// OpenTerms opens terms.lsh.
func OpenTerms(path string) (*Terms, error) {
	t := new(Terms)
	err := termsTable.open(path, &t.file, &t.termColumns, func() bool { return t.bags.Len() == 2 })
	if err == nil {
		t.Bags = bags.Corpus{Links: t.bags.At(0), Content: t.bags.At(1)}
	}
	return t, err
}

// Len returns the number of terms.
func (t *Terms) Len() int { return t.hash.Len() }

// Hashes returns the hashes of all terms, ascending. The number of a term is its index. The slice points into the
// table.
func (t *Terms) Hashes() []uint64 { return t.hash.All() }

// Hash returns the hash of a term, or 0 if no term has this number.
func (t *Terms) Hash(term uint32) uint64 { return t.hash.At(int(term)) }

// DFs returns for each term the number of bags that contain it. The slice points into the table.
func (t *Terms) DFs() []uint32 { return t.df.All() }

// DF returns the number of bags that contain a term, or 0 if no term has this number.
func (t *Terms) DF(term uint32) uint32 { return t.df.At(int(term)) }

// Find returns the number of the term with a hash.
func (t *Terms) Find(hash uint64) (uint32, bool) {
	i, ok := search(t.hash.Column, hash)
	return uint32(i), ok
}

// Word returns the word to show for a term.
func (t *Terms) Word(term uint32) string { return t.word.At(int(term)) }

// A bag is stored as its terms, which are ascending numbers, and its counts, less 1, in the order of the terms (see package
// rice). An empty bag takes nothing.

// bagsTable has had these versions: 1 had 6 bytes for each term and its count; 2 packs the bags; 3 has Golomb-Rice codes.
var bagsTable = kind{"bags", 3}

type bagColumns struct {
	first mapped.Starts `lsh:"first"`
	list  octets        `lsh:"list,stream"`
}

// BagsWriter writes bags.lsh in order of the documents.
type BagsWriter struct {
	writer
	bagColumns
	terms []uint64 // of a bag
	more  []uint64 // its counts, less 1
	bag   []byte
}

// CreateBags starts bags.lsh.
func CreateBags(path string) *BagsWriter {
	b := new(BagsWriter)
	b.writer = bagsTable.create(path, &b.bagColumns)
	return b
}

// Add appends a bag.
func (b *BagsWriter) Add(bag bags.Bag) {
	b.bag = b.bag[:0]
	if len(bag.Terms) > 0 {
		b.terms, b.more = b.terms[:0], b.more[:0]
		for i, t := range bag.Terms {
			b.terms, b.more = append(b.terms, uint64(t)), append(b.more, uint64(bag.Counts[i]-1))
		}
		w := rice.Writer{Bytes: rice.AppendAscending(b.bag, b.terms)}
		w.List(b.more)
		b.bag = w.Bytes
		b.list.AddAll(b.bag)
	}
	b.first.Add(len(b.bag))
}

// AddAll appends all bags of another table.
func (b *BagsWriter) AddAll(t *Bags) {
	for id := range uint32(t.Len()) {
		from, to := t.place(id)
		b.first.Add(to - from)
	}
	b.list.AddAll(t.list.Slice(0, t.list.Len()-rice.Padding))
}

// Close publishes the table.
func (b *BagsWriter) Close() error {
	b.list.AddAll(make([]byte, rice.Padding))
	return b.writer.Close()
}

// Bags reads bags.lsh.
type Bags struct {
	file
	bagColumns
}

// OpenBags opens bags.lsh.
func OpenBags(path string) (*Bags, error) {
	b := new(Bags)
	return b, bagsTable.open(path, &b.file, &b.bagColumns, func() bool { return b.list.Len() >= rice.Padding })
}

// Len returns the number of bags, including empty ones.
func (b *Bags) Len() int { return b.first.Len() - 1 }

// At returns the bag of a document in new slices. It is empty if the table is damaged.
func (b *Bags) At(id uint32) bags.Bag { from, to := b.place(id); return b.at(from, to, bags.Bag{}) }

// Append appends the bags of some documents to dst, in the memory of the bags beyond its length. A table does not fit in
// the cache of a processor, and a bag takes several dependent reads. So every loop reads one section for all documents,
// which lets the processor overlap these reads.
func (b *Bags) Append(dst []bags.Bag, ids []uint32) []bags.Bag {
	var spans [2 * bagsAtOnce]int
	sum := byte(0)
	for len(ids) > 0 {
		some := ids[:min(len(ids), bagsAtOnce)]
		for i, id := range some {
			spans[2*i], spans[2*i+1] = b.place(id)
		}
		for i := range some {
			sum += touch(b.list.Slice(spans[2*i], spans[2*i+1]))
		}
		for i := range some {
			var old bags.Bag
			if n := len(dst); n < cap(dst) {
				old = dst[:n+1][n]
			}
			dst = append(dst, b.at(spans[2*i], spans[2*i+1], old))
		}
		ids = ids[len(some):]
	}
	runtime.KeepAlive(sum)
	return dst
}

// touch reads a part of each cache line of a bag.
func touch(bag []byte) (sum byte) {
	for i := 0; i < len(bag); i += 64 {
		sum += bag[i]
	}
	return sum
}

// bagsAtOnce is the number of bags that Append reads before it unpacks the first one.
const bagsAtOnce = 64

// place returns where the bag of a document begins and ends in the section list.
func (b *Bags) place(id uint32) (from, to int) {
	return b.first.Span(int(id), b.list.Len()-rice.Padding)
}

// at returns the bag at a place, in the memory of another bag if it is large enough.
func (b *Bags) at(from, to int, old bags.Bag) bags.Bag {
	if from == to {
		return bags.Bag{}
	}
	bag, ok := unpackBag(b.list.Slice(from, to+rice.Padding), old)
	if !ok {
		b.f.Report("list", from, "a bag is damaged")
		return bags.Bag{}
	}
	return bag
}

// unpackBag returns the bag that is followed by padding, in the memory of another bag if it is large enough.
func unpackBag(list []byte, old bags.Bag) (bag bags.Bag, ok bool) {
	terms, rest, ok := rice.Ascending(old.Terms[:0], list)
	if !ok || len(terms) == 0 {
		return bag, false
	}
	bag = bags.Bag{Terms: terms, Counts: slices.Grow(old.Counts[:0], len(terms))[:len(terms)]}
	rest, ok = rice.List(bag.Counts, rest)
	for i := range bag.Counts {
		bag.Counts[i]++
	}
	return bag, ok && len(rest) == rice.Padding
}

// Hash returns a hash of the bag of a document, which is the same for equal bags of the table.
func (b *Bags) Hash(id uint32) uint64 {
	from, to := b.place(id)
	return xxh3.Hash(b.list.Slice(from, to))
}
