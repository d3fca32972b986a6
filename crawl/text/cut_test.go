package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/bags"
)

// sameWords fails if the words of the parser differ from those of the Splitter, wherever in the text the cut begins.
func sameWords(t *testing.T, p *Parser, s []byte, from int) {
	t.Helper()
	var want []Word
	var split Splitter
	split.Split(s[from:], func(begin, end int, lower []byte) {
		w := Word{From: uint32(from + begin), To: uint32(from + end)}
		if len(lower) <= MaxWord {
			w.Term = bags.Term(hashWord(lower))
		}
		want = append(want, w)
	})
	if d := cmp.Diff(want, p.cut(nil, s, from)); d != "" {
		t.Fatalf("%q from %d: %s", s, from, d)
	}
}

func TestCut(t *testing.T) {
	p := parser(t)
	const s = "A b  Abcdefg Abcdefgh abcdefghI 0123456789abcdef 0123456789abcdefg don't it’s x' 'y é été naïve abcdefgh'é 中文 a中文b @[`{/:09AZaz " +
		"x234567890123456789012345678901234567890123456789012345678901234 x2345678901234567890123456789012345678901234567890123456789012345 \xff\x00 end"
	for from := range s {
		for _, to := range []int{from, min(from+7, len(s)), len(s)} {
			sameWords(t, p, []byte(s[:to]), from)
		}
	}
}

// FuzzCut compares the fast way to words with the Splitter.
func FuzzCut(f *testing.F) {
	f.Add([]byte("Don't panic, it's 3.14 été 中文分词 ok 字"), uint8(0))
	f.Add([]byte("abcdefghi0123456789ABCDEFGHIJ'k"), uint8(3))
	p := parser(f)
	f.Fuzz(func(t *testing.T, s []byte, from uint8) {
		sameWords(t, p, s, min(int(from), len(s)))
		if p.Vocabulary.Full() {
			p = parser(t)
		}
	})
}

// Keys of ASCII words are those of their lower-case forms, up to the longest word that has a term.
func TestPlainWord(t *testing.T) {
	const s = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz0123456789"
	for n := 1; n <= len(s); n++ {
		key, to := plainWord([]byte(s[:n]+"."), 0)
		want := hashWord(lowerASCII(nil, []byte(s[:n])))
		if n > MaxWord {
			want = 0
		}
		if key != want || to != n {
			t.Errorf("%d bytes: key %x to %d, want %x", n, key, to, want)
		}
	}
}
