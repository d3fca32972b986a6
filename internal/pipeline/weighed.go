package pipeline

import (
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
)

// weighed holds consecutive bags of one partition.
type weighed struct {
	lens               []int32 // number of terms of each bag
	terms              []uint32
	counts             []uint16
	nonempty, elements int64
}

// size returns the number of bytes that the bags take.
func (w *weighed) size() int {
	return 4*len(w.lens) + 4*len(w.terms) + 2*len(w.counts)
}

// each calls add with each bag.
func (w *weighed) each(add func(bags.Bag)) {
	at := 0
	for _, n := range w.lens {
		add(bags.Bag{Terms: w.terms[at : at+int(n)], Counts: w.counts[at : at+int(n)]})
		at += int(n)
	}
}

// add appends a bag.
func (w *weighed) add(bag bags.Bag) {
	w.lens = append(w.lens, int32(bag.Len()))
	w.terms, w.counts = append(w.terms, bag.Terms...), append(w.counts, bag.Counts...)
	w.elements += int64(bag.Sum())
	if bag.Len() > 0 {
		w.nonempty++
	}
}

// write writes the bags as a record, adds their figures to n, and removes them.
func (w *weighed) write(to io.Writer, n counts) error {
	if len(w.lens) == 0 {
		return nil
	}
	n["bags"] += int64(len(w.lens))
	n["nonempty"] += w.nonempty
	n["elements"] += w.elements
	body := appendArray(make([]byte, 0, w.size()+32), w.lens)
	body = appendArray(appendArray(body, w.terms), w.counts)
	*w = weighed{lens: w.lens[:0], terms: w.terms[:0], counts: w.counts[:0]}
	return writeRecord(to, body)
}

// decode reads bags that write has written.
func (w *weighed) decode(body []byte) error {
	d := codec.Decoder{B: body}
	decodeArray(&d, &w.lens)
	decodeArray(&d, &w.terms)
	decodeArray(&d, &w.counts)
	if d.Err == nil && (len(d.B) > 0 || sumOf(w.lens) != len(w.terms) || len(w.counts) != len(w.terms)) {
		d.Err = codec.ErrMalformed
	}
	return d.Err
}

func sumOf(lens []int32) (sum int) {
	for _, n := range lens {
		sum += int(n)
	}
	return sum
}
