package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl/text"
)

// A parser without a vocabulary finds the same text, words, links and language, but no terms.
func TestWithoutVocabulary(t *testing.T) {
	for _, language := range []string{text.Auto, "english"} {
		v, err := text.NewVocabulary(text.Analysis{Language: language, Stem: true, Stop: "snowball"})
		if err != nil {
			t.Fatal(err)
		}
		with, without := text.Parser{Vocabulary: v}, text.Parser{Guessing: language == text.Auto}
		for _, page := range []string{
			`<html lang=en><title>The title of it</title><h1>Les pages</h1><p>This is the text of a page, with <a href=/x>Links</a> and L'été naïf`,
			"<p>Это текст, который не на английском, как и это", "<p>中文 的 文字", "", "<p>abc",
		} {
			sameButTerms(t, with.HTML([]byte(page)), without.HTML([]byte(page)))
			words := without.TitleWords()
			if len(words) != len(with.TitleWords()) {
				t.Errorf("%d words in the title of %q", len(words), page)
			}
			noTerms(t, words)
			sameButTerms(t, with.Plain([]byte(page)), without.Plain([]byte(page)))
		}
		with.Language = "english"
		doc := without.Link("the words before", "Anchor", "and after")
		noTerms(t, doc.Words)
		if want := with.Link("the words before", "Anchor", "and after"); string(doc.Text) != string(want.Text) || len(doc.Words) != len(want.Words) {
			t.Errorf("%q, want %q", doc.Text, want.Text)
		}
		if l := without.Guess([]byte("this is the language of it")); l != "" {
			t.Errorf("guessed %s", l)
		}
	}
}

func sameButTerms(t *testing.T, with, without *text.Doc) {
	t.Helper()
	noTerms(t, without.Words)
	for i := range with.Words {
		with.Words[i].Term = 0
	}
	if d := cmp.Diff(with, without); d != "" {
		t.Error(d)
	}
}

func noTerms(t *testing.T, words []text.Word) {
	t.Helper()
	for _, w := range words {
		if w.Term != 0 {
			t.Errorf("the word at %d has a term", w.From)
		}
	}
}
