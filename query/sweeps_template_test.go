package query

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/moved"
)

// templatePage is a page of a shop: 300 words that all pages have, ten words of its own, and the same title.
func templatePage(url string, own uint64) string {
	return sweepPage("https://a.example/"+url, "Catalogue", "", []string{sweepWords(77, 150) + " " + sweepWords(1000+own, 10) + " " + sweepWords(78, 150)})
}

// TestManyOfTemplate lets all pages of a large template go. The newer crawl has as many pages of the same template at
// other URLs, which say nothing: every second of them has the ten words of an old page, the others have new ones. Every
// page that moved must be found, and no other may be mistaken for it, in a time that grows with the pages and not with
// their pairs.
func TestManyOfTemplate(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 600
	}
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
	for old, v := range verdicts(t, sweeps(t, older, newer)) {
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

// TestCopiesEverywhere lets many copies of one text go, of which a few are left at other URLs. No text tells where a copy
// went, and all shingles are in all pages, so that none is rare.
func TestCopiesEverywhere(t *testing.T) {
	text := []string{sweepWords(3, 120)}
	var older, newer []string
	for i := range 400 {
		older = append(older, sweepPage(fmt.Sprintf("https://a.example/licences/package-%d", i), "Licence", "", text))
		if i%4 == 0 {
			newer = append(newer, sweepPage(fmt.Sprintf("https://a.example/texts/package-%d", i), "Licence", "", text))
		}
	}
	wrong := 0
	for old, v := range verdicts(t, sweeps(t, older, newer)) {
		if v != "gone" && v != "moved "+strings.Replace(old, "licences", "texts", 1) {
			wrong++
		}
	}
	if wrong > 8 {
		t.Errorf("%d wrong", wrong)
	}
}

// TestNothingOfTemplate lets all pages of a template go, of one title, and gives the newer crawl as many pages of the
// template with other words. None of them moved, also if all URLs end in the same segment.
func TestNothingOfTemplate(t *testing.T) {
	ns := []int{100, 600, 10_000}
	if testing.Short() {
		ns = ns[:2]
	}
	for _, end := range []string{"", "/view"} {
		for _, n := range ns {
			var older, newer []string
			for i := range n {
				older = append(older, templatePage(fmt.Sprintf("old/item-%05d%s", i, end), uint64(i)))
				newer = append(newer, templatePage(fmt.Sprintf("new/thing-%05d%s", n+i, end), uint64(n+i)))
			}
			all, err := sweeps(t, older, newer).Moves(t.Context())
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
			t.Logf("%d pages, URLs that end in %q: %d wrong, %d of them with a confidence of 0.9 or more", n, end, wrong, sure)
			if wrong > 0 {
				t.Errorf("of %d pages %d are wrong, %d of them with a confidence of 0.9 or more", n, wrong, sure)
			}
		}
	}
}
