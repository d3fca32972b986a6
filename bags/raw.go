package bags

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/codec"
)

// Raw is the raw bag of a document: its terms by source, before document frequencies are taken into account. The terms
// of each list are distinct and ascending.
type Raw struct {
	Terms   []Weighted // words around the links to the document, and of its title
	Title   []Weighted // the part of Terms that comes from the title
	Content []Weighted // the words of the document itself; a bag takes the best
	Pages   uint64     // pages that link to the document, weighted by HostWeight, in units of 1/Unit
}

// Append appends the encoding of a raw bag: its terms; then, unless the document has neither title nor content, the
// terms of the title, the terms of the content, and a uvarint of the pages.
func (r *Raw) Append(dst []byte) []byte {
	dst = AppendTerms(dst, r.Terms)
	if len(r.Title) == 0 && len(r.Content) == 0 {
		return dst
	}
	return binary.AppendUvarint(AppendTerms(AppendTerms(dst, r.Title), r.Content), r.Pages)
}

// Decode reads what Append wrote. It reuses the memory of the lists.
func (r *Raw) Decode(b []byte) (err error) {
	*r = Raw{Terms: r.Terms[:0], Title: r.Title[:0], Content: r.Content[:0]}
	if r.Terms, b, err = DecodeTerms(r.Terms, b); err != nil || len(b) == 0 {
		return err
	}
	if r.Title, b, err = DecodeTerms(r.Title, b); err != nil {
		return err
	}
	if r.Content, b, err = DecodeTerms(r.Content, b); err != nil {
		return err
	}
	d := codec.Decoder{B: b}
	r.Pages = d.Uvarint()
	return d.Err
}

// Empty reports whether a raw bag has no terms.
func (r *Raw) Empty() bool { return len(r.Terms) == 0 && len(r.Content) == 0 }

// All calls term with each distinct term of a raw bag, in order.
func (r *Raw) All(term func(Term) error) error {
	i, j := 0, 0
	for i < len(r.Terms) || j < len(r.Content) {
		var t Term
		switch {
		case j == len(r.Content) || i < len(r.Terms) && r.Terms[i].Term < r.Content[j].Term:
			t = r.Terms[i].Term
			i++
		case i == len(r.Terms) || r.Content[j].Term < r.Terms[i].Term:
			t = r.Content[j].Term
			j++
		default:
			t = r.Terms[i].Term
			i, j = i+1, j+1
		}
		if err := term(t); err != nil {
			return err
		}
	}
	return nil
}
