package shingles

import "fmt"

// window slides over units of 8 bytes and returns the fingerprint of every w consecutive ones ([S2] 4.3), which equals
// that of their bytes.
//
// It keeps the residues F of everything read so far. The window that ends at unit i has the fingerprint F(i) -
// F(i-w)·t^(64w). Reading a unit takes one multiplication by t^64 and forgetting another takes one by t^(64w), whatever
// w is.
type window struct {
	rabin  *rabin
	w      int
	lead   uint64         // the leading 1 of w units
	out    [8][256]uint64 // times t^(64w)
	prefix []uint64       // F of the last w units, then of a batch
	seen   int            // units read, counted up to w
}

// maxW is the largest window: it is longer than most documents.
const maxW = 1 << 16

// newWindow returns a window of w units, 1 to 65,536.
func newWindow(r *rabin, w int) (*window, error) {
	if w < 1 || w > maxW {
		return nil, fmt.Errorf("shingles: window of %d tokens: want 1 to %d", w, maxW)
	}
	win := &window{rabin: r, w: w, lead: r.poly.PowerOfT(64*w + unitPower)}
	fillUnits(r.poly, &win.out, 64*w)
	win.prefix = make([]uint64, w, w+batch)
	return win, nil
}

// reset forgets the units read.
func (w *window) reset() {
	clear(w.prefix[:w.w])
	w.seen = 0
}

// append reads units, at most batch, and appends to dst the fingerprint of every window that they complete: one per unit, except for
// the first w-1 of a document.
func (w *window) append(dst, units []uint64) []uint64 {
	first := min(max(w.w-1-w.seen, 0), len(units))
	w.seen = min(w.seen+len(units), w.w)
	prefix := w.read(units)
	dst = w.forget(dst, prefix[first:len(units)], prefix[w.w+first:])
	copy(prefix, prefix[len(units):])
	return dst
}

// read appends the residues up to each unit to those of the last w units.
func (w *window) read(units []uint64) []uint64 {
	prefix := w.prefix[:w.w+len(units)]
	f, tables := prefix[w.w-1], &w.rabin.unit
	fresh := prefix[w.w:]
	for i, u := range units[:len(fresh)] {
		f = multiply(tables, f^u)
		fresh[i] = f
	}
	return prefix
}

// forget subtracts the residue before each window from the residue at its end.
func (w *window) forget(dst, before, end []uint64) []uint64 {
	n := len(dst)
	dst = append(dst, end...)
	fresh := dst[n:]
	before = before[:len(fresh)]
	if w.rabin.poly.Degree > 40 {
		for i, f := range before {
			fresh[i] ^= multiply(&w.out, f) ^ w.lead
		}
		return dst
	}
	t0, t1, t2, t3, t4 := &w.out[0], &w.out[1], &w.out[2], &w.out[3], &w.out[4]
	lead := w.lead
	for i, f := range before {
		fresh[i] ^= t0[byte(f)] ^ t1[byte(f>>8)] ^ t2[byte(f>>16)] ^
			t3[byte(f>>24)] ^ t4[byte(f>>32)] ^ lead
	}
	return dst
}

// short returns the fingerprint of all units read if there are at least one and fewer than w; otherwise ok is false.
func (w *window) short() (fingerprint uint64, ok bool) {
	if w.seen == 0 || w.seen >= w.w {
		return 0, false
	}
	return w.prefix[w.w-1] ^ w.rabin.poly.PowerOfT(64*w.seen+unitPower), true
}
