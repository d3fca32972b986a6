package tables

import (
	"encoding/binary"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/capture"
)

// TestCaptureSet checks that a set contains the captures that were added, each once.
func TestCaptureSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	numbers := []capture.Number{0, 3, 3, 3, 1 << 40, capture.Number(7).OfLinks(), capture.RowsNumber("https://a.example", 0)}
	n, err := WriteCaptureSet(path, func(add func([]byte) error) error {
		for _, x := range numbers {
			if err := add(binary.BigEndian.AppendUint64(nil, uint64(x))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || n != 5 {
		t.Fatalf("%d captures: %v", n, err)
	}
	s, err := OpenCaptureSet(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, x := range numbers {
		if !s.Has(x) {
			t.Errorf("%d is not in the set", x)
		}
	}
	if s.Len() != 5 || s.Has(1) || s.Has(7) || s.Has(capture.Number(1<<64-1)) || s.Verify() != nil {
		t.Errorf("%d captures", s.Len())
	}
}
