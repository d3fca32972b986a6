package pipeline

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/lshclust/lshclust/internal/mapped"
)

// captureSet is a set of capture numbers in a mapped file. It may be as large as the number of captures of the crawl.
type captureSet struct {
	f       *mapped.File
	numbers []uint64 // ascending
}

const captureSetKind, captureSetVersion = "captset", 1

// writeCaptureSet writes a set. each calls number with the members, big-endian, in ascending order, repeats allowed. It returns the
// size of the set.
func writeCaptureSet(path string, each func(number func(b []byte) error) error) (n int64, err error) {
	w, err := mapped.Create(path, captureSetKind, captureSetVersion)
	if err != nil {
		return 0, err
	}
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

func openCaptureSet(path string) (*captureSet, error) {
	f, err := mapped.Open(path, captureSetKind, captureSetVersion)
	if err != nil {
		return nil, err
	}
	numbers, err := f.U64("number")
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &captureSet{f, numbers.All()}, nil
}

// has tells whether a capture is in the set. It may be called by several goroutines at once.
func (s *captureSet) has(number uint64) bool {
	_, ok := slices.BinarySearch(s.numbers, number)
	return ok
}

func (s *captureSet) len() int { return len(s.numbers) }

func (s *captureSet) close() error { return s.f.Close() }
