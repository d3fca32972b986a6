package bags

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/internal/codec"
)

// Term is the hash of a stemmed word, 63 bits, with a first bit that says where the word stands: 0 for words around
// links, 1 for words of the content of a page. So one word has two terms, and the words that the web uses for a page
// are never confused with its own. Zero means that the word has no term: it is a stop word or noise. Among ten million
// words, two share a hash with probability 5·10⁻⁶.
type Term uint64

// ofContent is the first bit of the terms of contents.
const ofContent Term = 1 << 63

// TermOf returns the term of the hash of a word around a link.
func TermOf(hash uint64) Term { return Term(hash) &^ ofContent }

// OfContent returns the term of the same word in the content of a page, and 0 for 0.
func (t Term) OfContent() Term {
	if t == 0 {
		return 0
	}
	return t | ofContent
}

// OfLinks returns the term of the same word around a link.
func (t Term) OfLinks() Term { return t &^ ofContent }

// IsContent reports whether t is a term of contents.
func (t Term) IsContent() bool { return t&ofContent != 0 }

// AddTo returns the hash of a phrase, given that of the words before t.
func (t Term) AddTo(phrase uint64) uint64 {
	h := (phrase ^ uint64(t)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// Unit is the weight of one plain occurrence of a word.
const Unit = 1024

// Weighted is a term with its weight, in units of 1/Unit of an occurrence.
type Weighted struct {
	Term   Term
	Weight uint64
}

// Sum sorts terms in place and adds up the weights of equal ones.
func Sum(t []Weighted) []Weighted {
	slices.SortFunc(t, func(a, b Weighted) int { return cmp.Compare(a.Term, b.Term) })
	n := 0
	for _, x := range t {
		if n > 0 && t[n-1].Term == x.Term {
			t[n-1].Weight += x.Weight
			continue
		}
		t[n], n = x, n+1
	}
	return t[:n]
}

// AppendTerms appends the encoding of terms that fragments and raw bags share: a uvarint of the number of terms, then
// each term's hash (8 bytes, little-endian) and a uvarint of its weight.
func AppendTerms(dst []byte, terms []Weighted) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(terms)))
	for _, t := range terms {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(t.Term))
		dst = binary.AppendUvarint(dst, t.Weight)
	}
	return dst
}

// DecodeTerms appends to dst the terms that AppendTerms wrote at the start of b, and returns the bytes that follow
// them.
func DecodeTerms(dst []Weighted, b []byte) (terms []Weighted, rest []byte, err error) {
	d := codec.Decoder{B: b}
	n := d.Uvarint()
	if n > uint64(len(d.B)/9) {
		return dst, nil, codec.ErrMalformed
	}
	for range n {
		t := Term(d.U64())
		dst = append(dst, Weighted{t, d.Uvarint()})
	}
	return dst, d.B, d.Err
}

// Raw is the raw bag of a document: its terms by source, before document frequencies are taken into account. The terms
// of each list are distinct and ascending. In a run without words of links, Terms holds all words of the document, as
// terms of content, and the other lists are empty.
type Raw struct {
	Language uint8      // of the document, if it was crawled; 0 if it is unknown
	Terms    []Weighted // words around the links to the document; its title, too, in a run without contents
	Title    []Weighted // words of its title, as terms of content
	Content  []Weighted // words of the document itself, as terms of content; a bag takes the best
}

// Append appends the encoding of a raw bag: its language and its terms; then, unless the document has neither title nor content, the
// terms of the title and the terms of the content.
func (r *Raw) Append(dst []byte) []byte {
	dst = AppendTerms(append(dst, r.Language), r.Terms)
	if len(r.Title) == 0 && len(r.Content) == 0 {
		return dst
	}
	return AppendTerms(AppendTerms(dst, r.Title), r.Content)
}

// Decode reads what Append wrote. It reuses the memory of the lists.
func (r *Raw) Decode(b []byte) (err error) {
	*r = Raw{Terms: r.Terms[:0], Title: r.Title[:0], Content: r.Content[:0]}
	if len(b) == 0 {
		return codec.ErrMalformed
	}
	r.Language, b = b[0], b[1:]
	if r.Terms, b, err = DecodeTerms(r.Terms, b); err != nil || len(b) == 0 {
		return err
	}
	if r.Title, b, err = DecodeTerms(r.Title, b); err != nil {
		return err
	}
	if r.Content, b, err = DecodeTerms(r.Content, b); err == nil && len(b) > 0 {
		err = codec.ErrMalformed
	}
	return err
}

// Fields reports whether a raw bag has terms of links, and terms of content.
func (r *Raw) Fields() (links, content bool) {
	for _, list := range [...][]Weighted{r.Terms, r.Title, r.Content} {
		if n := len(list); n > 0 { // the terms of content come last
			links, content = links || !list[0].Term.IsContent(), content || list[n-1].Term.IsContent()
		}
	}
	return links, content
}

// All calls term with each distinct term of a raw bag: first those of r.Terms, then those of the title and the content.
func (r *Raw) All(term func(Term) error) error {
	for _, t := range r.Terms {
		if err := term(t.Term); err != nil {
			return err
		}
	}
	title, content := r.Title, r.Content
	for len(title) > 0 || len(content) > 0 {
		var t Term
		switch {
		case len(content) == 0 || len(title) > 0 && title[0].Term < content[0].Term:
			t, title = title[0].Term, title[1:]
		case len(title) == 0 || content[0].Term < title[0].Term:
			t, content = content[0].Term, content[1:]
		default:
			t, title, content = title[0].Term, title[1:], content[1:]
		}
		if err := term(t); err != nil {
			return err
		}
	}
	return nil
}
