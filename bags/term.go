package bags

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/internal/codec"
)

// Term is the 64-bit hash of a stemmed word. Zero means that the word has no term: it is a stop word or noise. Among
// ten million words, two terms share a hash with probability 3·10⁻⁶.
type Term uint64

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
