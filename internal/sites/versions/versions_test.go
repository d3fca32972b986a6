package versions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	want := []string{"v0.9", "1.0", "1.2", "1.10", "v2.0-rc1", "v2.0", "2.0.1", "10_1", "12-branch", "lts", "latest", "", "current", "stable", "main", "next", "nightly"}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, Compare)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFind(t *testing.T) {
	var urls []string
	for _, v := range []string{"/1.0", "/1.1", "/2.0b1", "/dev"} {
		for _, p := range []string{"ref", "ref/a.html", "guide", "faq"} {
			urls = append(urls, "https://docs.example.org/en"+v+"/"+p)
		}
	}
	for i := range 40 { // neither users nor parts of a list nor years are versions
		for _, p := range []string{"posts", "about", "files"} {
			urls = append(urls, fmt.Sprintf("https://example.org/users/%d/%s", i, p), fmt.Sprintf("https://example.org/%d/%s", 1990+i, p))
		}
		urls = append(urls, fmt.Sprintf("https://example.org/page/%d", i))
	}
	sites, places := Find(urls)
	want := Site{"https://docs.example.org/en/*", []string{"1.0", "1.1", "2.0b1", "dev"}, "1.1"}
	if len(sites) != 1 || sites[0].Name != want.Name || sites[0].Kept != want.Kept || !slices.Equal(sites[0].Versions, want.Versions) {
		t.Fatalf("got %q, want %q", sites, want)
	}
	if len(places) != 16 {
		t.Errorf("%d places, want 16", len(places))
	}
	if got := places["https://docs.example.org/en/1.1/ref/a.html"]; got != (Place{want.Name, "1.1", "ref/a.html"}) {
		t.Errorf("got %q", got)
	}

	// Pages without a version belong to the site if it has them with one.
	urls = append(urls[:16], "https://docs.example.org/en/ref", "https://docs.example.org/en/guide", "https://docs.example.org/en/faq", "https://docs.example.org/en/news")
	sites, places = Find(urls)
	if len(sites) != 1 || sites[0].Kept != "" || len(places) != 19 {
		t.Errorf("got %q and %d places, want 19", sites, len(places))
	}
}
