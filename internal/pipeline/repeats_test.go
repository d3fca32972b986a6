package pipeline

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/extsort"
)

// The captures of a text are repeated if enough URLs have the text, no matter how many captures a URL has.
func TestRepeats(t *testing.T) {
	sorter, err := extsort.New(extsort.Config{Size: 8, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer sorter.Close()
	r := repeats{to: sorter.Appender(), path: filepath.Join(t.TempDir(), "repeats")}
	var want []uint64
	capture := uint64(0)
	add := func(text, url uint64, captures int, repeated bool) {
		for range captures {
			capture++
			rec := binary.BigEndian.AppendUint64(nil, text)
			rec = binary.BigEndian.AppendUint64(rec, url)
			if err := r.add(binary.BigEndian.AppendUint64(rec, capture)); err != nil {
				t.Fatal(err)
			}
			if repeated {
				want = append(want, capture)
			}
		}
	}
	const many = 2*pendingBytes/8 + 5
	for i, text := range []struct {
		urls, captures int
		repeated       bool
	}{{2, many, false}, {repeatURLs, 1, true}, {repeatURLs - 1, many, false}, {repeatURLs + 3, many, true}, {1, 3, false}, {repeatURLs, 3, true}} {
		for url := range text.urls {
			add(uint64(i), uint64(url), text.captures, text.repeated)
		}
	}
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	if err := r.to.Close(); err != nil {
		t.Fatal(err)
	}
	var got []uint64
	err = records(t.Context(), sorter, func(b []byte) error {
		got = append(got, binary.BigEndian.Uint64(b))
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d repeated captures, want %d; %v", len(got), len(want), err)
	}
}
