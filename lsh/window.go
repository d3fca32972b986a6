package lsh

import "github.com/lshclust/lshclust/minhash"

// window holds copies of rows that are compared with one another: their low bytes
// and, of those that are needed, the whole rows. A row is far away in memory,
// perhaps on a disk, and is used for several pairs; copying many one after
// another lets the processor wait for them together.
type window struct {
	sigs   Signatures
	rows   []uint32
	planes []byte
	whole  []byte
	asked  []bool // whether the place in whole is filled or wanted
	wanted []int
}

// load makes the window hold the rows of the records.
func (w *window) load(s *search, records ...[]uint64) {
	w.sigs, w.rows, w.planes = s.sigs, w.rows[:0], w.planes[:0]
	for _, list := range records {
		for _, r := range list {
			w.rows = append(w.rows, s.row(r))
			w.planes = append(w.planes, s.lowPlane(s.row(r))...)
		}
	}
	n := len(w.rows)
	if len(w.asked) < n {
		w.asked, w.whole = make([]bool, n), make([]byte, n*3*s.x.M)
	}
	clear(w.asked[:n])
}

// need asks for the whole row at a place.
func (w *window) need(i int) {
	if !w.asked[i] {
		w.asked[i] = true
		w.wanted = append(w.wanted, i)
	}
}

// fetch copies the rows that were asked for.
func (w *window) fetch() {
	for _, i := range w.wanted {
		copy(w.row(i), w.sigs.Row(int(w.rows[i])))
	}
	w.wanted = w.wanted[:0]
}

// low is the low bytes of the row at a place.
func (w *window) low(i int) []byte {
	m := w.sigs.M
	return w.planes[i*m : (i+1)*m]
}

// mask is the set of signatures in which two fetched rows agree.
func (w *window) mask(i, j int) minhash.Bits { return minhash.Mask(w.row(i), w.row(j)) }

func (w *window) row(i int) []byte {
	size := 3 * w.sigs.M
	return w.whole[i*size : (i+1)*size]
}
