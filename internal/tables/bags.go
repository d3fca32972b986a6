package tables

import (
	"unsafe"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/zeebo/xxh3"
)

// TermsWriter writes terms.lsh in order of the hashes.
type TermsWriter struct {
	writer
	hash, df *mapped.Section
	bags     *mapped.Section
	word     *mapped.StringsWriter
}

// CreateTerms starts terms.lsh for a corpus.
func CreateTerms(path string, n bags.Corpus) *TermsWriter {
	w := mapped.Create(path, "terms", version)
	t := &TermsWriter{writer: writer{w}, hash: w.Side("hash", 8), df: w.Side("df", 4), bags: w.Side("bags", 8)}
	t.bags.U64(n.Links)
	t.bags.U64(n.Content)
	t.word = w.StreamStrings("word")
	return t
}

// Add appends a term, given by its hash, with its document frequency and a word to show for it.
func (t *TermsWriter) Add(hash uint64, df uint32, word string) {
	t.hash.U64(hash)
	t.df.U32(df)
	t.word.Add(word)
}

// Terms reads terms.lsh.
type Terms struct {
	file
	Bags bags.Corpus // whose terms these are
	hash column64
	df   column32
	word mapped.Strings
}

// OpenTerms opens terms.lsh.
func OpenTerms(path string) (*Terms, error) {
	r := open(path, "terms")
	t := &Terms{file: file{r.f}, hash: r.u64("hash"), df: r.u32("df"), word: r.strings("word")}
	n := r.u64("bags")
	t.Bags = bags.Corpus{Links: n.At(0), Content: n.At(1)}
	return t, r.done(n.Len() == 2 && t.hash.Len() == t.df.Len() && t.hash.Len() == t.word.Len())
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
	i, ok := search(t.hash, hash)
	return uint32(i), ok
}

// Word returns the word to show for a term.
func (t *Terms) Word(term uint32) string { return t.word.At(int(term)) }

// BagsWriter writes bags.lsh in order of the documents.
type BagsWriter struct {
	writer
	first       *mapped.OffsetsWriter
	term, count *mapped.Section
	n           uint64
}

// CreateBags starts bags.lsh.
func CreateBags(path string) *BagsWriter {
	w := mapped.Create(path, "bags", version)
	b := &BagsWriter{writer: writer{w}, first: w.Offsets("first"), count: w.Side("count", 2), term: w.Section("term", 4)}
	b.first.U64(0)
	return b
}

// Add appends a bag.
func (b *BagsWriter) Add(bag bags.Bag) {
	for i, t := range bag.Terms {
		b.term.U32(t)
		b.count.U16(bag.Counts[i])
	}
	b.n += uint64(len(bag.Terms))
	b.first.U64(b.n)
}

// Bags reads bags.lsh.
type Bags struct {
	file
	first mapped.Offsets
	term  column32
	count column16
}

// OpenBags opens bags.lsh.
func OpenBags(path string) (*Bags, error) {
	r := open(path, "bags")
	b := &Bags{file: file{r.f}, first: r.offsets("first"), term: r.u32("term"), count: r.u16("count")}
	return b, r.done(b.first.Len() > 0 && b.term.Len() == b.count.Len())
}

// Len returns the number of bags, including empty ones.
func (b *Bags) Len() int { return b.first.Len() - 1 }

// At returns the bag of a document. It points into the table.
func (b *Bags) At(id uint32) bags.Bag {
	from, to := b.span("first", b.first, int(id), b.term.Len())
	return bags.Bag{Terms: b.term.Slice(from, to), Counts: b.count.Slice(from, to)}
}

// Hash returns a hash of the bag of a document, which is the same for equal bags of the table. It depends on the byte
// order of the machine.
func (b *Bags) Hash(id uint32) uint64 {
	bag := b.At(id)
	return xxh3.HashSeed(inMemory(bag.Terms), xxh3.Hash(inMemory(bag.Counts)))
}

// inMemory returns the memory of some numbers.
func inMemory[T uint16 | uint32](numbers []T) []byte {
	if len(numbers) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(numbers)*int(unsafe.Sizeof(numbers[0])))
}
