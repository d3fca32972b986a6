package tables

import (
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/internal/capture"
)

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
