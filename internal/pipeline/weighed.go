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

	own     []int32      // number of terms of each bag with origins other than links
	origins bags.Origins // origins of all bags
}

// size returns the number of bytes that the bags take.
func (w *weighed) size() int {
	return 8*len(w.lens) + 4*len(w.terms) + 2*len(w.counts) + 8*w.origins.Len()
}

// each calls add and source with each bag. The first bag is that of the given document.
func (w *weighed) each(document uint32, add func(bags.Bag), source func(uint32, bags.Origins)) {
	at, own := 0, 0
	for i, n := range w.lens {
		add(bags.Bag{Terms: w.terms[at : at+int(n)], Counts: w.counts[at : at+int(n)]})
		at += int(n)
		end := own + int(w.own[i])
		source(document+uint32(i), bags.Origins{Terms: w.origins.Terms[own:end], Title: w.origins.Title[own:end], Content: w.origins.Content[own:end]})
		own = end
	}
}

// add appends a bag.
func (w *weighed) add(bag bags.Bag, of bags.Origins) {
	w.lens = append(w.lens, int32(bag.Len()))
	w.terms, w.counts = append(w.terms, bag.Terms...), append(w.counts, bag.Counts...)
	w.elements += int64(bag.Sum())
	if bag.Len() > 0 {
		w.nonempty++
	}
	w.own = append(w.own, int32(of.Len()))
	s := &w.origins
	s.Terms, s.Title, s.Content = append(s.Terms, of.Terms...), append(s.Title, of.Title...), append(s.Content, of.Content...)
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
	body = appendArray(appendArray(body, w.own), w.origins.Terms)
	body = appendArray(appendArray(body, w.origins.Title), w.origins.Content)
	s := &w.origins
	*w = weighed{lens: w.lens[:0], terms: w.terms[:0], counts: w.counts[:0], own: w.own[:0], origins: bags.Origins{
		Terms: s.Terms[:0], Title: s.Title[:0], Content: s.Content[:0],
	}}
	return writeRecord(to, body)
}

// decode reads bags that write has written.
func (w *weighed) decode(body []byte) error {
	d := codec.Decoder{B: body}
	decodeArray(&d, &w.lens)
	decodeArray(&d, &w.terms)
	decodeArray(&d, &w.counts)
	decodeArray(&d, &w.own)
	decodeArray(&d, &w.origins.Terms)
	decodeArray(&d, &w.origins.Title)
	decodeArray(&d, &w.origins.Content)
	if d.Err == nil && (len(d.B) > 0 || sumOf(w.lens) != len(w.terms) || len(w.counts) != len(w.terms) ||
		len(w.own) != len(w.lens) || sumOf(w.own) != w.origins.Len() || len(w.origins.Title) != w.origins.Len() || len(w.origins.Content) != w.origins.Len()) {
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
