package browser

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/lab/readings"
)

// group is one or several links in a row that are written alike: a browser makes several elements of one that is not
// closed, or closed in the wrong place.
type group struct {
	key      string
	from, to int // of the links
}

func groups[L any](links []L, key func(L) string) (out []group) {
	for i, l := range links {
		if n := len(out); n > 0 && out[n-1].key == key(l) {
			out[n-1].to++
			continue
		}
		out = append(out, group{key(l), i, i + 1})
	}
	return out
}

func keys(g []group) (s []string) {
	for i := range g {
		s = append(s, g[i].key)
	}
	return s
}

var frames = regexp.MustCompile("(?i)<i?frame ")

// anchors compares the links in order: where they lead, rel and words. It tells whether all are equal.
func (c *comparison) anchors(tree *Reading, o *ours) bool {
	theirs := groups(tree.Links, func(a Anchor) string { return a.Href + " rel=" + a.Rel })
	our := groups(o.doc.Links, func(l text.Link) string { return l.Href + " rel=" + l.Rel })
	equal, i, j := c.equalLinks, 0, 0
	c.links += len(tree.Links)
	match := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			c.pair(tree, o, tree.Links[theirs[i].from:theirs[i].to], o.doc.Links[our[j].from:our[j].to])
		}
	}
	for _, h := range readings.Diff(keys(theirs), keys(our)) {
		match(h.A0)
		if h.A0 == h.A1 && frames.Match(o.page.HTML) {
			c.Add(frameLink, o.page.URL, h.B1-h.B0, "")
			i, j = h.A1, h.B1
			continue
		}
		c.unexplain("links", o.page.URL, h.A1-h.A0+h.B1-h.B0, fmt.Sprintf("%q, ours %q", keys(theirs[h.A0:h.A1]), keys(our[h.B0:h.B1])))
		i, j = h.A1, h.B1
	}
	match(len(theirs))
	return c.equalLinks-equal == len(tree.Links) && len(tree.Links) == len(o.doc.Links)
}

// pair compares links that are written alike.
func (c *comparison) pair(tree *Reading, o *ours, theirs []Anchor, our []text.Link) {
	var a, b [][]string
	for _, l := range theirs {
		a = append(a, Split(tree.Text[l.From:l.To]))
	}
	for _, l := range our {
		b = append(b, o.between(l.From, l.To))
	}
	allA, allB := usual(slices.Concat(a...)), usual(slices.Concat(b...))
	example := fmt.Sprintf("%s: %q, ours %q", theirs[0].Href, a, b)
	switch {
	case len(a) == len(b) && slices.EqualFunc(a, b, func(x, y []string) bool { return usual(x) == usual(y) }):
		if c.resolved(o, theirs[0], our[0]) {
			c.equalLinks += len(a)
		}
	case len(a) > len(b) && allA == allB:
		c.Add(pieces, o.page.URL, len(a)-len(b), example)
		c.resolved(o, theirs[0], our[0])
	case len(a) == len(b) && strings.HasPrefix(allA, allB) && encloses(tree, theirs):
		c.Add(around, o.page.URL, len(a), example)
		c.resolved(o, theirs[0], our[0])
	default:
		c.unexplain("anchor", o.page.URL, max(len(a), len(b)), example)
	}
}

// encloses tells whether another link stands inside of one of these.
func encloses(tree *Reading, links []Anchor) bool {
	return slices.ContainsFunc(tree.Links, func(in Anchor) bool {
		return slices.ContainsFunc(links, func(l Anchor) bool {
			return l.From <= in.From && in.To <= l.To && (in.Href != l.Href || in.Rel != l.Rel)
		})
	})
}

// resolved compares where two links lead, in canonical form.
func (c *comparison) resolved(o *ours, theirs Anchor, l text.Link) bool {
	rules := urls.DefaultRules()
	want, wantErr := rules.Canonical(theirs.URL)
	base, err := urls.Base(o.page.URL, o.doc.Base)
	if err != nil {
		c.unexplain("base", o.page.URL, 1, err.Error())
		return false
	}
	got, gotErr := rules.Resolve(base, l.Href)
	if got == want && fmt.Sprint(gotErr) == fmt.Sprint(wantErr) {
		return true
	}
	example := fmt.Sprintf("%q leads to %q (%q, %v), ours %q (%v)", l.Href, theirs.URL, want, wantErr, got, gotErr)
	switch {
	case isNumber(want) && !isNumber(got):
		c.Add(numberHost, o.page.URL, 1, example)
	case o.doc.Base != "" && crawlIgnores(o):
		c.Add(noBase, o.page.URL, 1, example)
	default:
		c.unexplain("URL", o.page.URL, 1, example)
	}
	return false
}

func isNumber(canonical string) bool {
	_, err := netip.ParseAddr(urls.Host(canonical))
	return err == nil
}

// crawlIgnores tells whether the page has a <base> that no URL can be made of.
func crawlIgnores(o *ours) bool {
	_, err := url.Parse(o.doc.Base)
	return err != nil
}
