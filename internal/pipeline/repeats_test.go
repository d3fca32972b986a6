package pipeline

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/extsort"
)

// TestRepeats checks that the captures of a text are repeated if enough URLs have the text, however many captures a
// URL has.
func TestRepeats(t *testing.T) {
	const many = 2*pendingBytes/8 + 5
	var got, want []uint64
	err := sortOne(t.Context(), extsort.Config{Size: 8, Dir: t.TempDir()}, func(to *extsort.Appender) error {
		r := repeats{out: to, path: filepath.Join(t.TempDir(), "repeats")}
		defer r.begin()
		capture := uint64(0)
		for i, text := range []struct {
			urls, captures int
			repeated       bool
		}{{2, many, false}, {repeatURLs, 1, true}, {repeatURLs - 1, many, false}, {repeatURLs + 3, many, true}, {1, 3, false}, {repeatURLs, 3, true}} {
			for n := range text.urls * text.captures {
				capture++
				rec := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(i)), uint64(n/text.captures))
				if err := r.add(binary.BigEndian.AppendUint64(rec, capture)); err != nil {
					return err
				}
				if text.repeated {
					want = append(want, capture)
				}
			}
		}
		return nil
	}, func(each eachRecordFunc) error {
		return each(func(b []byte) error {
			got = append(got, binary.BigEndian.Uint64(b))
			return nil
		})
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d repeated captures, want %d; %v", len(got), len(want), err)
	}
}
