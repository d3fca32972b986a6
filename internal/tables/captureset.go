package tables

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/mapped"
)

// CaptureSet is a set of capture numbers in a mapped file. It may be as large as the crawl has captures.
type CaptureSet struct {
	file
	numbers []uint64 // ascending
}

const captureSetKind, captureSetVersion = "captset", 1

// WriteCaptureSet writes a set and returns its size. each must call add with the encoded numbers of the members,
// big-endian, in ascending order; it may repeat a number.
func WriteCaptureSet(path string, each func(add func(number []byte) error) error) (n int64, err error) {
	w := mapped.Create(path, captureSetKind, captureSetVersion)
	defer w.Abort()
	s := w.Section("number", 8)
	last := uint64(0)
	err = each(func(b []byte) error {
		number := binary.BigEndian.Uint64(b)
		if n > 0 && number == last {
			return nil
		}
		last, n = number, n+1
		s.U64(number)
		return w.Err()
	})
	if err != nil {
		return 0, err
	}
	return n, w.Close()
}

// OpenCaptureSet opens a set.
func OpenCaptureSet(path string) (*CaptureSet, error) {
	f, err := mapped.Open(path, captureSetKind, captureSetVersion)
	if err != nil {
		return nil, err
	}
	numbers, err := mapped.View[uint64](f, "number")
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &CaptureSet{file{f}, numbers.All()}, nil
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
