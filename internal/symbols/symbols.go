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

// Len returns the number of symbols.
func (t *Table) Len() int { return t.n }

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
	order []uint8        // numbers of the symbols of two bytes or more by their first two bytes, the longest first
	first [1 << 16]uint8 // for two bytes, where their symbols begin in order
	count [1 << 16]uint8 // and how many there are
	one   [1 << 8]uint8  // numbers of the symbols of one byte, or escape
}

// Encoder returns an encoder with the symbols of the table.
func (t *Table) Encoder() *Encoder {
	e := &Encoder{Table: t}
	for i := range e.one {
		e.one[i] = escape
	}
	for i := range t.n {
		if t.length[i] == 1 {
			e.one[t.bytes[i]&0xff] = uint8(i)
		} else {
			e.order = append(e.order, uint8(i))
		}
	}
	slices.SortFunc(e.order, func(a, b uint8) int {
		return cmp.Or(cmp.Compare(uint16(t.bytes[a]), uint16(t.bytes[b])), cmp.Compare(t.length[b], t.length[a]), cmp.Compare(a, b))
	})
	for at, i := range e.order {
		two := uint16(t.bytes[i])
		if e.count[two] == 0 {
			e.first[two] = uint8(at)
		}
		e.count[two]++
	}
	return e
}

// next returns the number of the longest symbol with which s, which is not empty, begins, or escape.
func (e *Encoder) next(s []byte) uint8 {
	if len(s) == 1 {
		return e.one[s[0]]
	}
	two := uint16(s[0]) | uint16(s[1])<<8
	n := e.count[two]
	if n == 0 {
		return e.one[s[0]]
	}
	word := load(s)
	for _, i := range e.order[e.first[two]:][:n] {
		length := e.length[i]
		if int(length) <= len(s) && (word^e.bytes[i])<<(64-8*uint(length)) == 0 {
			return i
		}
	}
	return e.one[s[0]]
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
		i := e.next(s)
		if i == escape {
			dst, s = append(dst, escape, s[0]), s[1:]
			continue
		}
		dst, s = append(dst, i), s[e.length[i]:]
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
				n, code := 1, uint16(s[0])
				if i := e.next(s); i != escape {
					n, code = int(e.length[i]), bytes+uint16(i)
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
		return cmp.Or(cmp.Compare(b.covers, a.covers), cmp.Compare(a.length, b.length), cmp.Compare(bits.ReverseBytes64(a.bytes), bits.ReverseBytes64(b.bytes)))
	})
	t := &Table{}
	for _, s := range all[:min(most, len(all))] {
		t.bytes[t.n], t.length[t.n] = s.bytes, s.length
		t.n++
	}
	return t
}
