package shingles

import "unicode/utf8"

// Tokenizer turns text into units of 8 bytes, the tokens that Window slides over, without allocating. Text may come in
// pieces that are cut anywhere. The zero value drops punctuation and makes each word one token.
type Tokenizer struct {
	// Punct keeps each punctuation mark and symbol as a token.
	Punct bool
	// Split makes a word of more than 8 bytes several tokens, which count as several in w ([S2] 4.3). Otherwise each
	// word is one token, a long one by its hash.
	Split bool

	unit  uint64  // the bytes of the token so far, from the top
	used  uint    // how many: 0 (between tokens) to 8
	alone bool    // the token takes no more letters, marks only
	long  bool    // units before this one are in hash
	hash  uint64  // without Split only
	cut   [4]byte // a rune of which the rest is in the next piece
	ncut  int
}

// batch is the number of tokens that go through the window and into the sketch at a time.
const batch = 512

// maxStep is the largest number of tokens that one rune can complete: the token before it, and its own of one or two
// units.
const maxStep = 4

// Next writes the tokens of p to dst and returns the number of tokens written and of bytes read. It stops early when
// dst is nearly full, and reads nothing if dst has room for fewer than 8. The last token is kept until more text or End
// comes.
func (t *Tokenizer) Next(dst []uint64, p []byte) (tokens, read int) {
	if len(dst) < 8 {
		return 0, 0
	}
	for t.ncut > 0 && read < len(p) {
		n, i := t.join(dst[tokens:], p[read:])
		tokens, read = tokens+n, read+i
	}
	for read < len(p) && tokens+maxStep <= len(dst) {
		if t.used == 0 && !t.Punct && len(p)-read >= 8 {
			n, i := t.ascii(dst[tokens:], p[read:])
			tokens, read = tokens+n, read+i
		}
		n, i := t.runes(dst[tokens:], p[read:])
		tokens, read = tokens+n, read+i
		if i == 0 && tokens+maxStep <= len(dst) {
			n, i = t.odd(dst[tokens:], p[read:])
			tokens, read = tokens+n, read+i
		}
	}
	return tokens, read
}

// End writes the last token, if there is one, and prepares t for the next document. If dst has no room, the token is
// lost.
func (t *Tokenizer) End(dst []uint64) (tokens int) {
	t.ncut = 0
	if len(dst) == 0 {
		*t = Tokenizer{Punct: t.Punct, Split: t.Split}
		return 0
	}
	return t.flush(dst)
}

// join completes the rune that was cut off at the end of the last piece. If its first byte turns out to be bad, the
// other bytes are read again and may leave a shorter cut behind.
func (t *Tokenizer) join(dst []uint64, p []byte) (tokens, read int) {
	for read < len(p) && !utf8.FullRune(t.cut[:t.ncut]) {
		t.cut[t.ncut] = p[read]
		t.ncut++
		read++
	}
	if !utf8.FullRune(t.cut[:t.ncut]) {
		return 0, read
	}
	piece, n := t.cut, t.ncut
	t.ncut = 0
	c, size := utf8.DecodeRune(piece[:n])
	if size > 1 {
		return t.step(dst, c, classify(c)), read
	}
	tokens = t.flush(dst)
	for rest := piece[1:n]; len(rest) > 0; {
		again, size := t.odd(dst[tokens:], rest)
		tokens, rest = tokens+again, rest[size:]
	}
	return tokens, read
}

// odd reads one rune of any kind or a bad byte, or keeps a rune that is cut short.
func (t *Tokenizer) odd(dst []uint64, p []byte) (tokens, size int) {
	c, size := utf8.DecodeRune(p)
	if size > 1 || c < utf8.RuneSelf {
		return t.step(dst, c, classify(c)), size
	}
	if !utf8.FullRune(p) {
		t.ncut = copy(t.cut[:], p)
		return 0, len(p)
	}
	return t.flush(dst), 1
}

// step adds one rune of a class and returns the number of tokens that it completes.
func (t *Tokenizer) step(dst []uint64, c, class rune) int {
	switch class {
	case classSkip:
		return 0
	case classMark:
		return t.add(dst, c)
	case classBreak:
		return t.flush(dst)
	case classSolo:
		n := t.flush(dst)
		n += t.add(dst[n:], c)
		t.alone = true
		return n
	case classPunct:
		n := t.flush(dst)
		if t.Punct {
			n += t.add(dst[n:], c)
			n += t.flush(dst[n:])
		}
		return n
	}
	if t.alone {
		n := t.flush(dst)
		return n + t.add(dst[n:], class)
	}
	return t.add(dst, class)
}

// add adds a rune to the token, in UTF-8.
func (t *Tokenizer) add(dst []uint64, c rune) int {
	x := uint64(c)
	switch {
	case c < 0x80:
		return t.push(dst, x, 1)
	case c < 0x800:
		return t.push(dst, 0xC080|x>>6<<8|x&0x3F, 2)
	case c < 0x10000:
		return t.push(dst, 0xE08080|x>>12<<16|x>>6&0x3F<<8|x&0x3F, 3)
	}
	return t.push(dst, 0xF0808080|x>>18<<24|x>>12&0x3F<<16|x>>6&0x3F<<8|x&0x3F, 4)
}

// push adds the lowest 1 to 4 bytes of bytes. A unit that was already full becomes a token, unless it is part of a long
// word.
func (t *Tokenizer) push(dst []uint64, bytes uint64, size uint) (tokens int) {
	bytes <<= 64 - 8*size
	t.unit |= bytes >> (8 * t.used)
	t.used += size
	if t.used > 8 {
		tokens = t.overflow(dst, t.unit)
		t.used -= 8
		t.unit = bytes << (8 * (size - t.used))
	}
	return tokens
}

// flush ends the token and writes it, if there is one.
func (t *Tokenizer) flush(dst []uint64) (tokens int) {
	if t.used > 0 {
		dst[0] = t.whole(t.unit)
		tokens = 1
	}
	t.unit, t.used, t.alone = 0, 0, false
	return tokens
}
