package tables

import (
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/internal/capture"
)

// NoInput is the input of a document that was not crawled.
const NoInput = ^uint32(0)

var capturesTable = kind{"captures", 1}

type captureColumns struct {
	input    numbers32 `lsh:"input,stream"`
	hash     numbers64 `lsh:"hash" of:"capture"`
	document numbers32 `lsh:"document" of:"capture"`
}

// CapturesWriter writes captures.lsh.
type CapturesWriter struct {
	writer
	captureColumns
}

// CreateCaptures starts captures.lsh.
func CreateCaptures(path string) *CapturesWriter {
	w := new(CapturesWriter)
	w.writer = capturesTable.create(path, &w.captureColumns)
	return w
}

// Add appends the next document in order of ids: the number of the input that contains its page, or NoInput.
func (w *CapturesWriter) Add(input uint32) { w.input.Add(input) }

// AddCapture appends a document that is a capture of the URL with the given hash. Captures must ascend by (hash,
// document).
func (w *CapturesWriter) AddCapture(url uint64, document uint32) {
	w.hash.Add(url)
	w.document.Add(document)
}

// Captures reads captures.lsh.
type Captures struct {
	file
	captureColumns
}

// OpenCaptures opens captures.lsh.
func OpenCaptures(path string) (*Captures, error) {
	t := new(Captures)
	return t, capturesTable.open(path, &t.file, &t.captureColumns, nil)
}

// Len returns the number of documents.
func (t *Captures) Len() int { return t.input.Len() }

// Input returns the number of the input that contains the page of a document, or NoInput if it was not crawled.
func (t *Captures) Input(id uint32) uint32 {
	if int64(id) >= int64(t.input.Len()) {
		return NoInput
	}
	return t.input.At(int(id))
}

// Rows returns the number of documents that are captures of a URL.
func (t *Captures) Rows() int { return t.hash.Len() }

// At returns row i: the hash of a URL and a document that is a capture of it, or None if the table is damaged.
func (t *Captures) At(i int) (url uint64, document uint32) {
	return t.hash.At(i), below(&t.document, i, t.Len())
}

// Of returns the documents that may be captures of a URL, those with the same hash, in order of ids.
func (t *Captures) Of(url string) []uint32 {
	h := Hash(url)
	from, _ := search(t.hash.Column, h)
	to := from
	for to < t.hash.Len() && t.hash.At(to) == h {
		to++
	}
	return t.document.SliceBelow(from, to, t.Len())
}

var captureSetTable = kind{"captset", 1}

type captureSetColumns struct {
	number numbers64 `lsh:"number,stream"`
}

// CaptureSet is a set of capture numbers in a mapped file. It may be as large as the crawl has captures.
type CaptureSet struct {
	file
	numbers []uint64 // ascending
}

// WriteCaptureSet writes a set and returns its size. each must call add with the encoded numbers of the members,
// big-endian, in ascending order; it may repeat a number.
func WriteCaptureSet(path string, each func(add func(number []byte) error) error) (n int64, err error) {
	var c captureSetColumns
	w := captureSetTable.create(path, &c)
	defer w.Abort()
	last := uint64(0)
	err = each(func(b []byte) error {
		number := binary.BigEndian.Uint64(b)
		if n > 0 && number == last {
			return nil
		}
		last, n = number, n+1
		c.number.Add(number)
		return w.w.Err()
	})
	if err != nil {
		return 0, err
	}
	return n, w.Close()
}

// OpenCaptureSet opens a set.
func OpenCaptureSet(path string) (*CaptureSet, error) {
	var c captureSetColumns
	s := new(CaptureSet)
	if err := captureSetTable.open(path, &s.file, &c, nil); err != nil {
		return nil, err
	}
	s.numbers = c.number.All()
	return s, nil
}

// Has reports whether a capture is in the set. Several goroutines may call it at once.
func (s *CaptureSet) Has(number capture.Number) bool {
	_, ok := slices.BinarySearch(s.numbers, uint64(number))
	return ok
}

// IsText reports whether a capture is in the set as the text that a browser rendered for a page.
func (s *CaptureSet) IsText(number capture.Number) bool { return s.Has(number.OfText()) }

// Len returns the number of captures in the set.
func (s *CaptureSet) Len() int { return len(s.numbers) }
