package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
)

// TestCheck has a site with one thing wrong of each kind, and beside each the nearest thing that is not wrong.
func TestCheck(t *testing.T) {
	text := `/moved /new/moved 301!
/docs/* /new/docs/:splat 301!
/dead /new/nothing 301!
/chain /hop 301!
/hop /new/moved 301!
/x /y 301!
/y /x 301!
/into-loop /x 301!
/self /self 301!
/kept /new/moved 301!
/shop/* /new/docs/:splat 301!
/moved /new/other 301!
/docs/a /new/docs/a 301!
/same/ /same 301!
/unforced /new/moved 301
/weak /new/moved 301
/out https://elsewhere.example/x 301!
/gone /any 410!
/typo/* /nwe/:splat 301!
/a/* /b/:splat 301!
/b/* /new/docs/:splat 301!
`
	c := &Checker{Site: site(oldSite), Redirect: func(url string) string { return strings.Replace(url, "/alias", "/kept", 1) }}
	var wrong []Problem
	c.Rules, wrong, _ = Read([]byte(text), "netlify", "", c.Site)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	var known []string
	for _, path := range strings.Fields("/moved /docs/a /lost /dead /chain /x /into-loop /self /kept /same /unforced /out /gone /alias /shop/a /shop/none /typo/a /a/a /same?x=1 /none?x=1") {
		known = append(known, oldSite+path)
	}
	for _, path := range strings.Fields("/kept /new/moved /new/other /new/docs/a /same /unforced /shop/a") {
		c.Pages = append(c.Pages, oldSite+path)
	}
	found, ways := c.Check(known)
	var got []string
	for _, f := range found {
		s := fmt.Sprintf("%s %s", f.Kind, strings.TrimPrefix(f.URL, oldSite))
		if f.Rule != nil {
			s += fmt.Sprintf(" line %d", f.Rule.Line)
		}
		if f.Other != nil {
			s += fmt.Sprintf(" other %d", f.Other.Line)
		}
		if f.URLs != nil {
			s += " " + strings.ReplaceAll(strings.Join(f.URLs, " "), oldSite, "")
		}
		got = append(got, s)
	}
	want := []string{
		"missing /lost", "missing /none?x=1",
		"dead /new/nothing line 3 /dead", "chain /new/moved line 4 other 5 /chain", "loop /y line 6 other 7 /x /into-loop", "loop /self line 9 /self",
		"shadow  line 10 /kept", "shadow  line 11 /shop/a", "dead /new/docs/none line 11 /shop/none", "superfluous  line 12 other 1", "superfluous  line 13 other 2",
		"superfluous  line 15", "dead /nwe/a line 19 /typo/a", "chain  line 20 other 21 /a/a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if w := ways[slices.Index(known, oldSite+"/gone")]; !w.Gone || w.Lost {
		t.Errorf("%+v", w)
	}
}

// TestWaysEnd has rules that lead on for ever, or for longer than browsers follow, and what is found for known URLs.
func TestWaysEnd(t *testing.T) {
	chain := ""
	for i := range 21 {
		chain += fmt.Sprintf("/c%d /c%d 301!\n", i, i+1)
	}
	for _, c := range []struct{ format, rules, known, want string }{
		{"netlify", "/docs/* /docs/latest/:splat 302", "/docs/lost", "dead 1 /docs/lost"},
		{"netlify", "/docs/* /docs/latest/:splat 302", "/docs/latest/lost", "missing"},
		{"netlify", "/docs/* /docs/latest/:splat 302!", "/docs/x", ""},
		{"netlify", "/docs/latest/x/* /docs/latest/:splat 302", "/docs/latest/x/x", ""},
		{"netlify", "/* /docs/latest/:splat 302!", "/x", ""},
		{"netlify", "/* https://old.example/docs/latest/:splat 302", "/x", ""},
		{"netlify", "/docs/* /docs/:splat/x 302", "/docs/lost", "missing"},
		{"netlify", "/n/:p /n/x-:p 302", "/n/lost", "loop 1 endless /n/lost"},
		{"netlify", "/a/* /b/:splat\n/b/* /a/x/:splat", "/a/lost /b/lost", "loop 1 endless /a/lost /b/lost"},
		{"readthedocs", `[{"type": "page", "from_url": "/docs/*", "to_url": "/docs/latest/:splat"}]`, "/docs/lost", "dead 1 /docs/lost"},
		{"nginx", "rewrite ^/old/(.*)$ /old/v2/$1 permanent;", "/old/lost", "loop 1 endless /old/lost"},
		{"nginx", "rewrite ^/(.*)$ /$1$1 permanent;", "/ab", "shadow 1; loop 1 endless /ab"},
		{"apache", "RewriteEngine On\nRewriteRule ^old/(.*)$ /old/v2/$1 [R=301,L]", "/old/lost", "loop 2 endless /old/lost"},
		{"netlify", "/dead /none 301!\n/dead /none 301!", "/dead", "superfluous 1; dead 1 /dead; superfluous 2"},
		{"netlify", "/old/* /:splat 301!\n/x /old/x 301!", "/x", "loop 1 /x"},
		{"netlify", "/to-alias /alias 301!\n/docs/latest/x /to-alias 301!", "/to-alias", "loop 1 /to-alias; shadow 2"},
		{"netlify", chain, "/c0 /c9", "loop 1 endless /c0; dead 21 /c9"},
	} {
		site := site(oldSite)
		c, n := &Checker{Site: site, Pages: []string{oldSite + "/docs/latest/x"}, Redirect: func(url string) string {
			return strings.Replace(url, "/alias", "/docs/latest/x", 1)
		}}, c
		var known, got []string
		for _, path := range strings.Fields(n.known) {
			known = append(known, oldSite+path)
		}
		c.Rules, _, _ = Read([]byte(n.rules), n.format, "", c.Site)
		found, ways := c.Check(known)
		for _, f := range found {
			s := string(f.Kind)
			if f.Rule != nil {
				s += fmt.Sprint(" ", f.Rule.Line)
			}
			if f.Endless {
				s += " endless"
			}
			if len(known) > 0 && f.Kind != Shadow {
				s += strings.TrimRight(" "+strings.ReplaceAll(strings.Join(f.URLs, " "), oldSite, ""), " ")
			}
			got = append(got, s)
		}
		if strings.Join(got, "; ") != n.want {
			t.Errorf("%s %.60q, known %.40s: found %q, want %q", n.format, n.rules, n.known, strings.Join(got, "; "), n.want)
		}
		for _, w := range ways {
			if len(w.hops) > maxHops+1 || len(w.URL) > 2*urls.MaxURL+100 {
				t.Errorf("%s %.60q: %d redirects, to a URL of %d bytes", n.format, n.rules, len(w.hops), len(w.URL))
			}
		}
	}
}

// TestCheckWithoutRules checks URLs that only the site itself redirects.
func TestCheckWithoutRules(t *testing.T) {
	c := &Checker{Site: site(oldSite), Pages: []string{oldSite + "/new"}, Redirect: func(url string) string {
		return strings.NewReplacer("e/old", "e/new", "e/a", "e/b", "e/b", "e/a").Replace(url)
	}}
	found, ways := c.Check([]string{oldSite + "/old", oldSite + "/new", oldSite + "/lost", oldSite + "/a"})
	if len(found) != 2 || found[0].Kind != Missing || found[1].Kind != Missing || ways[0].Lost || ways[1].Lost {
		t.Errorf("found %+v, ways %+v", found, ways)
	}
}

// TestResolveLongChains resolves what a list whose pages all moved on by one leaves behind.
func TestResolveLongChains(t *testing.T) {
	const n = 200_000
	var moves []Move
	for i := range n {
		moves = append(moves, Move{fmt.Sprint(i), fmt.Sprint(i + 1)})
	}
	moves = append(moves, Move{"in", "loop"}, Move{"loop", "back"}, Move{"back", "loop"})
	sound, dropped := Resolve(moves, func(url string) bool { return url == fmt.Sprint(n) || url == "loop" })
	if len(sound) != n || len(dropped) != 3 {
		t.Errorf("%d sound, %d dropped", len(sound), len(dropped))
	}
	for _, m := range sound {
		if m.To != fmt.Sprint(n) {
			t.Fatal(m)
		}
	}
}
