// Package symbols compresses short strings so that each can be read by itself. A table has up to 255 symbols, strings of 1 to
// 8 bytes that are common in a sample; a string is stored as the numbers of its symbols (Boncz, Neumann, Leis: FSST: Fast
// Random Access String Compression, 2020). URLs take about half of their space, sentences with links three fifths.
package symbols

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// Sizes.
const (
	most   = 255 // symbols of a table
	escape = 255 // the number before a byte that is no symbol
	long   = 8   // bytes of the longest symbols
	rounds = 5   // of training
)

// Table is a table of symbols. It does not change, so several goroutines can use it.
type Table struct {
	bytes  [most + 1]uint64 // the bytes of each symbol, the first one lowest
	length [most + 1]uint8
	n      int
}

// ErrTable is the error of Parse.
var ErrTable = errors.New("not a table of symbols")

// Bytes returns the table as bytes: for each symbol its length and its bytes.
func (t *Table) Bytes() (out []byte) {
	for i := range t.n {
		b := binary.LittleEndian.AppendUint64(nil, t.bytes[i])
		out = append(append(out, t.length[i]), b[:t.length[i]]...)
	}
	return out
}

// Parse reads a table that Bytes returned.
func Parse(b []byte) (*Table, error) {
	t := &Table{}
	for len(b) > 0 {
		n := int(b[0])
		if n == 0 || n > long || len(b) <= n || t.n == most {
			return nil, ErrTable
		}
		var word [long]byte
		copy(word[:], b[1:1+n])
		t.bytes[t.n], t.length[t.n] = binary.LittleEndian.Uint64(word[:]), uint8(n)
		t.n++
		b = b[1+n:]
	}
	return t, nil
}

// String returns the string that was stored as packed, in a new slice. It reports whether an Encoder of the table may have
// made packed.
func (t *Table) String(packed []byte) ([]byte, bool) {
	size := long // of room for the last symbol
	for i := 0; i < len(packed); i++ {
		if n := t.length[packed[i]]; n > 0 {
			size += int(n)
			continue
		}
		if i++; packed[i-1] != escape || i == len(packed) {
			return nil, false
		}
		size++
	}
	dst, n := make([]byte, size), 0
	for i := 0; i < len(packed); i++ {
		at := packed[i]
		if at == escape {
			i++
			dst[n] = packed[i]
			n++
			continue
		}
		binary.LittleEndian.PutUint64(dst[n:], t.bytes[at])
		n += int(t.length[at])
	}
	return dst[:n:n], true
}

// Encoder packs strings with the symbols of a table.
type Encoder struct {
	*Table
	long []longSymbol      // the symbols of two bytes or more by their first two bytes, the longest first
	span [1 << 16][2]uint8 // for two bytes, where their symbols begin in long, and how many there are
	one  [1 << 8]uint8     // numbers of the symbols of one byte, or escape
}

type longSymbol struct {
	bytes, mask    uint64 // mask has the bits of bytes that count
	length, number uint8
}

// Encoder returns an encoder with the symbols of the table.
func (t *Table) Encoder() *Encoder {
	e := &Encoder{Table: t}
	for i := range e.one {
		e.one[i] = escape
	}
	for i := range t.n {
		if n := t.length[i]; n == 1 {
			e.one[t.bytes[i]&0xff] = uint8(i)
		} else {
			e.long = append(e.long, longSymbol{t.bytes[i], 1<<(8*uint(n)-1)<<1 - 1, n, uint8(i)})
		}
	}
	slices.SortFunc(e.long, func(a, b longSymbol) int {
		return cmp.Or(cmp.Compare(uint16(a.bytes), uint16(b.bytes)), cmp.Compare(b.length, a.length), cmp.Compare(a.number, b.number))
	})
	for at, l := range e.long {
		span := &e.span[uint16(l.bytes)]
		if span[1]++; span[1] == 1 {
			span[0] = uint8(at)
		}
	}
	return e
}

// next returns the number of the longest symbol with which s, which is not empty, begins, and its length, or escape and 1.
func (e *Encoder) next(s []byte) (number uint8, length int) {
	word := load(s)
	span := e.span[uint16(word)]
	for _, l := range e.long[span[0]:][:span[1]] {
		if (word^l.bytes)&l.mask == 0 && int(l.length) <= len(s) {
			return l.number, int(l.length)
		}
	}
	return e.one[s[0]], 1
}

// load returns the first 8 bytes of s, the first one lowest, or all with zeros behind.
func load(s []byte) uint64 {
	if len(s) >= long {
		return binary.LittleEndian.Uint64(s)
	}
	var word [long]byte
	copy(word[:], s)
	return binary.LittleEndian.Uint64(word[:])
}

// Append appends the packed form of s.
func (e *Encoder) Append(dst, s []byte) []byte {
	for len(s) > 0 {
		i, n := e.next(s)
		dst = append(dst, i)
		if i == escape {
			dst = append(dst, s[0])
		}
		s = s[n:]
	}
	return dst
}

// Train makes a table from a sample of strings. In each round it packs the sample with the symbols so far, and keeps those
// symbols, and those pairs of neighbours as one symbol, that cover most bytes.
func Train(sample [][]byte) *Table {
	const bytes = 1 << 8 // single bytes have the numbers below, symbols those from here on
	t := &Table{}
	for range rounds {
		e := t.Encoder()
		var once [2 * bytes]int
		twice := map[[2]uint16]int{}
		for _, s := range sample {
			last := uint16(2 * bytes)
			for len(s) > 0 {
				i, n := e.next(s)
				code := bytes + uint16(i)
				if i == escape {
					code = uint16(s[0])
				}
				once[code]++
				if last < 2*bytes {
					twice[[2]uint16{last, code}]++
				}
				last, s = code, s[n:]
			}
		}
		t = best(e, once[:], twice)
	}
	return t
}

// symbol is a candidate for a table.
type symbol struct {
	bytes  uint64
	length uint8
	covers int // bytes of the sample
}

// best returns a table of the symbols that cover most bytes.
func best(e *Encoder, once []int, twice map[[2]uint16]int) *Table {
	of := func(code uint16) symbol {
		if code < 1<<8 {
			return symbol{uint64(code), 1, 0}
		}
		return symbol{e.bytes[code-1<<8], e.length[code-1<<8], 0}
	}
	covered := map[symbol]int{}
	for code, n := range once {
		s := of(uint16(code))
		if n > 0 {
			covered[s] += n * int(s.length)
		}
	}
	for pair, n := range twice {
		a, b := of(pair[0]), of(pair[1])
		if a.length < long && n > 1 {
			length := min(long, a.length+b.length)
			word := a.bytes | b.bytes<<(8*a.length)
			word &= 1<<(8*uint(length)-1)<<1 - 1
			covered[symbol{word, length, 0}] += n * int(length)
		}
	}
	all := make([]symbol, 0, len(covered))
	for s, n := range covered {
		s.covers = n
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(b.covers, a.covers), cmp.Compare(a.length, b.length),
			cmp.Compare(bits.ReverseBytes64(a.bytes), bits.ReverseBytes64(b.bytes)))
	})
	t := &Table{}
	for _, s := range all[:min(most, len(all))] {
		t.bytes[t.n], t.length[t.n] = s.bytes, s.length
		t.n++
	}
	return t
}
