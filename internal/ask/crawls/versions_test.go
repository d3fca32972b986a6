package crawls

import (
	"fmt"
	"maps"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestVersionsIntroduced has a site whose pages moved below three versions with the same texts, and one of a version that
// moved with it.
func TestVersionsIntroduced(t *testing.T) {
	var older, newer []string
	want := map[string]string{}
	for i := range 6 {
		name, text := fmt.Sprintf("page%d", i), []string{runtest.MadeWords(uint64(i), 80)}
		older = append(older, runtest.SitePage("https://a.example/docs/"+name, "Topic "+name, "2023-01-01T00:00:00Z", text))
		for _, version := range []string{"v1", "v2", "latest"} {
			newer = append(newer, runtest.SitePage("https://a.example/docs/"+version+"/"+name, "Topic "+name, "2024-01-01T00:00:00Z", text))
		}
		want["https://a.example/docs/"+name] = "moved https://a.example/docs/latest/" + name
	}
	if got := verdicts(t, twoCrawls(t, older, newer)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestMergedIntoNew has two pages whose texts one new page has, and a third that is gone.
func TestMergedIntoNew(t *testing.T) {
	long, short := runtest.MadeWords(1, 400), runtest.MadeWords(2, 120)
	older := []string{
		runtest.SitePage("https://a.example/index", "Index of entities", "2023-01-01T00:00:00Z", []string{long}),
		runtest.SitePage("https://a.example/architecture", "Architecture", "2023-01-01T00:00:00Z", []string{short}),
		runtest.SitePage("https://a.example/other", "Other", "2023-01-01T00:00:00Z", []string{runtest.MadeWords(3, 120)}),
	}
	newer := []string{runtest.SitePage("https://a.example/core/entity", "Index of entities", "2024-01-01T00:00:00Z", []string{long, short}), runtest.SitePage("https://a.example/new", "New", "2024-01-01T00:00:00Z", []string{runtest.MadeWords(4, 90)})}
	older = append(older, sitePages("https://a.example/s", "2023-01-01T00:00:00Z", "Footer.", 8)...)
	newer = append(newer, sitePages("https://a.example/s", "2024-01-01T00:00:00Z", "Footer.", 8)...)
	want := map[string]string{"https://a.example/index": "moved https://a.example/core/entity", "https://a.example/architecture": "merged into https://a.example/core/entity", "https://a.example/other": "gone"}
	if got := verdicts(t, twoCrawls(t, older, newer)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
