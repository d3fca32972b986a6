package query

import (
	"slices"
	"testing"
)

// TestSuggest checks that Suggest first returns the URL that differs only in what people often mistype, then others
// by their paths.
func TestSuggest(t *testing.T) {
	c := preset(t, "web")
	c.URLRules = []string{"-www", "-scheme"}
	r := opened(t, c, []string{
		`{"url":"http://www.shop.example/Fruit/Apples","html":"<p>apples"}`, `{"url":"https://shop.example/fruit/pears","html":"<p>pears"}`,
		`{"url":"https://shop.example/fruit","html":"<p>fruit"}`, `{"url":"https://shop.example/nuts/walnuts","html":"<p>walnuts"}`,
		`{"url":"https://other.example/fruit/apples","html":"<p>more apples"}`,
	})
	asked := []string{"https://shop.example/fruit/apples/", "shop.example/fruit/apricots", "https://nowhere.example/fruit", "%"}
	want := [][]string{
		{"http://www.shop.example/Fruit/Apples", "https://shop.example/fruit/pears"},
		{"http://www.shop.example/Fruit/Apples", "https://shop.example/fruit/pears"},
		nil, nil,
	}
	got := r.Suggest(asked, 2)
	for i := range asked {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s: got %q, want %q", asked[i], got[i], want[i])
		}
	}
	if all := r.Suggest(asked[:1], 100); len(all[0]) != 4 {
		t.Errorf("%d documents of the host, want 4: %q", len(all[0]), all[0])
	}
}
