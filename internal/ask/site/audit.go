package site

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// linkKinds are the kinds of findings, how much a page with one matters, why, and the fields that its findings have, perhaps
// with a name of their own.
var linkKinds = []struct {
	name    string
	weight  float64
	why     string
	columns string
}{
	{"missing", .5, "the text names a page that its readers cannot reach by a link", "url name to text score before after"},
	{"orphan", 1, "visitors do not find the page, and search engines take it for unimportant", "url name to=named_by before text after"},
	{"one-link", .1, "if one page changes, nobody finds the other", "url name to=linked_by text"},
	{"unreachable", .9, "no way leads to the page from the start page", "url name"},
	{"deep", .2, "few visitors go so far, and search engines come seldom", "url name number=clicks"},
	{"gone", 1, "visitors end at an error", "url to=linked_by text number=links why"},
	{"redirect", .2, "each visit takes another request, and the redirect must be kept for it", "url name to text"},
	{"same-text", .1, "the words do not tell where a link leads", "text url name to=others number=links"},
	{"many-texts", .05, "the page has no name that visitors recognize", "url name text=texts number=links"},
	{"competing", .4, "two pages on one subject share the links and the visitors of one", "url name to=other score number=links why"},
	{"off-topic", .2, "no other page of the host is about anything like it", "url name to=nearest score number=links"},
}

// LinkColumns returns the fields that findings of a kind have, and what each is called.
func LinkColumns(kind string) (fields, names []string) {
	for _, c := range strings.Fields(linkKinds[slices.Index(LinkKinds, kind)].columns) {
		field, name, _ := strings.Cut(c, "=")
		fields, names = append(fields, field), append(names, cmp.Or(name, field))
	}
	return fields, names
}

// LinkProblem is a kind of findings as a row of the first table of an audit.
type LinkProblem struct {
	Kind   string  `json:"kind"`
	Number int     `json:"number" doc:"findings"`
	Pages  int     `json:"pages" doc:"different pages that they are about"`
	Share  float64 `json:"share" doc:"of the pages of the hosts" least:"0"`
	Why    string  `json:"why" doc:"why it matters"`
	Worst  string  `json:"worst" doc:"the URL of the first finding"`
}

// ProblemOf sums up the findings of a kind.
func (s *Audit) ProblemOf(kind string, found []LinkFinding) LinkProblem {
	pages := map[string]bool{}
	for i := range found {
		pages[found[i].URL] = true
	}
	p := LinkProblem{
		Kind: kind, Number: len(found), Pages: len(pages), Share: float64(len(pages)) / float64(max(1, len(s.pages))),
		Why: linkKinds[slices.Index(LinkKinds, kind)].why,
	}
	if len(found) > 0 {
		p.Worst = found[0].URL
	}
	return p
}

// ByWeight orders problems: the share of the pages times how much a page with one matters, then kinds as listed.
func ByWeight(a, b LinkProblem) int {
	weight := func(p LinkProblem) float64 {
		return p.Share * linkKinds[slices.Index(LinkKinds, p.Kind)].weight
	}
	return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(slices.Index(LinkKinds, a.Kind), slices.Index(LinkKinds, b.Kind)))
}

// Bounds of competing and of off-topic pages, in the similarity of their bags and the resemblance of their texts.
const (
	competing     = 0.35 // from which on two pages are about the same
	otherTexts    = 0.4  // resemblance up to which one is not a copy of the other
	fewWords      = 100  // of a page, below which it competes with none
	mostCompeting = 100  // pairs
	offTopic      = 0.04 // of the most similar page of the host, below which a page is far from all
	fewPages      = 20   // of a host, below which no page is off topic
)

// alike finds pages of one host that are about the same with other texts, and pages that are about something else than
// all others of their host.
func (s *Audit) alike(ctx context.Context, kind string) (out []LinkFinding, err error) {
	if err := s.r.Need(config.Topical); err != nil {
		return nil, nil //nolint:nilerr // without bags there is nothing to find
	}
	in := map[uint32]int{}
	for _, l := range s.links {
		if !l.menu {
			in[l.to]++
		}
	}
	nearest, err := s.neighbours(ctx)
	if kind == "competing" {
		return s.competing(nearest, in), err
	}
	starts := s.starts()
	for _, id := range s.pages {
		host, n := s.hosts[id], nearest[id]
		if n.Similarity < offTopic && s.size[host] >= fewPages && !s.hidden(id) && starts[host] != id && s.r.Nodes.Of(id) != tables.None {
			f := s.finding(kind, id, 0, in[id])
			f.Score = float64(n.Similarity)
			if n.URL != "" {
				f.To = []string{n.URL}
			}
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b LinkFinding) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), strings.Compare(a.URL, b.URL))
	})
	return out, err
}

// neighbours returns the most similar page of its host for each page that has one.
func (s *Audit) neighbours(ctx context.Context) (map[uint32]topics.Neighbour, error) {
	if s.nearest != nil {
		return s.nearest, nil
	}
	nearest := map[uint32]topics.Neighbour{}
	for _, id := range s.pages {
		for _, n := range topics.Related(s.r, id, topics.Lookup{Top: 20, Stored: true, BySimilarity: true}) {
			of, page := s.hosts[n.ID]
			if _, known := nearest[id]; page && of == s.hosts[id] && !known && !s.hidden(n.ID) {
				nearest[id] = n
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	s.nearest = nearest
	return nearest, nil
}

// competing returns pairs of pages that are nearest to each other, with other texts and names alike, of which neither links
// to the other in its text: the most similar first.
func (s *Audit) competing(nearest map[uint32]topics.Neighbour, in map[uint32]int) (out []LinkFinding) {
	called := s.namesakes()
	for a, n := range nearest {
		b := n.ID
		alike := a < b && nearest[b].ID == a && n.Similarity >= competing && called(a, b)
		linked := s.out[pairOf(a, b)] || s.out[pairOf(b, a)]
		if !alike || linked || s.hidden(a) || min(s.r.Document(a).Words, s.r.Document(b).Words) < fewWords {
			continue
		}
		if d, stored, err := texts.StoredTexts(s.r, a, b); err != nil || stored && d.Resemblance > otherTexts {
			continue
		}
		if in[b] > in[a] {
			a, b = b, a
		}
		f := s.finding("competing", a, 0, in[a], s.r.URL(b))
		f.Score, f.Why = float64(n.Similarity), fmt.Sprintf("%d links to it, %d to the other", in[a], in[b])
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b LinkFinding) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.URL, b.URL))
	})
	return out[:min(len(out), mostCompeting)]
}

// namesakes returns whether the names of two pages share a word that few others have, and are not two of a series, such as
// "width of the header" and "width of the footer" or chapters 1 and 2, where one word stands for another.
func (s *Audit) namesakes() func(a, b uint32) bool {
	words, number := map[uint32][]string{}, map[string]int{}
	for _, id := range s.pages {
		of := strings.FieldsFunc(strings.ToLower(headOf(s.r.NameOf(id))), func(c rune) bool { return !unicode.IsLetter(c) })
		slices.Sort(of)
		words[id] = slices.Compact(of)
		for _, w := range words[id] {
			number[w]++
		}
	}
	return func(a, b uint32) bool {
		both, rare := 0, false
		for _, w := range words[a] {
			if _, ok := slices.BinarySearch(words[b], w); ok {
				both++
				rare = rare || number[w] <= max(3, len(s.pages)/100)
			}
		}
		return rare && (len(words[a]) != len(words[b]) || s.r.NameOf(a) == s.r.NameOf(b))
	}
}

// hidden reports whether no link should lead to a page: it redirects, asks not to be indexed, or is shown instead of an error.
func (s *Audit) hidden(id uint32) bool {
	url := s.r.Docs.URL(id)
	return strings.HasSuffix(strings.TrimSuffix(url, ".html"), "/404") || s.r.Docs.Labelled(id) || s.r.Docs.Hidden(id) || s.r.RedirectTarget(url) != url
}

// mentioned adds to orphans the pages whose texts name them, the best first, and the sentence of the best.
func (s *Audit) mentioned(ctx context.Context, orphans []LinkFinding) error {
	found, err := s.missingLinks(ctx, leastMention)
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b MissingLink) int { return cmp.Compare(b.Score, a.Score) })
	at := map[string]*LinkFinding{}
	for i := range orphans {
		at[orphans[i].URL] = &orphans[i]
	}
	for _, m := range found {
		f := at[s.r.URL(m.To)]
		if f == nil || len(f.To) == mostMentioning {
			continue
		}
		if f.To = append(f.To, s.r.URL(m.From)); len(f.To) == 1 {
			f.Before, f.Text, f.After = m.Before, m.Anchor, m.After
		}
	}
	return err
}

// Pages that could link to an orphan: how many are named, and the least score of the link.
const (
	mostMentioning = 3
	leastMention   = 0.1
)
