package inflate

import "math/bits"

// entry is one place of a decoding table. 0 is a code that does not exist.
//
//	literal   bit 31 set      byte << 16              | bits of the code
//	link      bits 30, 29     start of subtable << 12 | bits of its index << 6
//	end       bit 30          1 << 12                 | bits of the code
//	length, distance          base << 12              | extra bits << 6 | bits of the code
//
// In a subtable, the bits of the code are those behind the primary ones.
type entry uint32

const (
	litBits  = 11
	distBits = 9

	flagLiteral = 1 << 31
	flagSpecial = 1 << 30 // a link, or the end of the block
	flagLink    = 1 << 29
)

func (e entry) bits() uint      { return uint(e) & 63 }
func (e entry) extra() uint     { return uint(e) >> 6 & 15 }
func (e entry) base() int       { return int(e) >> 12 & 0xffff }
func (e entry) literal() byte   { return byte(e >> 16) }
func (e entry) isLiteral() bool { return e&flagLiteral != 0 }
func (e entry) isLink() bool    { return e&flagLink != 0 }
func (e entry) isSpecial() bool { return e&flagSpecial != 0 || e == 0 }

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
	litSymbols[256] = flagSpecial | 1<<12
	length := 3
	for i := 257; i < 285; i++ {
		extra := max(0, (i-261)/4)
		litSymbols[i] = entry(length)<<12 | entry(extra)<<6
		length += 1 << extra
	}
	litSymbols[285] = 258 << 12
	distance := 1
	for i := range 30 {
		extra := max(0, i/2-1)
		distSymbols[i] = entry(distance)<<12 | entry(extra)<<6
		distance += 1 << extra
	}
	for i := range codeSymbols {
		codeSymbols[i] = entry(i+1) << 12
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
func build(table []entry, lengths []uint8, symbols []entry, primary uint) ([]entry, bool) {
	var count [16]int
	for _, l := range lengths {
		count[l]++
	}
	table = table[:1<<primary]
	clear(table)
	used := len(lengths) - count[0]
	if used == 0 {
		return table, true
	}
	var next [16]int
	code := 0
	for l := 1; l < 16; l++ {
		code = (code + count[l-1]*min(l-1, 1)) << 1
		next[l] = code
	}
	if end := next[15] + count[15]; end != 1<<15 && !(used == 1 && count[1] == 1) {
		return nil, false
	}
	longest := uint(15)
	for count[longest] == 0 {
		longest--
	}
	for symbol, l := range lengths {
		if l == 0 {
			continue
		}
		length := uint(l)
		reversed := int(bits.Reverse16(uint16(next[l])) >> (16 - length))
		next[l]++
		e := symbols[symbol]
		if length <= primary {
			if e != 0 {
				e |= entry(length)
			}
			for i := reversed; i < 1<<primary; i += 1 << length {
				table[i] = e
			}
			continue
		}
		table = addLong(table, e, reversed, length, longest, primary)
	}
	return table, true
}

// addLong puts a code of more than primary bits into the subtable of its first bits.
func addLong(table []entry, e entry, reversed int, length, longest, primary uint) []entry {
	sub := longest - primary
	first := reversed & (1<<primary - 1)
	if table[first] == 0 {
		table[first] = flagSpecial | flagLink | entry(len(table))<<12 | entry(sub)<<6
		for range 1 << sub {
			table = append(table, 0)
		}
	}
	if e != 0 {
		e |= entry(length - primary)
	}
	start := table[first].base()
	for i := reversed >> primary; i < 1<<sub; i += 1 << (length - primary) {
		table[start+i] = e
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
		e, err := d.symbol(table, 7)
		if err != nil {
			return err
		}
		symbol := e.base() - 1
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
