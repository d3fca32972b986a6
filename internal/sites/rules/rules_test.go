package rules

import (
	"bytes"
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
		if url == r.From {
			return r.To
		}
		if rest, ok := strings.CutPrefix(url, r.From+"/"); ok && r.Prefix {
			return r.To + "/" + rest
		}
	}
	return ""
}

// TestCompress checks that rules answer every move and no other known URL, and that no rule leads to another.
func TestCompress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder := rapid.SampledFrom([]string{"", "/a", "/a/b", "/a/b/c", "/d"})
		page := rapid.SampledFrom([]string{"", "/x", "/y", "/z", "/a"})
		to, there, gone := map[string]string{}, map[string]bool{}, []string{}
		for range rapid.IntRange(0, 25).Draw(t, "pages") {
			f, p := folder.Draw(t, "folder"), page.Draw(t, "page")
			old := "https://o.example" + f + p
			switch rapid.IntRange(0, 9).Draw(t, "fate") {
			case 0:
				there[old] = true
			case 1:
				gone = append(gone, old)
			default:
				to[old] = rapid.SampledFrom([]string{"https://n.example", "https://n.example/q", "https://o.example/a/new", "https://o.example/e"}).Draw(t, "base") + f + p
			}
		}
		var moves []Move
		for from, target := range to {
			if there[from] || slices.Contains(gone, from) || to[target] != "" {
				continue
			}
			there[target] = true
			moves = append(moves, Move{from, target})
		}
		others := slices.Clone(gone)
		for url := range there {
			others = append(others, url)
		}
		list := Compress(moves, others)
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

// TestHarmless writes no rule that captures a page with a query, or its own target, and rules for queries first.
func TestHarmless(t *testing.T) {
	const o = "https://o.example"
	moves := []Move{{o + "/item", o + "/item?id=1"}, {o + "/list", o + "/new"}, {o + "/q", o + "/1"}, {o + "/q?id=2", o + "/2"}}
	want := []Rule{{From: o + "/q?id=2", To: o + "/2"}, {From: o + "/q", To: o + "/1"}}
	for _, name := range []string{"netlify", "mkdocs"} {
		if got := For(name, moves, []string{o + "/list?page=2", o + "/q?id=2"}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", name, got)
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
