package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// SampleOptions holds the options of DrawSample.
type SampleOptions struct {
	N      int    `json:"n" name:"number" short:"n" default:"20" least:"1" value:"URLS" doc:"number of URLS to draw"`
	Top    int    `json:"top" name:"limit" default:"10" least:"1" value:"N" doc:"number N of neighbours for each method"`
	Seed   uint64 `json:"seed"`
	Common bool   `json:"common" doc:"draw only URLs that all methods know"`
	Blind  bool   `json:"blind" doc:"do not show at first which method lists what"`
}

// Sample is the experiment of Haveliwala, Gionis and Indyk (2000), section 5: URLs drawn from a directory and, side by
// side, the nearest neighbours that several methods find for each, for a person to judge.
type Sample struct {
	Gold     string         `json:"gold"`
	Options  SampleOptions  `json:"options"`
	Runs     []SampledRun   `json:"runs"`
	Methods  []SampleMethod `json:"methods"`
	Labelled int            `json:"labelled"` // distinct URLs of the gold
	Known    int            `json:"known"`    // how many the first method knows
	AllKnow  int            `json:"all_know"` // how many all methods know
	Queries  []SampleQuery  `json:"queries"`
}

// SampledRun describes a run that lists neighbours.
type SampledRun struct {
	Name      string `json:"name"`
	Bags      string `json:"bags"` // "links", "content" or "both"
	Preset    string `json:"preset"`
	Documents int    `json:"documents"`
	Index     string `json:"index"` // parameters of the index
}

// SampleMethod is one way to find neighbours.
type SampleMethod struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	How   string `json:"how"`
	Known int    `json:"known"` // number of URLs of the gold that it knows
}

// SampleQuery is one of the drawn URLs.
type SampleQuery struct {
	URL        string       `json:"url"`
	Title      string       `json:"title,omitempty"`
	Crawled    bool         `json:"crawled"`
	InLinks    int          `json:"inlinks"`
	Categories []string     `json:"categories"` // category paths in the gold
	Quote      *runs.Quote  `json:"quote,omitempty"`
	Lists      []SampleList `json:"lists"` // in the order of the methods

	id uint32
}

// SampleList is what one method found for a query.
type SampleList struct {
	Method     string            `json:"method"`
	Missing    string            `json:"missing,omitempty"` // the reason if there is no list
	Neighbours []SampleNeighbour `json:"neighbours"`
}

// SampleNeighbour is a document that a method lists, with evidence.
type SampleNeighbour struct {
	Rank       int             `json:"rank"` // from 1
	URL        string          `json:"url"`
	Title      string          `json:"title,omitempty"`
	Similarity float64         `json:"similarity"` // exact similarity of the bags, or resemblance of the texts
	Words      []SharedWord    `json:"words,omitempty"`
	CoLinked   int             `json:"colinked_by,omitempty"` // number of kept sentences that link to it from a page that also links to the query
	Quote      *runs.Quote     `json:"quote,omitempty"`       // a sentence that links to it, if possible from a page that also links to the query
	Stored     string          `json:"stored,omitempty"`      // how the index found it, or why not
	Text       *SampleOverlaps `json:"text,omitempty"`
}

// SharedWord is a word in both bags, with the smaller of its two counts.
type SharedWord struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// SampleOverlaps says how much two texts share.
type SampleOverlaps struct {
	Relation    string  `json:"relation"`
	ThisInOther float64 `json:"this_in_other"` // share of the query's shingles
	OtherInThis float64 `json:"other_in_this"` // share of the neighbour's shingles
}

// NamedRun is a run and its name in messages.
type NamedRun struct {
	Name string
	*runs.Run
}

// NoDocument is the id of a URL that is not a document of the run.
const NoDocument = ^uint32(0)

// ErrNoOverlap is wrapped by the error for a run that holds none of the URLs of a gold.
var ErrNoOverlap = errors.New("the run holds none of the URLs of the gold")

// DrawSample draws URLs of the gold that the first run knows and lists their neighbours: by the exact similarity of its
// bags and by its index, the same for a second run if there is one, and by the resemblance of the texts if the first
// run has the syntactic view. The draw depends on the set of known URLs and on the seed, but not on the order of the
// gold.
func DrawSample(ctx context.Context, g *gold.Gold, list []NamedRun, o SampleOptions) (*Sample, error) {
	if len(list) == 0 || o.N < 1 || o.Top < 1 {
		return nil, errors.New("a sample needs at least one run, one URL and one neighbour")
	}
	if len(list) > 1 && list[0].Config.Bags == list[1].Config.Bags {
		return nil, fmt.Errorf("%s and %s both have bags of %s", list[0].Name, list[1].Name, list[0].Config.Bags)
	}
	s := &Sample{Gold: g.Name, Options: o}
	var finders []finder
	for _, r := range list {
		s.Runs = append(s.Runs, sampledRun(r))
		if r.Config.Has(config.Topical) {
			finders = append(finders, exactFinder(r.Run), indexFinder(r.Run))
		}
	}
	if list[0].Config.Has(config.Syntactic) {
		finders = append(finders, textFinder(list[0].Run))
	}
	if len(finders) == 0 {
		return nil, fmt.Errorf("%s has no view that lists neighbours", list[0].Name)
	}
	urls, paths := labelled(g)
	s.Labelled = len(urls)
	drawn, err := s.draw(list[0].Name, urls, finders)
	if err != nil {
		return nil, err
	}
	for _, f := range finders {
		s.Methods = append(s.Methods, f.SampleMethod)
	}
	for _, u := range drawn {
		s.Queries = append(s.Queries, sampleQuery(list[0].Run, u, paths[u]))
	}
	for i := range finders {
		if err := s.list(ctx, &finders[i], list); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func sampledRun(r NamedRun) SampledRun {
	c := r.Config
	return SampledRun{
		Name: r.Name, Bags: string(c.Bags), Preset: c.Preset, Documents: r.Len(),
		Index: fmt.Sprintf("m=%d k=%d l=%d, floor %.3g, similarity %.3g, %d neighbours", c.Signatures, c.KeySize, c.Keys, c.Floor, c.Similarity, c.Neighbours),
	}
}

// labelled returns the distinct URLs of a gold, sorted, and the categories of each.
func labelled(g *gold.Gold) (urls []string, paths map[string][]string) {
	paths = map[string][]string{}
	for _, l := range g.Labels {
		path := strings.Join(l.Path, " / ")
		if !slices.Contains(paths[l.URL], path) {
			paths[l.URL] = append(paths[l.URL], path)
		}
	}
	for _, p := range paths {
		slices.Sort(p)
	}
	return slices.Sorted(maps.Keys(paths)), paths
}

// draw chooses the URLs and counts how many each method knows.
func (s *Sample) draw(run string, urls []string, finders []finder) ([]string, error) {
	var known []string
	for _, u := range urls {
		all := true
		for i := range finders {
			_, ok := finders[i].find(u)
			if ok {
				finders[i].Known++
			}
			all = all && ok
		}
		_, first := finders[0].find(u)
		if first {
			s.Known++
		}
		if all {
			s.AllKnow++
		}
		if all || first && !s.Options.Common {
			known = append(known, u)
		}
	}
	if len(known) == 0 {
		what := run
		if s.Known > 0 {
			what = "what all methods know"
		}
		return nil, fmt.Errorf("%s and %s: %w: looked for %d, the first is %s", what, s.Gold, ErrNoOverlap, len(urls), urls[0])
	}
	at := func(u string) uint64 { return xxh3.HashStringSeed(u, s.Options.Seed) }
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(at(a), at(b)), strings.Compare(a, b)) })
	return known[:min(s.Options.N, len(known))], nil
}

func sampleQuery(r *runs.Run, url string, paths []string) SampleQuery {
	id, err := r.Lookup(url)
	if err != nil {
		return SampleQuery{URL: url, Categories: paths, id: NoDocument}
	}
	d := r.Document(id)
	q := SampleQuery{URL: d.URL, Title: d.Title, Crawled: d.Crawled, InLinks: int(d.InLinks), Categories: paths, id: id}
	if quotes := runs.Quotes(r, id); len(quotes) > 0 {
		q.Quote = &quotes[0]
	}
	return q
}

// list adds the lists of one method to all queries.
func (s *Sample) list(ctx context.Context, f *finder, list []NamedRun) error {
	ids := make([]uint32, len(s.Queries))
	for i, q := range s.Queries {
		ids[i] = NoDocument
		if id, ok := f.find(q.URL); ok {
			ids[i] = id
		}
	}
	lists, err := f.lists(ctx, ids, s.Options.Top)
	if err != nil {
		return err
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		l := SampleList{Method: f.Name, Neighbours: []SampleNeighbour{}}
		switch {
		case ids[i] == NoDocument:
			l.Missing = f.unknown
		case len(lists[i]) == 0:
			l.Missing = f.nothing
		}
		for rank, n := range lists[i] {
			n.Rank = rank + 1
			l.Neighbours = append(l.Neighbours, evidence(list, q.id, n))
		}
		q.Lists = append(q.Lists, l)
	}
	return nil
}

// evidence adds what the first run knows about a neighbour, whichever method listed it, so that the evidence does not
// reveal the method.
func evidence(list []NamedRun, q uint32, n SampleNeighbour) SampleNeighbour {
	for _, r := range list {
		id, err := r.Lookup(n.URL)
		if err != nil {
			continue
		}
		n.Title = cmp.Or(n.Title, r.Document(id).Title)
		if r.Run != list[0].Run || q == NoDocument {
			continue
		}
		n.Quote, n.CoLinked = quoteOf(runs.Quotes(r.Run, q), runs.Quotes(r.Run, id))
	}
	return n
}

// quoteOf chooses a sentence from b, the quotes that link to a neighbour, and counts how many are from a page that also
// occurs in a.
func quoteOf(a, b []runs.Quote) (best *runs.Quote, together int) {
	for i := range b {
		same := slices.ContainsFunc(a, func(q runs.Quote) bool { return q.Source != "" && q.Source == b[i].Source })
		if same && together == 0 || best == nil {
			best = &b[i]
		}
		if same {
			together++
		}
	}
	return best, together
}

// Marks returns the marks to make: one for each query and neighbour, with the methods that list it.
func (s *Sample) Marks() []gold.Mark {
	var out []gold.Mark
	for _, q := range s.Queries {
		at := map[string]int{}
		for _, l := range q.Lists {
			for _, n := range l.Neighbours {
				i, ok := at[n.URL]
				if !ok {
					i = len(out)
					at[n.URL] = i
					out = append(out, gold.Mark{Query: q.URL, Neighbour: n.URL})
				}
				out[i].Listed = append(out[i].Listed, gold.Listed{Method: l.Method, Rank: n.Rank})
			}
		}
	}
	return out
}
