package text_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/kljensen/snowball/english"
	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/text"
)

func englishTerms(t testing.TB, stop string) *text.Vocabulary {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: stop})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sameStem compares the term of a word with the stem of the library. A stop word has no term.
func sameStem(t testing.TB, word string, got bags.Term) {
	t.Helper()
	if want := bags.Term(xxh3.HashString(english.Stem(word, true))); got != want {
		t.Errorf("%q: term %x, want %x of the stem %q", word, got, want, english.Stem(word, true))
	}
}

// TestLongEnglishStemsOfPages compares the terms of the words of the shared pages with the stems of the library.
func TestLongEnglishStemsOfPages(t *testing.T) {
	words := 0
	for _, path := range []string{"directory/pages.jsonl.gz", "docs/pages.jsonl.gz", "neardup-rfc/docs.jsonl.gz", "neardup-manuals/docs.jsonl.gz", "neardup-npm-licences/docs.jsonl.gz"} {
		v := englishTerms(t, "none")
		p := text.Parser{Vocabulary: v}
		src, err := crawl.Open(filepath.Join(shareddata.Dir(t, filepath.Dir(path)), filepath.Base(path)), crawl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		for rec, err := range src.Records(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			page, err := rec.Page()
			if err != nil {
				t.Fatal(err)
			}
			p.HTML(page.HTML)
			p.HTML(page.Text)
		}
		if err := v.Drain(func(term bags.Term, word string, _ uint64) error {
			words++
			sameStem(t, word, term)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d words", words); words < 100_000 {
		t.Errorf("only %d words", words)
	}
}

// TestEnglishStems compares made-up words with the stems of the library: beginnings of every kind with all suffixes, up
// to two in a row.
func TestEnglishStems(t *testing.T) {
	suffixes := []string{
		"", "s", "ss", "us", "sses", "ied", "ies", "'s", "ed", "edly", "ing", "ingly", "eed", "eedly", "at", "bl", "iz", "bb", "tt",
		"y", "ly", "li", "ational", "fulness", "iveness", "ization", "ousness", "biliti", "lessli", "tional", "alism", "aliti",
		"ation", "entli", "fulli", "iviti", "ousli", "anci", "abli", "alli", "ator", "enci", "izer", "bli", "logi", "ogi", "alize",
		"icate", "ative", "iciti", "ical", "ful", "ness", "ement", "ance", "ence", "able", "ible", "ment", "ent", "ant", "ism",
		"ate", "iti", "ous", "ive", "ize", "sion", "tion", "ion", "al", "er", "ic", "e", "l", "ll",
	}
	begins := []string{
		"", "a", "y", "yy", "ay", "by", "gener", "commun", "arsen", "tr", "hop", "how", "fix", "ski", "inn", "proc", "succeed",
		"beaut", "rational", "condit", "electr", "x1", "42", "yoyo", "sayy", "ée", "don't", "bb", "control",
	}
	v := englishTerms(t, "none")
	for _, b := range begins {
		for _, x := range suffixes {
			for _, y := range suffixes {
				if word := b + x + y; word != "" && len(word) < text.MaxWord {
					sameStem(t, word, v.Term([]byte(word)))
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		word := make([]byte, 1+random.IntN(9))
		for i := range word {
			word[i] = "aeiouybdglnrstwx"[random.IntN(16)]
		}
		sameStem(t, string(word), v.Term(word))
	}
}

func FuzzEnglishStems(f *testing.F) {
	for _, word := range []string{"skies", "generously", "yearly", "hoping", "x"} {
		f.Add([]byte(word))
	}
	f.Fuzz(func(t *testing.T, word []byte) {
		for i := range word {
			word[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[word[i]%36]
		}
		if len(word) > 0 && len(word) < text.MaxWord {
			sameStem(t, string(word), englishTerms(t, "none").Term(word))
		}
	})
}
