package text

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/bags"
)

// wordsOf returns the words of a vocabulary with their terms and counts, and empties it.
func wordsOf(t rapid.TB, v *Vocabulary) map[string]uint64 {
	t.Helper()
	out := map[string]uint64{}
	if err := v.Drain(func(term bags.Term, word string, count uint64) error {
		out[fmt.Sprintf("%s %x", word, uint64(term))] += count
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// spoken is a text in a language.
type spoken struct{ language, text string }

// read counts the words of texts, as a parser does, and returns their tally.
func read(t rapid.TB, v *Vocabulary, texts []spoken) *Tally {
	t.Helper()
	tally := new(Tally)
	v.Keep(tally)
	defer v.Keep(nil)
	for _, s := range texts {
		text := []byte(s.text)
		var words []Word
		new(Splitter).Split(text, func(from, to int, lower []byte) {
			words = append(words, Word{From: uint32(from), To: uint32(to), Term: bags.Term(v.meet(lower))})
		})
		v.settle(s.language, words, text)
	}
	return tally
}

// The words of a tally, counted in another vocabulary that may hold words already, give the terms and counts that
// reading the texts again would give.
func TestTally(t *testing.T) {
	word := rapid.SampledFrom([]string{"Databases", "databases", "of", "the", "running", "RUNS", "été", "ÉTÉ", "les", "chats", "größer", "日本", "a1b2", "abcdefghijklmnop", "ABCDEFGHIJKLMNOP"})
	text := rapid.Custom(func(t *rapid.T) spoken {
		s := spoken{language: rapid.SampledFrom([]string{"", "english", "french", "klingon"}).Draw(t, "language")}
		for _, w := range rapid.SliceOfN(word, 0, 40).Draw(t, "words") {
			s.text += w + " "
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a := Analysis{Language: rapid.SampledFrom([]string{Auto, "english"}).Draw(t, "vocabulary"), Stem: true, Stop: "snowball"}
		before, texts := rapid.SliceOf(text).Draw(t, "before"), rapid.SliceOf(text).Draw(t, "texts")
		want, again := vocabulary(t, a), vocabulary(t, a)
		read(t, want, before)
		read(t, again, before)
		tally := read(t, want, texts)
		for _, w := range tally.Words() {
			again.CountIn(again.In(w.Language), tally.Word(w), w.Count)
		}
		if d := cmp.Diff(wordsOf(t, want), wordsOf(t, again)); d != "" {
			t.Fatal(d)
		}
	})
}

func vocabulary(t rapid.TB, a Analysis) *Vocabulary {
	t.Helper()
	v, err := NewVocabulary(a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A tally holds each word of a language once, in lower case, in the order in which they came, and no stop words, such as
// été in French.
func TestTallyOrder(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "snowball"})
	tally := read(t, v, []spoken{{"english", "Cats of the cats, ÉTÉ running CATS"}, {"french", "cats été"}})
	var got []string
	for _, w := range tally.Words() {
		got = append(got, fmt.Sprintf("%s %s %d", w.Language, tally.Word(w), w.Count))
	}
	if d := cmp.Diff([]string{"english cats 3", "english été 1", "english running 1", "french cats 1"}, got); d != "" {
		t.Error(d)
	}
	if tally.Reset(); len(tally.Words()) != 0 {
		t.Errorf("%d words after Reset", len(tally.Words()))
	}
	if v.CountIn(v.In("english"), []byte("dogs"), 3); len(tally.Words()) != 0 {
		t.Error("a word that is counted without a text is in the tally")
	}
}

// Counts end at the greatest number that a slot holds, whether a word is hot or not.
func TestCountInEnds(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "none"})
	l := v.In("english")
	v.CountIn(l, []byte("never"), 0)
	for _, word := range []string{"one", "two"} {
		for range 3 {
			v.CountIn(l, []byte(word), math.MaxUint32/2)
		}
	}
	v.CountIn(l, []byte("three"), 7)
	counts := map[uint64]int{}
	for _, n := range wordsOf(t, v) {
		counts[n]++
	}
	if d := cmp.Diff(map[uint64]int{math.MaxUint32: 2, 7: 1}, counts); d != "" {
		t.Error(d)
	}
}

// A vocabulary that is full drains itself while words are counted, and no count is lost.
func TestCountInDrains(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "none"})
	got, drains := map[string]uint64{}, 0
	v.Bound(0, func() error {
		drains++
		for w, n := range wordsOf(t, v) {
			got[w] += n
		}
		return nil
	})
	l := v.In("english")
	for i := range 3 * minEntries {
		v.CountIn(l, fmt.Appendf(nil, "w%d", i%(2*minEntries)), 2)
	}
	for w, n := range wordsOf(t, v) {
		got[w] += n
	}
	sum := uint64(0)
	for _, n := range got {
		sum += n
	}
	if len(got) != 2*minEntries || sum != 6*minEntries || drains == 0 || v.Err() != nil {
		t.Errorf("%d words, %d times, %d drains, error %v", len(got), sum, drains, v.Err())
	}
}
