package runs_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestRedirectsTo checks that the URLs that redirect to a document, directly or in several steps, are found and
// counted.
func TestRedirectsTo(t *testing.T) {
	pages := []string{
		`{"url":"https://a.example/new","html":"<title>new</title><p>one two three four five"}`,
		`{"url":"https://a.example/other","html":"<title>other</title><p>six seven eight nine ten"}`,
		`{"url":"https://a.example/old","redirect":"https://a.example/new","status":301,"time":"2024-01-01T10:00:00Z"}`,
		`{"url":"https://a.example/older","redirect":"https://a.example/old","status":301}`,
		`{"url":"https://a.example/refresh","html":"<meta http-equiv=refresh content='0; url=/new'>"}`,
	}
	for n := range 30 {
		pages = append(pages, fmt.Sprintf(`{"url":"https://b.example/%02d","redirect":"https://a.example/other","status":302}`, n))
	}
	for _, captures := range []config.Captures{"newest", "all"} {
		c := runtest.Preset(t, "web")
		c.Captures = captures
		r := runtest.Opened(t, c, pages)
		of := func(url string, most int) ([]runs.RedirectHere, int) {
			id, err := r.Lookup(url)
			if err != nil {
				t.Fatal(err)
			}
			return runs.RedirectsTo(r, id, most)
		}
		got, all := of("a.example/new", 10)
		want := []runs.RedirectHere{
			{"https://a.example/old", "http", 1, time.Date(2024, 1, 1, 10, 0, 0, 0, time.UTC)},
			{"https://a.example/older", "http", 2, time.Time{}},
			{"https://a.example/refresh", "refresh", 1, time.Time{}},
		}
		if !reflect.DeepEqual(got, want) || all != len(want) {
			t.Errorf("captures %s: %v, %d, want %v", captures, got, all, want)
		}
		some, all := of("a.example/other", 7)
		again, _ := of("a.example/other", 7)
		whole, _ := of("a.example/other", 100)
		if len(some) != 7 || all != 30 || len(whole) != 30 || whole[29].URL != "https://b.example/29" || !reflect.DeepEqual(some, again) {
			t.Errorf("captures %s: %v, %v, %d", captures, some, whole, all)
		}
		if got, all := of("a.example/old", 7); captures == "newest" && (len(got) != 3 || all != 3) {
			t.Errorf("%v, %d", got, all) // a look-up follows the redirect
		}
	}
}
