package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
		"dead /new/nothing line 3 /dead", "chain /new/moved line 4 other 5 /chain", "loop /y line 6 other 7", "loop /self line 9",
		"shadow  line 10 /kept", "shadow  line 11 /shop/a", "dead /new/docs line 11 /shop/none", "superfluous  line 12 other 1", "superfluous  line 13 other 2",
		"superfluous  line 15", "dead /nwe line 19 /typo/a", "chain  line 20 other 21 /a/a",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if w := ways[slices.Index(known, oldSite+"/gone")]; !w.Gone || w.Lost() {
		t.Errorf("%+v", w)
	}
}
