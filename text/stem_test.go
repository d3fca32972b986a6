package text

import (
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
	"pgregory.net/rapid"
)

func checkOwnStem(t interface{ Fatalf(string, ...any) }, word string) {
	if ownStem(word) {
		if stem := english.Stem(word, true); stem != word {
			t.Fatalf("the stem of %q is %q", word, stem)
		}
	}
}

// Every suffix of the stemmer and its special words, before and behind other letters.
func TestOwnStem(t *testing.T) {
	if !ownStem("video") || !ownStem("x86") || !ownStem("2019") || ownStem("café") || ownStem("don't") || ownStem("") || ownStem("Video") || ownStem("words") {
		t.Error("ownStem does not tell words apart")
	}
	suffixes := strings.Fields(`sses ied ies us ss s eedly ingly edly eed ing ed at bl iz y tional enci anci abli entli izer ization ational ation ator
		alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able
		ible ant ement ment ent ism ate iti ous ive ize ion sion tion e l skis skies dying lying tying idly gently ugly early only singly sky news howe atlas
		cosmos bias andes inning outing canning herring earring proceed exceed succeed gener commun arsen`)
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.StringOfN(rapid.SampledFrom([]rune("abcdefghijklmnopqrstuvwxyz0123456789")), 0, 6, -1)
		suffix := rapid.SampledFrom(append(suffixes, ""))
		word := letter.Draw(t, "before") + suffix.Draw(t, "suffix") + suffix.Draw(t, "second") + letter.Draw(t, "behind")
		checkOwnStem(t, word)
	})
	for _, a := range suffixes {
		for _, before := range []string{"", "x", "hop", "yay", "relat"} {
			for last := range lastOfStem {
				checkOwnStem(t, before+a+string(rune(last)))
			}
		}
	}
}

func FuzzOwnStem(f *testing.F) {
	f.Add("yoyo")
	f.Add("x264")
	f.Fuzz(func(t *testing.T, word string) { checkOwnStem(t, word) })
}

// BenchmarkNewWords reads words of the kinds that a crawl is full of, each of them new, and reports the time for one.
func BenchmarkNewWords(b *testing.B) {
	kinds := strings.Fields("relationships hopping video agreed x264 github monitoring database 2019 fastapi indexes kubernetes bb8f generalize web")
	var text []byte
	for i := range 400 * len(kinds) {
		text = append(text, 'a'+byte(i%26), 'a'+byte(i/26%26), 'a'+byte(i/676%26))
		text = append(append(text, kinds[i%len(kinds)]...), ' ')
	}
	for b.Loop() {
		v, err := NewVocabulary(Analysis{Language: "english", Stem: true, Stop: "snowball"})
		if err != nil {
			b.Fatal(err)
		}
		p := Parser{Vocabulary: v}
		p.Plain(text)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*400*len(kinds)), "ns/word")
}
