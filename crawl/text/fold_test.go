package text

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// slowFolded is appendFolded byte by byte.
func slowFolded(dst, s []byte, due bool) ([]byte, bool) {
	for _, c := range s {
		switch {
		case c == 0:
		case c <= ' ':
			due = true
		default:
			if due && len(dst) > 0 && dst[len(dst)-1] != '\n' {
				dst = append(dst, ' ')
			}
			dst, due = append(dst, c), false
		}
	}
	return dst, due
}

func TestAppendFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "bc", "word", "eightway", "é", "\x7f", "\xff", " ", " ", "  ", "\n", "\r\n", "\t", "\x00", "\x1f"})
		dst := []byte(rapid.SampledFrom([]string{"", "x", "x\n"}).Draw(t, "dst"))
		var page []byte
		for range rapid.IntRange(0, 40).Draw(t, "pieces") {
			page = append(page, piece.Draw(t, "piece")...)
		}
		from := rapid.IntRange(0, len(page)).Draw(t, "from")
		s := page[from:rapid.IntRange(from, len(page)).Draw(t, "to")] // the following bytes are not part of it
		if rapid.Bool().Draw(t, "clipped") {
			s = bytes.Clone(s)[:len(s):len(s)]
		}
		due := rapid.Bool().Draw(t, "due")
		want, wantDue := slowFolded(bytes.Clone(dst), s, due)
		if got, gotDue := appendFolded(nil, dst, s, due); !bytes.Equal(got, want) || gotDue != wantDue {
			t.Fatalf("%q %v, want %q %v", got, gotDue, want, wantDue)
		}
	})
}
