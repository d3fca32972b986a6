package inflate

import "math/bits"

// entry is one place of a decoding table.
//
//	literal           bit 31             byte << 16              | code << 8 | code
//	length, distance                     base << 16              | code << 8 | code + extra
//	link              bits 15 and 14     start of subtable << 16 | bits of its index << 8
//	end of block      bit 15             1 << 16                 | code << 8 | code
//	no such code      bit 15 alone
//
// code is the number of bits of the code, in a subtable of those behind the primary ones; extra that of the bits that
// follow it.
type entry uint32

const (
	litBits  = 11
	distBits = 9

	flagLiteral = 1 << 31
	flagSpecial = 1 << 15 // neither a literal nor a base
	flagLink    = 1 << 14

	invalid entry = flagSpecial
)

func (e entry) bits() uint      { return uint(e) & 63 }
func (e entry) code() uint      { return uint(e) >> 8 & 15 }
func (e entry) base() int       { return int(e) >> 16 }
func (e entry) literal() byte   { return byte(e >> 16) }
func (e entry) isLiteral() bool { return e&flagLiteral != 0 }
func (e entry) isLink() bool    { return e&flagLink != 0 }
func (e entry) isSpecial() bool { return e&flagSpecial != 0 }

// value is the length or distance: b begins with the code.
func (e entry) value(b uint64) int { return e.base() + int(b&(1<<e.bits()-1)>>e.code()) }

var (
	litSymbols  [288]entry
	distSymbols [32]entry
	codeSymbols [19]entry // the code of code lengths, as lengths without extra bits
	fixedLit    []entry
	fixedDist   []entry
)

func init() {
	for i := range 256 {
		litSymbols[i] = flagLiteral | entry(i)<<16
	}
	litSymbols[256] = flagSpecial | 1<<16
	length := 3
	for i := 257; i < 285; i++ {
		extra := max(0, (i-261)/4)
		litSymbols[i] = entry(length)<<16 | entry(extra)
		length += 1 << extra
	}
	litSymbols[285] = 258 << 16
	litSymbols[286], litSymbols[287] = invalid, invalid
	distance := 1
	for i := range 30 {
		extra := max(0, i/2-1)
		distSymbols[i] = entry(distance)<<16 | entry(extra)
		distance += 1 << extra
	}
	distSymbols[30], distSymbols[31] = invalid, invalid
	for i := range codeSymbols {
		codeSymbols[i] = entry(i) << 16
	}
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144 || i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	fixedLit, _ = build(make([]entry, 1<<litBits), lengths[:], litSymbols[:], litBits)
	for i := range 32 {
		lengths[i] = 5
	}
	fixedDist, _ = build(make([]entry, 1<<distBits), lengths[:32], distSymbols[:], distBits)
}

// build makes a decoding table for a canonical code. A code must be complete, but for one of a single
// symbol or of none. table has the primary part; subtables are appended.
//
// Codes are taken by length. Those of length l fill the first 1<<l places with what is there of shorter codes; for the
// next length these are doubled.
func build(table []entry, lengths []uint8, symbols []entry, primary uint) ([]entry, bool) {
	var count, next [16]int
	for _, l := range lengths {
		count[l&15]++
	}
	table = table[:1<<primary]
	if used := len(lengths) - count[0]; used == 0 || used == 1 && count[1] == 1 {
		single(table, lengths, symbols)
		return table, true
	}
	count[0] = 0
	left, longest := 1, uint(0) // codes of the length that are left over
	for l := 1; l < 16; l++ {
		if left = left<<1 - count[l]; left < 0 {
			return nil, false
		}
		if next[l] = next[l-1] + count[l-1]; count[l] > 0 {
			longest = uint(l)
		}
	}
	if left > 0 {
		return nil, false
	}
	var sorted [320]uint16
	for symbol, l := range lengths {
		if l &= 15; l > 0 {
			sorted[next[l]] = uint16(symbol)
			next[l]++
		}
	}
	code, size, i := 0, 1, 0
	for l := uint(1); l <= longest; l++ {
		code <<= 1
		if l <= primary {
			copy(table[size:2*size], table[:size])
			size *= 2
		}
		for range count[l] {
			reversed := int(bits.Reverse16(uint16(code)) >> (16 - l))
			e := symbols[sorted[i]]
			if l <= primary {
				table[reversed] = e.coded(l)
			} else {
				table = addLong(table, e, reversed, l, longest, primary)
			}
			code++
			i++
		}
	}
	for ; size < 1<<primary; size *= 2 {
		copy(table[size:2*size], table[:size])
	}
	return table, true
}

// coded is an entry of the symbols with its code's length.
func (e entry) coded(length uint) entry {
	if e == invalid {
		return e
	}
	return e + entry(length<<8|length)
}

// single is the table of a code that has one symbol, of one bit, or none.
func single(table []entry, lengths []uint8, symbols []entry) {
	for i := range table {
		table[i] = invalid
	}
	for symbol, l := range lengths {
		for i := 0; l > 0 && i < len(table); i += 2 {
			table[i] = symbols[symbol].coded(1)
		}
	}
}

// addLong puts a code of more than primary bits into the subtable of its first bits.
func addLong(table []entry, e entry, reversed int, length, longest, primary uint) []entry {
	sub := longest - primary
	first := reversed & (1<<primary - 1)
	if reversed>>primary == 0 { // codes of the same first bits come one after another, this one first
		table[first] = flagSpecial | flagLink | entry(len(table))<<16 | entry(sub)<<8
		table = append(table, make([]entry, 1<<sub)...)
	}
	start := table[first].base()
	for i := reversed >> primary; i < 1<<sub; i += 1 << (length - primary) {
		table[start+i] = e.coded(length - primary)
	}
	return table
}

var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block.
func (d *decoder) dynamic() error {
	v, err := d.take(14)
	if err != nil {
		return err
	}
	nlit, ndist, ncode := v&31+257, v>>5&31+1, v>>10+4
	if nlit > 286 || ndist > 30 {
		return corrupt("number of codes")
	}
	var short [19]uint8
	for i := range ncode {
		l, err := d.take(3)
		if err != nil {
			return err
		}
		short[codeOrder[i]] = uint8(l)
	}
	table, ok := build(d.litBuf[:1<<7], short[:], codeSymbols[:], 7)
	if !ok {
		return corrupt("code of code lengths")
	}
	if err := d.codeLengths(table, d.lengths[:nlit+ndist]); err != nil {
		return err
	}
	if d.lit, ok = build(d.litBuf[:1<<litBits], d.lengths[:nlit], litSymbols[:], litBits); !ok || d.lengths[256] == 0 {
		return corrupt("code of literals and lengths")
	}
	if d.dist, ok = build(d.distBuf[:1<<distBits], d.lengths[nlit:nlit+ndist], distSymbols[:], distBits); !ok {
		return corrupt("code of distances")
	}
	return nil
}

func (d *decoder) codeLengths(table []entry, lengths []uint8) error {
	for i := 0; i < len(lengths); {
		if d.n < 7 {
			d.refill()
		}
		e := table[d.bits&(1<<7-1)]
		if d.n >= 7 && e != invalid {
			d.bits >>= e.bits()
			d.n -= e.bits()
		} else {
			var err error
			if e, err = d.symbol(table, 7); err != nil {
				return err
			}
		}
		symbol := e.base()
		if symbol < 16 {
			lengths[i] = uint8(symbol)
			i++
			continue
		}
		value, width, least := uint8(0), uint(3), 3
		switch symbol {
		case 16:
			if i == 0 {
				return corrupt("repeated code length")
			}
			value, width = lengths[i-1], 2
		case 18:
			width, least = 7, 11
		}
		n, err := d.take(width)
		if err != nil {
			return err
		}
		if n += least; i+n > len(lengths) {
			return corrupt("too many code lengths")
		}
		for range n {
			lengths[i] = value
			i++
		}
	}
	return nil
}
