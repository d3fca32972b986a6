package pages

import (
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/serve/api"
	"pgregory.net/rapid"
)

// TestSquarify: the rectangles fill the area without overlap, in proportion to the sizes, and are nearly squares if
// there are enough of them.
func TestSquarify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Float64Range(1, 100), 1, 60).Draw(t, "sizes")
		in := rect{0, 0, rapid.Float64Range(50, 1000).Draw(t, "width"), rapid.Float64Range(50, 1000).Draw(t, "height")}
		total := 0.0
		for _, s := range sizes {
			total += s
		}
		out := squarify(sizes, in)
		if len(out) != len(sizes) {
			t.Fatalf("%d rectangles for %d sizes", len(out), len(sizes))
		}
		for i, r := range out {
			if want := sizes[i] / total * in.w * in.h; math.Abs(r.w*r.h-want) > 1e-6*in.w*in.h {
				t.Errorf("rectangle %d has the area %v, want %v", i, r.w*r.h, want)
			}
			if r.x < -1e-6 || r.y < -1e-6 || r.x+r.w > in.w+1e-6 || r.y+r.h > in.h+1e-6 {
				t.Errorf("rectangle %d is outside: %v in %v", i, r, in)
			}
			for j, s := range out[:i] {
				if min(r.x+r.w, s.x+s.w)-max(r.x, s.x) > 1e-6 && min(r.y+r.h, s.y+s.h)-max(r.y, s.y) > 1e-6 {
					t.Errorf("rectangles %d and %d overlap: %v %v", i, j, r, s)
				}
			}
		}
	})
	for _, r := range squarify([]float64{6, 6, 4, 3, 2, 2, 1}, rect{0, 0, 6, 4}) { // the example of the paper
		if ratio := max(r.w/r.h, r.h/r.w); ratio > 3 {
			t.Errorf("%v has the ratio %v", r, ratio)
		}
	}
}

// TestWrapped: text fits its tile, and phrases are shown as a whole.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		label []string
		width int
		lines int
		want  string
	}{
		{[]string{"command line", "CLI"}, 7, 4, "command|line|CLI"}, {[]string{"command line", "CLI"}, 12, 4, "command line|CLI"}, {[]string{"reinforcement", "RL"}, 8, 4, "RL"},
		{[]string{"docs.example/hosting-and", "x"}, 13, 4, "docs.example/|hosting-and|x"}, {[]string{"reinforcement"}, 8, 4, "reinfor…"}, {[]string{"reinforcement"}, 3, 4, ""},
		{[]string{"a b", "c"}, 1, 2, "a|b"}, {[]string{"x"}, 0, 2, ""}, {[]string{"x"}, 5, 0, ""}, {[]string{"日本語"}, 3, 1, "日本語"},
	} {
		if got := strings.Join(wrapped(c.label, c.width, c.lines), "|"); got != c.want {
			t.Errorf("%q in %d by %d: %q, want %q", c.label, c.width, c.lines, got, c.want)
		}
	}
}

// TestBreaks: lines break after slashes, and what looks like HTML stays text.
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

// TestLinks: links keep the run, and leave out what is empty. In a report there may be none.
func TestLinks(t *testing.T) {
	site := Site{Runs: []string{"a", "b"}, Place: Served}
	for got, want := range map[string]string{
		site.Links("a").Page("https://x.example/?a=b&c"): "/page?url=https%3A%2F%2Fx.example%2F%3Fa%3Db%26c",
		site.Links("b").Why("x", "y"):                    "/why?a=x&b=y&run=b", site.Links("").Cluster("topical", "00"): "/cluster?id=00", site.Links("").Cluster("syntactic", "00"): "/cluster?id=00&view=syntactic",
		site.Links("b").JSON("cluster", "id", "a/b", "view", "topical"): "/v1/cluster/a%2Fb?run=b&view=topical", site.Links("").Compare(""): "/compare", site.Links("").To("/"): "/",
		Site{Place: func(string, url.Values) string { return "" }}.Links("").Host("x"): "",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestPagesAreWhole: every page has a template and a path of its own.
func TestPagesAreWhole(t *testing.T) {
	paths := map[string]bool{}
	for _, p := range All() {
		if templates()[p.Name] == nil && p.Name != "surprise" || paths[p.Path] || p.Show == nil {
			t.Errorf("%+v", p)
		}
		paths[p.Path] = true
	}
}

// TestReport: a page that is not on a server has no links to what is not there.
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
