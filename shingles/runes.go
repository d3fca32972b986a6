package shingles

import (
	"encoding/binary"
	"unicode/utf8"
)

// runes is the hot loop for everything but ASCII words. It reads runes of up to 3 bytes and keeps the token in
// registers. It stops after an ASCII separator, where ascii can continue; before a rune that decode3 does not know; and
// when dst is nearly full.
func (t *Tokenizer) runes(dst []uint64, p []byte) (tokens, read int) {
	unit, used, alone, table := t.unit, t.used, t.alone, glyphs()
	for read < len(p) && tokens+maxStep <= len(dst) {
		c, size := decode3(load4(p[read:]))
		if size == 0 {
			break
		}
		read += size
		g := table[c&0xFFFF]
		class := g.class()
		if class == classSkip {
			continue
		}
		if class == classMark || class == classLetter && !alone { // goes on
			unit |= g.top() >> (8 * used) // by 64 if used is 8
			if used += g.size(); used > 8 {
				tokens += t.overflow(dst[tokens:], unit)
				used -= 8
				unit = g.top() << (8 * (g.size() - used) & 63)
			}
			continue
		}
		if used > 0 { // ends
			dst[tokens] = t.whole(unit)
			tokens++
		}
		unit, used, alone = 0, 0, class == classSolo
		switch {
		case class >= classSolo:
			unit, used = g.top(), g.size()
		case class == classPunct && t.Punct:
			dst[tokens] = g.top()
			tokens++
		case c < utf8.RuneSelf && len(p)-read >= 8 && p[read] < utf8.RuneSelf && !t.Punct:
			t.unit, t.used, t.alone = unit, used, alone
			return tokens, read
		}
	}
	t.unit, t.used, t.alone = unit, used, alone
	return tokens, read
}

// load4 returns the first 4 bytes of p, the first one highest, with zeros behind the end.
func load4(p []byte) uint32 {
	if len(p) >= 4 {
		return binary.BigEndian.Uint32(p)
	}
	return loadTail(p)
}

func loadTail(p []byte) (x uint32) {
	for i, b := range p {
		x |= uint32(b) << (24 - 8*uint(i))
	}
	return x
}

// decode3 decodes a rune from the top of 4 bytes. The size is 0 unless it is a well-formed rune of 1 to 3 bytes.
func decode3(x uint32) (c uint32, size int) {
	switch {
	case x>>31 == 0:
		return x >> 24, 1
	case x>>16&0xE0C0 == 0xC080 && x>>24 >= 0xC2:
		return x>>18&0x7C0 | x>>16&0x3F, 2
	case x>>8&0xF0C0C0 == 0xE08080 && x>>16&0xFF20 > 0xE000:
		return x>>12&0xF000 | x>>10&0xFC0 | x>>8&0x3F, 3
	}
	return 0, 0
}

// overflow takes a full unit of a token that continues: as a token, or as part of the hash of a long word.
func (t *Tokenizer) overflow(dst []uint64, unit uint64) int {
	if !t.Split {
		t.hash, t.long = foldUnit(t.hash, unit), true
		return 0
	}
	dst[0] = unit
	return 1
}

// whole returns the token whose last unit is unit.
func (t *Tokenizer) whole(unit uint64) uint64 {
	if !t.long {
		return unit
	}
	unit = foldUnit(t.hash, unit)
	t.hash, t.long = 0, false
	return unit
}
