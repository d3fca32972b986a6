package text_test

import (
	"context"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// bookList is the URL of a list of books or courses in one language, which it names.
var bookList = regexp.MustCompile(`/free-programming-books/.*/free-[a-z-]+?-([a-z]{2})(_[A-Z]{2}|-cp)?\.md$`)

// codes of what lists name. The words of most lists are titles, of which many are English: that is what is guessed
// then.
var codes = map[string]string{
	"ar": "arabic", "az": "azerbaijani", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
	"el": "greek", "en": "english", "es": "spanish", "et": "estonian", "fa": "persian", "fi": "finnish", "fr": "french", "he": "hebrew", "hi": "hindi", "hu": "hungarian",
	"hy": "armenian", "id": "indonesian", "it": "italian", "ja": "japanese", "kk": "kazakh", "km": "khmer", "kn": "kannada", "ko": "korean", "lv": "latvian", "ml": "malayalam",
	"mr": "marathi", "my": "burmese", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pa": "punjabi", "pl": "polish", "pt": "portuguese", "ro": "romanian",
	"ru": "russian", "si": "sinhala", "sk": "slovak", "sl": "slovenian", "sr": "croatian", "sv": "swedish", "ta": "tamil", "te": "telugu", "th": "thai", "tr": "turkish",
	"uk": "ukrainian", "ur": "urdu", "vi": "vietnamese", "zh": "chinese",
}

// TestLongLanguageOfPages measures the guesses that lab/quality.md reports: for lists that name their language, and for the
// other pages of the directory set, which are in English but for a few.
func TestLongLanguageOfPages(t *testing.T) {
	src, err := crawl.Open(filepath.Join(shareddata.Dir(t, "directory"), "pages.jsonl.gz"), crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	v, err := text.NewVocabulary(text.Analysis{Language: text.Auto, Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	p := text.Parser{Vocabulary: v}
	lists, pages := map[string]int{}, map[string]int{}
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			t.Fatal(err)
		}
		got := p.HTML(page.HTML).Language
		m := bookList.FindStringSubmatch(page.URL)
		if m == nil {
			pages[got]++
			continue
		}
		kind := "another"
		switch want := codes[m[1]]; {
		case want == "":
			t.Errorf("%s: no language %s", page.URL, m[1])
		case got == want:
			kind = "right"
		case got == "" || got == "english":
			kind = "guessed " + got
		default:
			t.Logf("%s: %s", page.URL, got)
		}
		lists[kind]++
	}
	t.Log("lists:", lists)
	for _, l := range slices.Sorted(maps.Keys(pages)) {
		t.Logf("other pages: %6d %q", pages[l], l)
	}
	n := 0
	for l, count := range pages {
		if l != "" && l != "english" {
			n += count
		}
	}
	if lists["right"] < 45 || lists["another"] > 2 || pages[""] > 200 || n > 10 {
		t.Errorf("%d lists right, %d another; %d pages without, %d of another language", lists["right"], lists["another"], pages[""], n)
	}
}
