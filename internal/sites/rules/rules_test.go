package rules

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestResolve(t *testing.T) {
	moves := []Move{{"https://a/1", "https://a/2"}, {"https://a/2", "https://a/3"}, {"https://a/x", "https://a/y"}, {"https://a/y", "https://a/x"}, {"https://a/g", "https://a/gone"}}
	sound, dropped := Resolve(moves, func(url string) bool { return url == "https://a/3" || url == "https://a/x" })
	if !slices.Equal(sound, []Move{{"https://a/1", "https://a/3"}, {"https://a/2", "https://a/3"}}) || len(dropped) != 3 {
		t.Errorf("%v, dropped %v", sound, dropped)
	}
}

// answer returns where the first matching rule leads.
func answer(rules []Rule, url string) string {
	for _, r := range rules {
		if url == r.From && r.Ends[0] == "" {
			return r.To
		}
		if rest, ok := strings.CutPrefix(url, r.From+"/"); ok && r.Prefix && strings.HasSuffix(rest, r.Ends[0]) {
			return r.To + "/" + strings.TrimSuffix(rest, r.Ends[0]) + r.Ends[1]
		}
	}
	return ""
}

// TestCompress checks that rules answer every move and no other known URL, and that no rule leads to another.
func TestCompress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder := rapid.SampledFrom([]string{"", "/a", "/a/b", "/a/b/c", "/d"})
		page := rapid.SampledFrom([]string{"", "/x", "/y", "/z", "/a", "/x.html", "/y.html", "/z.html", "/x.md"})
		to, there, gone := map[string]string{}, map[string]bool{}, []string{}
		for range rapid.IntRange(0, 25).Draw(t, "pages") {
			f, p := folder.Draw(t, "folder"), page.Draw(t, "page")
			old := "https://o.example" + f + p
			switch rapid.IntRange(0, 9).Draw(t, "fate") {
			case 0:
				there[old] = true
			case 1:
				gone = append(gone, old)
			case 2, 3, 4:
				to[old] = strings.TrimSuffix(old, ".html") + rapid.SampledFrom([]string{"", ".htm"}).Draw(t, "ending")
			default:
				to[old] = rapid.SampledFrom([]string{"https://n.example", "https://n.example/q", "https://o.example/a/new", "https://o.example/e"}).Draw(t, "base") + f + p
			}
		}
		var moves []Move
		for from, target := range to {
			if from == target || there[from] || slices.Contains(gone, from) || to[target] != "" {
				continue
			}
			there[target] = true
			moves = append(moves, Move{from, target})
		}
		others := slices.Clone(gone)
		for url := range there {
			others = append(others, url)
		}
		list := Compress(moves, others, rapid.Bool().Draw(t, "ends"))
		for _, m := range moves {
			if there[m.From] {
				continue
			}
			if got := answer(list, m.From); got != m.To {
				t.Fatalf("%s: %s, want %s\n%v", m.From, got, m.To, list)
			}
		}
		for _, url := range others {
			if got := answer(list, url); got != "" && to[url] == "" {
				t.Fatalf("%s is redirected to %s\n%v", url, got, list)
			}
		}
	})
}

// TestEndings has one rule for what changed its ending alike, which is asked of no other page.
func TestEndings(t *testing.T) {
	const o = "https://o.example"
	var moves []Move
	for i := range 100 {
		moves = append(moves, Move{fmt.Sprintf("%s/docs/%d/page.html", o, i), fmt.Sprintf("%s/docs/%d/page", o, i)})
	}
	moves = append(moves, Move{o + "/docs/odd.html", o + "/even"})
	list := Compress(moves, []string{o + "/docs/0", o + "/docs/style.css", o + "/index.html"}, true)
	want := []Rule{{From: o + "/docs/odd.html", To: o + "/even"}, {From: o + "/docs", To: o + "/docs", Prefix: true, Ends: [2]string{".html"}}}
	for i := range list {
		list[i].like, list[i].Weak = "", false
	}
	if !reflect.DeepEqual(list, want) {
		t.Fatalf("%v", list)
	}
	list[1].like = o + "/docs/1/page"
	for name, of := range map[string]string{"nginx": `rewrite "^/docs/(?!(?:.*/)?(?:index|default)\.)(.*)\.html$" "https://o.example/docs/$1/" permanent;` + "\n", "apache": ""} {
		s := Site{Base: o, Form: func(url string) string { return url + "/" }, Canonical: site(o).Canonical}
		var b bytes.Buffer
		if _, err := Write(&b, name, list[1:], s); err != nil || of != "" && b.String() != of {
			t.Errorf("%v %s", err, b.String())
		}
		read, unread, _ := Read(b.Bytes(), name, "", s)
		k := Checker{Site: s, Rules: read}
		if _, to, doubt := k.Answer(o+"/docs/7/page.html", 0); to != o+"/docs/7/page" || doubt >= 0 || len(unread) > 0 {
			t.Errorf("%s: it leads to %q: %v", name, to, unread)
		}
		if at, _, _ := k.Answer(o+"/docs/7/page.css", 0); at >= 0 {
			t.Errorf("%s answers another page", name)
		}
	}
	if stays := Compress(moves, []string{o + "/docs/7/more.html"}, true); len(stays) < 100 {
		t.Errorf("%d rules, one of which captures a page", len(stays))
	}
}

// TestHarmless writes no rule that captures a page with a query, or its own target, and rules for queries first.
func TestHarmless(t *testing.T) {
	const o = "https://o.example"
	moves := []Move{{o + "/item", o + "/item?id=1"}, {o + "/list", o + "/new"}, {o + "/q", o + "/1"}, {o + "/q?id=2", o + "/2"}}
	want := []Rule{{From: o + "/q?id=2", To: o + "/2"}, {From: o + "/q", To: o + "/1"}}
	for _, name := range []string{"netlify", "mkdocs"} {
		got := For(name, moves, []string{o + "/list?page=2", o + "/q?id=2"})
		for i := range got {
			got[i].Weak = false
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestStub writes a page in place of one that moved, where a host without rules has a file for it.
func TestStub(t *testing.T) {
	s := Site{Base: "https://o.example/docs", Form: func(url string) string { return url + "/" }}
	for from, want := range map[string]string{"/a": "a/index.html", "/b/c.html": "b/c.html", "/caf%C3%A9/%3Cx%3E": "café/<x>/index.html", "": "", "/a?x=1": "", "/../x": "", "/%2e%2e/%2e%2e/x": ""} {
		name, page, ok := Stub(Move{s.Base + from, "https://o.example/docs/n?a=1&b=\"<"}, s, map[string]string{"old": "https://o.example/docs/n/#</script>"})
		if ok != (want != "") || ok && name != want {
			t.Errorf("%s: %q %v, want %q", from, name, ok, want)
		}
		if strings.Count(page, "</script>") != 1 || !strings.Contains(page, `content="0; url=https://o.example/docs/n?a=1&amp;b=`) || !strings.Contains(page, `{"old":"https://o.example/docs/n/#\u003c/script\u003e"}`) {
			t.Error(page)
		}
	}
}

// TestFormats writes a rule of each kind in every format.
func TestFormats(t *testing.T) {
	list := []Rule{{From: "https://o.example/docs/a", To: "https://n.example/b"}, {From: "https://o.example/docs", To: "https://n.example/m", Prefix: true}, {From: "https://o.example/q?id=1", To: "https://n.example/q"}}
	form := func(url string) string { return url + "/" }
	for format, want := range map[string]string{
		"netlify":    "/docs/a https://n.example/b/ 301!\n/docs/* https://n.example/m/:splat 301!\n/q id=1 https://n.example/q/ 301!\n",
		"cloudflare": "o.example/docs/a,https://n.example/b/,301,TRUE,FALSE,FALSE,FALSE\no.example/docs,https://n.example/m/,301,TRUE,FALSE,TRUE,TRUE\n",
		"csv":        "from,to,prefix\nhttps://o.example/docs/a,https://n.example/b/,false\nhttps://o.example/docs,https://n.example/m/,true\nhttps://o.example/q?id=1,https://n.example/q/,false\n",
	} {
		var b bytes.Buffer
		if _, err := Write(&b, format, list, Site{Form: form}); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
	for format, want := range map[string]string{"netlify": "/a /b 301!\n", "readthedocs": "", "cloudflare": "o.example/a,https://o.example/b?x=1,301,FALSE,FALSE,FALSE,FALSE\n"} {
		var b bytes.Buffer
		list := []Rule{{From: "https://o.example/css/:active", To: "https://o.example/b"}, {From: "https://o.example/css/*", To: "https://o.example/b"}, {From: "https://o.example/q?id=:id", To: "https://o.example/b"}, {From: "https://o.example/a", To: "/b"}}
		if format == "cloudflare" {
			list = []Rule{{From: "https://o.example/a", To: "https://o.example/b?x=1"}, list[2], list[2], list[2]}
		}
		if left, err := Write(&b, format, list, Site{}); err != nil || want != "" && (left != 3 || b.String() != want) || want == "" && left != 2 {
			t.Errorf("%s: %d rules left out, %v\n%s", format, left, err, b.String())
		}
	}
	var b bytes.Buffer
	if _, err := Write(&b, "hugo", list[:1], Site{Form: form}); err != nil || b.String() != "# https://n.example/b\naliases: [\"/docs/a\"]\n" {
		t.Errorf("%v %q", err, b.String())
	}
	if _, err := Write(&b, "iis", list, Site{}); err == nil {
		t.Error("an unknown format is taken")
	}
}
