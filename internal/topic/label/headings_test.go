package label_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/topic/label"
)

// TestNamed: the heading above most links names the cluster, unless it is that of a sibling, says nothing, or few have it.
func TestNamed(t *testing.T) {
	for _, test := range []struct {
		name  string
		heads []string // of each member, the nearest
		taken string
		site  string
		want  string // first phrase; "" for one that is no heading
	}{
		{"one heading", []string{"2.1 Code Editors", "Code editors", "Code Editors"}, "", "", "Code Editors"},
		{"a part of headings", []string{"Good: Code Editors", "Code Editors and Terminals", "Code Editors"}, "", "", "Code Editors"},
		{"a sibling has it", []string{"Code Editors", "Code Editors", "Code Editors"}, "code editors", "", ""},
		{"it says nothing", []string{"See also", "See also", "See also"}, "", "", ""},
		{"each has another", []string{"Alpha", "Beta", "Gamma"}, "", "", ""},
		{"the name of the site", []string{"Code Editors", "Code Editors", "Code Editors"}, "", "blog.code-editors.org", ""},
		{"a name with the name of the site", []string{"The Code Editors", "Code Editors", "Code Editors"}, "", "codeeditors.org", ""},
		{"a longer one whose other words say nothing", []string{"Interesting Code Editors", "Interesting Code Editors", "Code Editors"}, "", "", "Code Editors"},
		{"a badge inside", []string{"Code [Awesome] Editors", "Code Awesome Editors", "Code Awesome Editors"}, "", "", "Editors"},
		{"a word of the site", []string{"Code Editors", "Code Editors", "Code Editors"}, "", "code.org", "Editors"},
		{"the name of a list", []string{"Code Editors", "Code Editors", "Code Editors"}, "", "github.com/me/code-editors", "Code Editors"},
	} {
		c := newCrawl(t, "", []string{"[Vim] edits code", "try [vim] editors"}, []string{"[Helix] edits code", "try [helix] editors"},
			[]string{"[Kakoune] edits code", "try [kakoune] editors"})
		for i := range c.members {
			for j := range c.members[i].Texts {
				c.members[i].Texts[j].Heads = &label.Headings{Place: label.HeadingPlace{Page: uint64(10*i + j + 1)}, Site: test.site, Texts: []string{test.heads[i]}}
			}
		}
		l, err := label.New(c.crawl, english)
		if err != nil {
			t.Fatal(err)
		}
		got := l.LabelAmong(c.members, label.Contrast{Taken: map[string]bool{test.taken: true}})
		if len(got) == 0 || test.want != "" && got[0] != test.want || test.want == "" && (got[0] == "See also" || got[0] == "Code Editors") {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestNamedByTitles: the title of a page of the members' own site names them if the page links to many of them, whole. What
// several sites call them comes before what one does.
func TestNamedByTitles(t *testing.T) {
	sites := func(titles ...string) (heads []*label.Headings) {
		for i, title := range titles {
			heads = append(heads, &label.Headings{Place: label.HeadingPlace{Page: uint64(i + 10)}, Site: fmt.Sprintf("site%d.org", i), Texts: []string{title}})
		}
		return heads
	}
	one := func(site, title string, links int, own bool) (heads []*label.Headings) {
		for i := range 3 {
			h := &label.Headings{Place: label.HeadingPlace{Page: uint64(max(1, i-links+2))}, Site: site, Own: own, Texts: []string{title}}
			if i > 0 && h.Place == heads[i-1].Place {
				h = heads[i-1]
			}
			heads = append(heads, h)
		}
		return heads
	}
	for _, test := range []struct {
		name  string
		heads [][]*label.Headings // of each member, by text
		taken string
		want  string
		not   string // nor a part of it
	}{
		{"a page that lists them", [][]*label.Headings{one("vi.org", "Part VI. Code Editors", 3, true)}, "", "Code Editors", ""},
		{"pages that mention one or two", [][]*label.Headings{one("vi.org", "Code Editors", 2, true)}, "", "", "Code Editors"},
		{"not a part of such a title", [][]*label.Headings{one("vi.org", "Unix Shells", 3, true)}, "unix shells", "", "Unix Shells"},
		{"a part of long headings", [][]*label.Headings{sites("Code and Try Editors Kakoune", "Code and Try Editors Helix", "Code and Try Editors Vim")}, "", "Try Editors", ""},
		{"several sites before one", [][]*label.Headings{one("news.org", "New Consoles", 1, false), sites("Shells", "Shells", "Shells")}, "", "Shells", ""},
	} {
		c := newCrawl(t, "", []string{"[Vim] edits code", "try [vim] editors"}, []string{"[Helix] edits code", "try [helix] editors"},
			[]string{"[Kakoune] edits code", "try [kakoune] editors"}, []string{"[All] unix shells and consoles"})
		c.members = c.members[:3]
		for i := range c.members {
			for j, heads := range test.heads {
				c.members[i].Texts[j].Heads = heads[i]
			}
		}
		l, err := label.New(c.crawl, english)
		if err != nil {
			t.Fatal(err)
		}
		got := l.LabelAmong(c.members, label.Contrast{Taken: map[string]bool{test.taken: true}})
		if len(got) == 0 || test.want != "" && got[0] != test.want || test.not != "" && strings.Contains(test.not, got[0]) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestNamedAmongMany: of 200 members, the heading above a tenth names the cluster, and less does not. What half as many have
// beyond those is named after it.
func TestNamedAmongMany(t *testing.T) {
	for _, test := range []struct {
		editors, shells int // members under these headings, one after the other
		want            []string
	}{
		{20, 0, []string{"Code Editors"}},
		{19, 0, nil},
		{150, 50, []string{"Code Editors", "Unix Shells"}},
		{70, 36, []string{"Code Editors", "Unix Shells"}},
		{80, 36, []string{"Code Editors"}},
	} {
		var texts [][]string
		for i := range 200 {
			texts = append(texts, []string{fmt.Sprintf("[Name%d] works", i)})
		}
		c := newCrawl(t, "", append(texts, []string{"[All] code editors and unix shells"})...)
		c.members = c.members[:len(texts)]
		for i := range c.members {
			head := fmt.Sprintf("Alone%d", i)
			if i < test.editors {
				head = "Code Editors"
			} else if i < test.editors+test.shells {
				head = "Unix Shells"
			}
			c.members[i].Texts[0].Heads = &label.Headings{Place: label.HeadingPlace{Page: uint64(i + 1)}, Texts: []string{head}}
		}
		l, err := label.New(c.crawl, english)
		if err != nil {
			t.Fatal(err)
		}
		got := l.Label(c.members)
		if (l.Headed() != nil) != (test.want != nil) || test.want != nil && !slices.Equal(got[:min(len(got), len(test.want))], test.want) ||
			slices.Contains(got, "Unix Shells") != slices.Contains(test.want, "Unix Shells") {
			t.Errorf("%d under one heading, %d under another: %q", test.editors, test.shells, got)
		}
	}
}
