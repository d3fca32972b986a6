package pipeline

import (
	"encoding/binary"
	"slices"
	"testing"
)

// TestRepeats checks that the captures of a text are repeated if enough URLs have the text, however many captures a
// URL has.
func TestRepeats(t *testing.T) {
	const many = 100
	var shorts []byte
	var got, want []uint64
	capture := uint64(0)
	for i, text := range []struct {
		urls, captures int
		repeated       bool
	}{{2, many, false}, {repeatURLs, 1, true}, {repeatURLs - 1, many, false}, {repeatURLs + 3, many, true}, {1, 3, false}, {repeatURLs, 3, true}} {
		for n := range text.urls * text.captures {
			capture++
			for _, x := range []uint64{uint64(i), uint64(n / text.captures), capture} {
				shorts = binary.BigEndian.AppendUint64(shorts, x)
			}
			if text.repeated {
				want = append(want, capture)
			}
		}
	}
	err := eachRepeated(t.Context(), shorts, func(b []byte) error {
		got = append(got, binary.BigEndian.Uint64(b))
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d repeated captures, want %d; %v", len(got), len(want), err)
	}
}
