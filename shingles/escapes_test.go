package shingles

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEscapesInBlocks puts escapes of all kinds at all places of blocks, next to words and to each other: the shingles must
// be those of the text that they stand for.
func TestEscapesInBlocks(t *testing.T) {
	plain, escaped, r := newScanner(t, 3), newScanner(t, 3), rand.New(rand.NewPCG(3, 4))
	pieces := []string{"word", "A", " ", `\n`, `\\`, `\"`, `\/`, `\t`, `\u0061`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "é", "—", "日本", `\q`, `\u12`, `\`, "a longer run of words "}
	for range 20000 {
		raw := strings.Repeat("x", r.IntN(70))
		for range r.IntN(40) {
			raw += pieces[r.IntN(len(pieces)-r.IntN(2)*11)]
		}
		var a, b Set
		text, _ := AppendUnescaped(nil, []byte(raw))
		want := plain.Scan(&a, text)
		if got := escaped.ScanJSON(&b, []byte(raw)); got != want {
			t.Fatalf("%q: %+v, want %+v", raw, got, want)
		}
	}
}
