package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
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

// read counts the words of texts, as a parser does, and tallies them as one text.
func read(t rapid.TB, v *Vocabulary, tally *Tally, texts []spoken) {
	t.Helper()
	tally.Reset()
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
}

// recounted returns the words of counts that were added up, as wordsOf does.
func recounted(t rapid.TB, r *Recount, tally *Tally) map[string]uint64 {
	t.Helper()
	out := map[string]uint64{}
	if err := r.Words(tally.AppendWords(nil), func(term bags.Term, word []byte, count uint64) error {
		out[fmt.Sprintf("%s %x", word, uint64(term))] += count
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// The counts of texts, added up again, give the terms and counts that reading the texts again would give, whatever was
// read before.
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
		var tally Tally
		var again Recount
		for range rapid.IntRange(1, 3).Draw(t, "tallies") {
			first, want := vocabulary(t, a), vocabulary(t, a)
			for i, page := range rapid.SliceOf(rapid.SliceOf(text)).Draw(t, "pages") {
				read(t, first, &tally, page)
				counts := tally.AppendCounts(nil)
				for range i % 3 { // a page may be there again, or not at all
					read(t, want, new(Tally), page)
					if err := again.Add(&codec.Decoder{B: counts}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if d := cmp.Diff(wordsOf(t, want), recounted(t, &again, &tally)); d != "" {
				t.Fatal(d)
			}
			tally.Forget()
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

// Words of one language have one number, in lower case, and stop words, such as été in French, have none. Counts follow
// the numbers.
func TestTallyBytes(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "snowball"})
	var tally Tally
	read(t, v, &tally, []spoken{{"english", "Cats of the cats, ÉTÉ running CATS"}, {"french", "cats été"}})
	if d := cmp.Diff([]byte{4, 1, 1, 0, 0, 0}, tally.AppendCounts(nil)); d != "" { // 4 words; cats 3 times, and the others once
		t.Error(d)
	}
	read(t, v, &tally, []spoken{{"english", "été dogs"}})
	if d := cmp.Diff([]byte{2, 1 << 1, 2 << 1}, tally.AppendCounts(nil)); d != "" { // of numbers 1 and 4
		t.Error(d)
	}
	var got []string
	for d := (codec.Decoder{B: tally.AppendWords(nil)}); len(d.B) > 0; {
		d.U64()
		got = append(got, string(d.Bytes()))
	}
	if d := cmp.Diff([]string{"cats", "été", "running", "cats", "dogs"}, got); d != "" || tally.Len() != 5 {
		t.Error(d)
	}
	read(t, v, &tally, []spoken{{"english", "dogs horses"}, {"french", "dogs"}})
	if tally.Drop(); tally.Len() != 5 || !bytes.Equal(tally.AppendCounts(nil), []byte{0}) {
		t.Errorf("%d words after Drop", tally.Len())
	}
	read(t, v, &tally, []spoken{{"english", "sheep cats horses"}})
	if d := cmp.Diff([]byte{3, 0, 4 << 1, 0}, tally.AppendCounts(nil)); d != "" { // of numbers 0, 5 and 6
		t.Error(d)
	}
	if tally.Forget(); tally.Len() != 0 || len(tally.AppendWords(nil)) != 0 || !bytes.Equal(tally.AppendCounts(nil), []byte{0}) {
		t.Errorf("%d words after Forget", tally.Len())
	}
}

// A text with too many words makes a tally full, whatever it held before, and the next text finds it empty. A tally is
// large when many texts are in it.
func TestTallyFull(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "none"})
	many := func(from, n int) []spoken {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "w%d ", from+i)
		}
		return []spoken{{"english", b.String()}}
	}
	var tally Tally
	for i := range 4 {
		read(t, v, &tally, many(i*manyWords/4, manyWords/4))
		if tally.Full() || tally.Large() != (i == 3) {
			t.Fatalf("after %d words: full %v, large %v", tally.Len(), tally.Full(), tally.Large())
		}
	}
	tally.Forget()
	for _, before := range []int{0, manyWords - 1} {
		read(t, v, &tally, many(1<<20, before))
		read(t, v, &tally, many(0, mostWords-1))
		if tally.Full() || tally.Len() >= maxNumber {
			t.Errorf("after %d words, and %d in the text: full, or %d words", before, mostWords-1, tally.Len())
		}
		tally.Forget()
		read(t, v, &tally, many(1<<20, before))
		if read(t, v, &tally, many(0, mostWords)); !tally.Full() || tally.Len() > maxNumber {
			t.Errorf("after %d words, and %d in the text: not full, or %d words", before, mostWords, tally.Len())
		}
		if tally.Reset(); tally.Full() {
			t.Error("full after Reset")
		}
		tally.Forget()
	}
}

// Counts end at the greatest number that there is room for.
func TestRecountEnds(t *testing.T) {
	v := vocabulary(t, Analysis{Language: Auto, Stem: true, Stop: "none"})
	var tally Tally
	read(t, v, &tally, []spoken{{"english", "one two three"}})
	var r Recount
	most := binary.AppendUvarint([]byte{1, 1}, math.MaxUint32)
	for _, b := range [][]byte{most, most, {1, 1<<1 | 1, 5}, {1, 2 << 1}} {
		if err := r.Add(&codec.Decoder{B: b}); err != nil {
			t.Fatal(err)
		}
	}
	counts := map[uint64]int{}
	for _, n := range recounted(t, &r, &tally) {
		counts[n]++
	}
	if d := cmp.Diff(map[uint64]int{math.MaxUint32: 1, 7: 1, 1: 1}, counts); d != "" {
		t.Error(d)
	}
}

// Counts and words that are not what a tally writes are errors, and take no more memory than a tally has.
func TestRecountMalformed(t *testing.T) {
	for _, b := range [][]byte{
		{}, {1}, {2, 2}, {1, 1}, {200, 1},
		binary.AppendUvarint([]byte{1}, maxNumber<<1), binary.AppendUvarint([]byte{1}, math.MaxUint64),
		append(binary.AppendUvarint([]byte{2}, (maxNumber-1)<<1), 0), binary.AppendUvarint([]byte{1, 1}, math.MaxUint32+1),
	} {
		if err := new(Recount).Add(&codec.Decoder{B: b}); !errors.Is(err, codec.ErrMalformed) {
			t.Errorf("%x: %v", b, err)
		}
	}
	for _, words := range [][]byte{nil, make([]byte, 8), append(make([]byte, 8), 3, 'a')} {
		var r Recount
		if err := r.Add(&codec.Decoder{B: []byte{1, 0}}); err != nil {
			t.Fatal(err)
		}
		if err := r.Words(words, func(bags.Term, []byte, uint64) error { return nil }); !errors.Is(err, codec.ErrMalformed) {
			t.Errorf("words %x: %v", words, err)
		}
	}
}
