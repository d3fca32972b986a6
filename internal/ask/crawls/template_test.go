package crawls

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// templatePage is a page of a shop: 300 words that all pages have, ten words of its own, and the same title.
func templatePage(url string, own uint64) string {
	return runtest.SitePage("https://a.example/"+url, "Catalogue", "", []string{runtest.MadeWords(77, 150) + " " + runtest.MadeWords(1000+own, 10) + " " + runtest.MadeWords(78, 150)})
}

// TestManyOfTemplate removes all pages of a large template. The newer crawl has as many pages of the same template at
// other URLs, which say nothing: every second of them has the ten words of an old page, the others have new ones.
// Every page that moved must be found, and no other may be mistaken for it, in a time that grows with the pages and
// not with their pairs.
func TestManyOfTemplate(t *testing.T) { manyOfTemplate(t, 400) }

// manyOfTemplate is TestManyOfTemplate with n pages.
func manyOfTemplate(t *testing.T, n int) {
	t.Helper()
	places := rand.New(rand.NewPCG(5, 6)).Perm(n)
	var older, newer []string
	for i := range n {
		older = append(older, templatePage(fmt.Sprintf("old/item-%05d", i), uint64(i)))
		own := i
		if i%2 == 1 {
			own += n
		}
		newer = append(newer, templatePage(fmt.Sprintf("new/thing-%05d", places[i]), uint64(own)))
	}
	wrong, missed := 0, 0
	for old, v := range verdicts(t, twoCrawls(t, older, newer)) {
		var i int
		fmt.Sscanf(old[strings.LastIndexByte(old, '-')+1:], "%d", &i)
		want := fmt.Sprintf("moved https://a.example/new/thing-%05d", places[i])
		switch {
		case v == "gone" && i%2 == 0:
			missed++
		case v != "gone" && (v != want || i%2 == 1):
			wrong++
		}
	}
	if wrong > n/200 || missed > n/200 {
		t.Errorf("%d wrong and %d missed of %d", wrong, missed, n)
	}
}

// TestCopiesEverywhere removes many copies of one text, a few of which remain at other URLs. The text does not tell
// where a copy went, and no shingle is rare, because all are in all pages.
func TestCopiesEverywhere(t *testing.T) {
	text := []string{runtest.MadeWords(3, 120)}
	var older, newer []string
	for i := range 400 {
		older = append(older, runtest.SitePage(fmt.Sprintf("https://a.example/licences/package-%d", i), "Licence", "", text))
		if i%4 == 0 {
			newer = append(newer, runtest.SitePage(fmt.Sprintf("https://a.example/texts/package-%d", i), "Licence", "", text))
		}
	}
	wrong := 0
	for old, v := range verdicts(t, twoCrawls(t, older, newer)) {
		if v != "gone" && v != "moved "+strings.Replace(old, "licences", "texts", 1) {
			wrong++
		}
	}
	if wrong > 8 {
		t.Errorf("%d wrong", wrong)
	}
}

// TestNothingOfTemplate removes all pages of a template, and gives the newer crawl as many pages of the template. The
// words outside the template come from a small vocabulary, so that some bags have the same few terms by chance. None
// of the pages moved, and neither their common title nor the common last segment of their URLs may suggest that they
// did.
func TestNothingOfTemplate(t *testing.T) { nothingOfTemplate(t, 600, 100, "/view") }

// nothingOfTemplate is TestNothingOfTemplate with n pages, words from a vocabulary, and URLs with some ends.
func nothingOfTemplate(t *testing.T, n, vocabulary int, ends ...string) {
	t.Helper()
	for _, end := range ends {
		r := rand.New(rand.NewPCG(3, 9))
		page := func(url string) string {
			var own []string
			for range 10 {
				own = append(own, runtest.MadeWords(50_000+r.Uint64N(uint64(vocabulary)), 1))
			}
			text := runtest.MadeWords(77, 150) + " " + strings.Join(own, " ") + " " + runtest.MadeWords(78, 150)
			return runtest.SitePage("https://a.example/"+url+end, "Catalogue", "", []string{text})
		}
		var older, newer []string
		for i := range n {
			older = append(older, page(fmt.Sprintf("old/item-%05d", i)))
			newer = append(newer, page(fmt.Sprintf("new/thing-%05d", n+i)))
		}
		all, err := twoCrawls(t, older, newer).Moves(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wrong, sure := 0, 0
		for _, v := range all {
			if v.Kind != moved.Gone {
				wrong++
				if v.Confidence >= 0.9 {
					sure++
				}
			}
		}
		t.Logf("URLs that end in %q: %d wrong, %d of them with a confidence of 0.9 or more", end, wrong, sure)
		if wrong > n/2000 || sure > 0 {
			t.Errorf("of %d pages whose URLs end in %q, %d are wrong, %d of them with a confidence of 0.9 or more", n, end, wrong, sure)
		}
	}
}

func TestLongManyOfTemplate(t *testing.T) { manyOfTemplate(t, 4000) }

// TestLongNothingOfTemplate is TestNothingOfTemplate with more pages; with LSHCLUST_TABLES=1, as many as docs/quality.md
// says.
func TestLongNothingOfTemplate(t *testing.T) {
	n := 1200
	if os.Getenv("LSHCLUST_TABLES") != "" {
		n = 10_000
	}
	nothingOfTemplate(t, n, 300, "", "/view")
}
