package runs_test

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestSuggest checks that Suggest first returns the URL that differs only in what people often mistype, then others
// by their paths.
func TestSuggest(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.URLRules = []string{"-www", "-scheme"}
	r := runtest.Opened(t, c, []string{
		`{"url":"http://www.shop.example/Fruit/Apples","html":"<p>apples"}`, `{"url":"https://shop.example/fruit/pears","html":"<p>pears"}`,
		`{"url":"https://shop.example/fruit","html":"<p>fruit"}`, `{"url":"https://shop.example/nuts/walnuts","html":"<p>walnuts"}`,
		`{"url":"https://other.example/fruit/apples","html":"<p>more apples"}`,
	})
	asked := []string{"https://shop.example/fruit/apples/", "shop.example/fruit/apricots", "https://nowhere.example/fruit", "%", "shop.example/nutz/walnuts", "https://shpo.example/fruit", "https://sop.example", "https://othr.example/fruit/apple"}
	want := [][]string{
		{"http://www.shop.example/Fruit/Apples", "https://shop.example/fruit/pears"},
		{"http://www.shop.example/Fruit/Apples", "https://shop.example/fruit/pears"},
		nil, nil,
		{"https://shop.example/nuts/walnuts", "https://shop.example/fruit/pears"},
		{"https://shop.example/fruit", "https://shop.example/fruit/pears"},
		{"https://shop.example/fruit", "https://shop.example/fruit/pears"},
		{"https://other.example/fruit/apples"},
	}
	got := runs.Suggest(r, asked, 2)
	for i := range asked {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s: got %q, want %q", asked[i], got[i], want[i])
		}
	}
	if all := runs.Suggest(r, asked[:1], 100); len(all[0]) != 4 {
		t.Errorf("%d documents of the host, want 4: %q", len(all[0]), all[0])
	}
}

// TestComplete checks that few URLs are completed whole, many by segments and more by characters, with a scheme and without,
// and that no way contains what a shell would obey.
func TestComplete(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), []string{
		`{"url":"https://a.example/x/1","html":"<p>one"}`, `{"url":"https://a.example/x/2","html":"<p>two"}`,
		`{"url":"https://a.example/yes","html":"<p>three"}`, `{"url":"https://b.example/$(reboot)","html":"<p>four"}`,
		`{"url":"https://hats.example/","html":"<p>five"}`, `{"url":"https://c.example/z?a=1","html":"<p>six"}`,
	})
	for _, c := range []struct {
		begun string
		n     int
		want  []string
		cut   bool
	}{
		{"", 9, []string{"https://a.example/x/1", "https://a.example/x/2", "https://a.example/yes", "https://c.example/z?a=1", "https://hats.example"}, false},
		{"http", 4, []string{"https://a.example/", "https://c.example/", "https://hats.example"}, true},
		{"https://", 1, []string{"https://a"}, true}, // and https://c, the second of two
		{"https://a.example/", 2, []string{"https://a.example/x/", "https://a.example/yes"}, true},
		{"https://a.example/x/1", 2, []string{"https://a.example/x/1"}, false},
		{"a.example/x", 2, []string{"a.example/x/1", "a.example/x/2"}, false},
		{"hats", 2, []string{"hats.example"}, false},
		{"b.example/", 2, nil, false},
	} {
		if got, cut := runs.Complete(r, c.begun, c.n); !slices.Equal(got, c.want) || cut != c.cut {
			t.Errorf("%q, at most %d: got %q, %v; want %q, %v", c.begun, c.n, got, cut, c.want, c.cut)
		}
	}
}
