package pages

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/serve/api"
)

// TestBreaks checks that lines break after slashes, and that text that looks like HTML stays text.
func TestBreaks(t *testing.T) {
	if got, want := breaks("a.example/b/<i>//c & d/"), "a.example/<wbr>b/&lt;i&gt;//c &amp; d/"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOut(t *testing.T) {
	for _, link := range []string{"https://a.example/b?c#d", "http://a.example"} {
		if out(link) != link {
			t.Errorf("%s is not linked to", link)
		}
	}
	for _, link := range []string{"", "javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "//a.example", "/b", "https:", "https:///x", "ftp://a.example", "HTTPS//x", "https://a b\x00"} {
		if to := out(link); to != "" {
			t.Errorf("%q is linked to as %s", link, to)
		}
	}
}

func TestShort(t *testing.T) {
	for link, want := range map[string]string{
		"https://www.a.example/": "a.example", "http://a.example/%C3%A4%22%2Fb": "a.example/ä%22%2Fb", "https://a.example/%E2%80%AEx": "a.example/%E2%80%AEx", "a name": "a name",
		"https://a.example/%C3": "a.example/%C3",
	} {
		if got := short(link); got != want {
			t.Errorf("%s: %s, want %s", link, got, want)
		}
	}
	if got := short("https://a.example/" + strings.Repeat("x", 200) + "/end"); len([]rune(got)) > shortest || !strings.HasSuffix(got, "/end") || !strings.Contains(got, "…") {
		t.Errorf("%s", got)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := count(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0.00", 0.001: "<0.01", 0.5: "0.50", 0.999: "0.99", 1: "1.00"} {
		if got := figure(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	for n, want := range map[int64]Amount{0: "0 bytes", 999: "999 bytes", 1000: "1 KB", 999_999: "1 MB", 25_610_981: "25.6 MB"} {
		if got := amount(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for s, want := range map[float64]Amount{0.004: "4 ms", 12.34: "12.3 s", 61: "1 min 1 s", 7261: "2 h 1 min"} {
		if got := seconds(s); got != want {
			t.Errorf("%v: %s, want %s", s, got, want)
		}
	}
}

// TestHeading checks that a very long name is cut.
func TestHeading(t *testing.T) {
	if got := heading(strings.Repeat("x", 5000), "https://a.example"); len([]rune(got)) != longestName+1 {
		t.Errorf("%d letters", len([]rune(got)))
	}
	if got := heading("https://a.example/b", "https://a.example/b"); got != "a.example/b" {
		t.Errorf("%s", got)
	}
}

// TestSeparators checks that the dots between words are outside of the words, whose direction of writing they would take.
func TestSeparators(t *testing.T) {
	var b strings.Builder
	if err := templates()["page"].ExecuteTemplate(&b, "words", []string{"א", "b"}); err != nil || b.String() != "<bdi>א</bdi> · <bdi>b</bdi>" {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// TestLinks checks that links keep the run and omit empty parameters, and that a report may lack them.
func TestLinks(t *testing.T) {
	site := Site{Runs: []string{"a", "b"}, Place: Served}
	for got, want := range map[string]string{
		site.Links("a").Page("https://x.example/?a=b&c"): "/page?url=https%3A%2F%2Fx.example%2F%3Fa%3Db%26c",
		site.Links("b").Explain("x", "y"):                "/explain?a=x&b=y&run=b", site.Links("").Cluster("topical", "00"): "/cluster?id=00", site.Links("").Cluster("syntactic", "00"): "/cluster?id=00&view=syntactic",
		site.Links("b").JSON("cluster", "id", "a/b", "view", "topical"): "/v1/cluster/a%2Fb?run=b&view=topical", site.Links("").Compare(""): "/compare", site.Links("").To("/"): "/",
		Site{Place: func(string, url.Values) string { return "" }}.Links("").Host("x"): "",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestPortion checks that the links of a long list lead to all of its rows, that a list of one page has none, and that those
// of a short list lead to each page.
func TestPortion(t *testing.T) {
	for _, n := range []int{1, 60, 61, 540, 20_000} {
		next, seen := []string{""}, map[int]bool{}
		for asked := map[string]bool{}; len(next) > 0; next = next[1:] {
			if asked[next[0]] {
				continue
			}
			asked[next[0]] = true
			args, err := All()[slices.IndexFunc(All(), func(p *Page) bool { return p.Name == "topics" })].Parse(next[0])
			if err != nil {
				t.Fatal(err)
			}
			rows, p := (&Question{Links: Site{Place: Served}.Links(""), Args: args}).portion(n, 60, "/topics", "label", "x")
			if rows.Limit != 60 || p.First != rows.From+1 || p.All != n || len(p.Links) == 0 != (n <= 60) {
				t.Fatalf("%+v, %+v", rows, p)
			}
			if pages := (n + 59) / 60; pages > 1 && pages < 10 && len(p.Links) != pages {
				t.Errorf("%d links to %d pages", len(p.Links), pages)
			}
			for i := range p.Last - rows.From {
				seen[rows.From+i] = true
			}
			for _, l := range p.Links {
				_, query, _ := strings.Cut(l.To, "?")
				next = append(next, query)
			}
		}
		if len(seen) != n {
			t.Errorf("%d rows of %d", len(seen), n)
		}
	}
}

// TestPagesAreWhole checks that every page has a template and its own path.
func TestPagesAreWhole(t *testing.T) {
	paths := map[string]bool{}
	for _, p := range All() {
		if templates()[p.Name] == nil || paths[p.Path] || p.Show == nil {
			t.Errorf("%+v", p)
		}
		paths[p.Path] = true
	}
}

// TestReport checks that a page outside of a server has no links to pages that do not exist.
func TestReport(t *testing.T) {
	site := Site{Runs: []string{"a"}, Place: func(path string, _ url.Values) string {
		if strings.HasPrefix(path, "/assets/") {
			return strings.TrimPrefix(path, "/")
		}
		return ""
	}}
	html, err := site.Trouble(api.NewProblem(404, "x", "Not <here>", "\u202edetail\x07", "todo"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if s := string(html); strings.Contains(s, "<form") || strings.Contains(s, `href="/`) || !strings.Contains(s, "Not &lt;here&gt;") || strings.ContainsAny(s, "\u202e\x07") || !strings.Contains(s, `href="assets/`) {
		t.Errorf("%s", s)
	}
}
