// Package inflate decompresses gzip members: RFC 1951 and 1952, one member after another, from a buffered
// reader that is left exactly behind each member.
//
// It exists for speed, twice that of klauspost/compress: one 64-bit buffer of bits, tables of 11 bits that decode
// most symbols in one look, and a loop that checks for room once for several symbols. A fuzz test demands the same
// bytes as klauspost/compress and an error where that has one.
//
// The rule for the caller: between Reset and io.EOF nobody else reads from the bufio.Reader.
package inflate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	window  = 32 << 10
	bufSize = window + 96<<10
	margin  = 2 + 258 + 16 // room for what one turn of the fast loop may write
	turnIn  = 16           // bytes that one turn of the fast loop may read
	inNeed  = 8 + turnIn   // and the look before the first
)

// ErrCorrupt is wrapped by the errors for data that is no deflate stream.
var ErrCorrupt = errors.New("corrupt deflate data")

// decoder inflates one deflate stream.
type decoder struct {
	src  *bufio.Reader
	in   []byte // what src has buffered
	pos  int    // bytes of in that went into bits
	eof  bool   // src has no more than in
	bits uint64 // the low nbits are valid
	n    uint

	out    []byte // the window and what follows it
	r, w   int    // out[r:w] is still to be given out
	stored int    // bytes left in a stored block
	block  int    // what is being decoded
	last   bool
	err    error

	lit, dist []entry
	litBuf    [1 << litBits * 2]entry
	distBuf   [1 << distBits * 4]entry
	lengths   [320]uint8
}

const (
	needBlock = iota
	inStored
	inCodes
)

func (d *decoder) reset(src *bufio.Reader) {
	if d.out == nil {
		d.out = make([]byte, bufSize)
	}
	d.src, d.in, d.pos, d.eof = src, nil, 0, false
	d.bits, d.n, d.r, d.w, d.block, d.last, d.err = 0, 0, 0, 0, needBlock, false, nil
}

// read gives decompressed bytes; they are valid until the next call. io.EOF comes after the last of them.
func (d *decoder) read(limit int) ([]byte, error) {
	for d.r == d.w {
		if d.err != nil {
			return nil, d.err
		}
		if d.w > bufSize-margin {
			copy(d.out, d.out[d.w-window:d.w])
			d.w = window
			d.r = window
		}
		if d.err = d.fill(); d.err != nil {
			d.release()
		}
	}
	b := d.out[d.r:min(d.w, d.r+limit)]
	d.r += len(b)
	return b, nil
}

// release gives back what was read ahead, whole bytes only, so that src stands behind the stream.
func (d *decoder) release() {
	d.pos -= int(d.n >> 3)
	d.n &= 7
	d.bits &= 1<<d.n - 1
	_, _ = d.src.Discard(d.pos)
	d.in, d.pos = nil, 0
}

// fill decodes until the buffer is full or the stream ends (io.EOF).
func (d *decoder) fill() error {
	for {
		var err error
		switch d.block {
		case needBlock:
			if d.last {
				return io.EOF
			}
			err = d.header()
		case inStored:
			err = d.copyStored()
		default:
			err = d.codes()
		}
		if err != nil || d.w > bufSize-margin {
			return err
		}
	}
}

// more makes at least inNeed bytes available, unless the input ends.
func (d *decoder) more() error {
	if d.eof || len(d.in)-d.pos >= inNeed {
		return nil
	}
	d.release() // so that bits hold bytes of the current in alone
	if d.src.Buffered() < inNeed {
		if _, err := d.src.Peek(inNeed); err == io.EOF {
			d.eof = true
		} else if err != nil {
			return err
		}
	}
	d.in, _ = d.src.Peek(d.src.Buffered())
	return nil
}

// refill takes whole bytes into bits, if as many are at hand as there may be room for. Then bits above n are not zero
// but those of the next bytes: or-ing the same bytes in again is harmless.
func (d *decoder) refill() {
	if len(d.in)-d.pos >= 8 {
		d.bits, d.n, d.pos = taken(d.bits, d.n, d.in, d.pos)
	}
}

// need makes at least k <= 32 bits valid.
func (d *decoder) need(k uint) error {
	if d.n < k {
		d.refill()
	}
	for d.n < k {
		if d.pos >= len(d.in) {
			if err := d.more(); err != nil {
				return err
			}
			if d.pos >= len(d.in) {
				return io.ErrUnexpectedEOF
			}
		}
		d.bits |= uint64(d.in[d.pos]) << d.n
		d.pos++
		d.n += 8
	}
	return nil
}

func (d *decoder) take(k uint) (int, error) {
	err := d.need(k)
	v := int(d.bits & (1<<k - 1))
	if err == nil {
		d.bits >>= k
		d.n -= k
	}
	return v, err
}

func corrupt(what string) error { return fmt.Errorf("%w: %s", ErrCorrupt, what) }

func (d *decoder) header() error {
	v, err := d.take(3)
	if err != nil {
		return err
	}
	d.last = v&1 == 1
	switch v >> 1 {
	case 0:
		return d.storedHeader()
	case 1:
		d.lit, d.dist, d.block = fixedLit, fixedDist, inCodes
		return nil
	case 2:
		d.block = inCodes
		return d.dynamic()
	}
	return corrupt("block of type 3")
}

func (d *decoder) storedHeader() error {
	d.bits >>= d.n & 7
	d.n &^= 7
	size, err := d.take(16)
	if err != nil {
		return err
	}
	check, err := d.take(16)
	if err != nil {
		return err
	}
	if size^check != 0xffff {
		return corrupt("length of a stored block")
	}
	d.stored, d.block = size, inStored
	return nil
}

func (d *decoder) copyStored() error {
	for d.stored > 0 && d.n > 0 && d.w < bufSize { // bytes that are in the bit buffer already
		d.out[d.w] = byte(d.bits)
		d.bits >>= 8
		d.n -= 8
		d.w++
		d.stored--
	}
	if d.n == 0 {
		d.bits = 0
	}
	for d.stored > 0 && d.w < bufSize {
		if d.pos >= len(d.in) {
			if err := d.more(); err != nil {
				return err
			}
			if d.pos >= len(d.in) {
				return io.ErrUnexpectedEOF
			}
		}
		k := copy(d.out[d.w:min(bufSize, d.w+d.stored)], d.in[d.pos:])
		d.pos, d.w, d.stored = d.pos+k, d.w+k, d.stored-k
	}
	if d.stored == 0 {
		d.block = needBlock
	}
	return nil
}

// codes decodes symbols until the block ends or the buffer is full.
func (d *decoder) codes() error {
	for d.w <= bufSize-margin {
		if err := d.more(); err != nil {
			return err
		}
		if len(d.in)-d.pos >= inNeed {
			if done, err := d.fast(); done || err != nil {
				d.block = needBlock
				return err
			}
			continue
		}
		if done, err := d.slow(); done || err != nil {
			d.block = needBlock
			return err
		}
	}
	return nil
}

// fast decodes while there is room on both sides. done is the end of the block.
//
// A turn begins with 56 valid bits and e looked up, but not taken: two literals, a length and its extra bits
// need 2*11+15+5 of them. Only the low six bits of n count; so an entry can be subtracted as it is.
func (d *decoder) fast() (done bool, err error) {
	in, pos, w, b, n := d.in, d.pos, d.w, d.bits, d.n
	out := (*[bufSize]byte)(d.out)
	lit, dist := (*[1 << litBits]entry)(d.lit), (*[1 << distBits]entry)(d.dist)
	b, n, pos = taken(b, n, in, pos)
	e := lit[b&(1<<litBits-1)]
	for pos+turnIn <= len(in) && w <= bufSize-margin {
		if e.isLiteral() {
			b >>= e.bits()
			n -= uint(e)
			out[w] = e.literal()
			w++
			e = lit[b&(1<<litBits-1)]
			if e.isLiteral() {
				b >>= e.bits()
				n -= uint(e)
				out[w] = e.literal()
				w++
				e = lit[b&(1<<litBits-1)]
				if e.isLiteral() {
					b >>= e.bits()
					n -= uint(e)
					out[w] = e.literal()
					w++
					b, n, pos = taken(b, n, in, pos)
					e = lit[b&(1<<litBits-1)]
					continue
				}
			}
		}
		if e.isSpecial() {
			if e.isLink() {
				b >>= litBits
				n -= litBits
				e = d.lit[e.base()+int(b&(1<<e.code()-1))]
			}
			if e.isLiteral() {
				b >>= e.bits()
				n -= uint(e)
				out[w] = e.literal()
				w++
				b, n, pos = taken(b, n, in, pos)
				e = lit[b&(1<<litBits-1)]
				continue
			}
			if e.isSpecial() {
				if e == invalid {
					err = corrupt("no such code")
					break
				}
				b >>= e.bits()
				n -= uint(e)
				done = true
				break
			}
		}
		length := e.value(b)
		b >>= e.bits()
		n -= uint(e)
		b, n, pos = taken(b, n, in, pos)

		e = dist[b&(1<<distBits-1)]
		if e.isSpecial() {
			if e == invalid {
				err = corrupt("no such distance code")
				break
			}
			b >>= distBits
			n -= distBits
			if e = d.dist[e.base()+int(b&(1<<e.code()-1))]; e == invalid {
				err = corrupt("no such distance code")
				break
			}
		}
		distance := e.value(b)
		b >>= e.bits()
		n -= uint(e)
		b, n, pos = taken(b, n, in, pos)
		e = lit[b&(1<<litBits-1)]
		if distance > w { // else it is in out: after a move, a whole window is
			err = corrupt("distance before the start")
			break
		}
		if distance < 16 {
			repeat(out, w, distance, length)
			w += length
			continue
		}
		from, end := w-distance, w+length
		*(*[16]byte)(out[w : w+16 : w+16]) = [16]byte(out[from : from+16 : from+16])
		*(*[16]byte)(out[w+16 : w+32 : w+32]) = [16]byte(out[from+16 : from+32 : from+32])
		for w, from = w+32, from+32; w < end; w, from = w+16, from+16 {
			*(*[16]byte)(out[w : w+16 : w+16]) = [16]byte(out[from : from+16 : from+16])
		}
		w = end
	}
	d.pos, d.w, d.n = pos, w, n&63
	d.bits = b & (1<<d.n - 1)
	return done, err
}

// taken takes as many bytes of in from pos on as b has room for above its n bits.
func taken(b uint64, n uint, in []byte, pos int) (uint64, uint, int) {
	return b | binary.LittleEndian.Uint64(in[pos:pos+8:pos+8])<<(n&63), n | 56, pos + int(^n>>3&7)
}

// copyMatch repeats length bytes from distance before w. It may write 16 bytes more than that.
func copyMatch(out *[bufSize]byte, w, distance, length int) {
	if distance < 16 {
		repeat(out, w, distance, length)
		return
	}
	for end := w + length; w < end; w += 16 {
		*(*[16]byte)(out[w:]) = [16]byte(out[w-distance:])
	}
}

// repeat is copyMatch for a distance below 16. Of 16 bytes from behind w, as many as the distance are right.
func repeat(out *[bufSize]byte, w, distance, length int) {
	end := w + length
	if distance == 1 {
		c := uint64(out[w-1]) * 0x0101010101010101
		for ; w < end; w += 8 {
			binary.LittleEndian.PutUint64(out[w:], c)
		}
		return
	}
	for ; w < end; w += distance {
		*(*[16]byte)(out[w:]) = [16]byte(out[w-distance:])
	}
}

// slow decodes one symbol near the end of the input.
func (d *decoder) slow() (done bool, err error) {
	e, err := d.symbol(d.lit, litBits)
	if err != nil {
		return false, err
	}
	switch {
	case e.isLiteral():
		d.out[d.w] = e.literal()
		d.w++
		return false, nil
	case e.isSpecial():
		return true, nil
	}
	extra, err := d.take(e.bits() - e.code())
	if err != nil {
		return false, err
	}
	length := e.base() + extra
	if e, err = d.symbol(d.dist, distBits); err != nil {
		return false, err
	}
	if extra, err = d.take(e.bits() - e.code()); err != nil {
		return false, err
	}
	distance := e.base() + extra
	if distance > d.w {
		return false, corrupt("distance before the start")
	}
	copyMatch((*[bufSize]byte)(d.out), d.w, distance, length)
	d.w += length
	return false, nil
}

// symbol decodes one code, asking for no more bits than it has.
func (d *decoder) symbol(table []entry, primary uint) (entry, error) {
	for {
		e := table[d.bits&(1<<primary-1)]
		used := e.code()
		if e.isLink() {
			e = table[e.base()+int(d.bits>>primary&(1<<e.code()-1))]
			used = primary + e.code()
		}
		if e != invalid && used <= d.n {
			d.bits >>= used
			d.n -= used
			return e, nil
		}
		if d.n >= 15 {
			return 0, corrupt("no such code")
		}
		if err := d.need(d.n + 1); err != nil {
			return 0, err
		}
	}
}
