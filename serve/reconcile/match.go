package reconcile

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/urls"
)

// The features, and the weights of those that add up to a score. A candidate has either those of a URL or those of a name.
const (
	featureURL   = "url"          // how alike the URLs are: 1 if the run has the one that was asked for
	featureName  = "name"         // share of the words of either name that both have: 1 if the names are equal
	featureWords = "words"        // how well the words fit the links to the document, its title and its text
	featureHosts = "inlink_hosts" // hosts that link to it; it decides between equal scores

	weightName  = 0.7
	weightWords = 0.3
	nearURL     = 0.8 // of a URL that is only like the one that was asked for
)

// Bounds of the work of a query.
const (
	mostWords    = 32
	mostBytes    = 2048 // of a URL, or of the first words
	mostMatched  = 200  // documents that the words find and whose names are compared
	mostFiltered = 1000 // the same, if conditions leave some out
)

// hit is a document that a query finds.
type hit struct {
	id       uint32
	score    float64
	match    bool
	features []Feature
}

// candidates returns the documents that a query may mean.
func (s *Service) candidates(q *question) ([]Candidate, error) {
	w, given, err := q.conditions()
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, u := range append(given, q.Query) {
		hits = append(hits, s.byURL(strings.TrimSpace(u))...)
	}
	if q.Query != "" && len(hits) == 0 {
		named, err := s.byName(q.Query, w)
		if err != nil {
			return nil, err
		}
		hits = append(hits, named...)
	}
	out, seen := []Candidate{}, map[uint32]bool{}
	for _, h := range s.ranked(hits) {
		if d := s.Run.Document(h.id); !seen[h.id] && w.fits(&d, h.score) && len(out) < w.limit {
			out = append(out, s.candidate(h, &d))
		}
		seen[h.id] = true
	}
	return out, nil
}

// ranked sorts hits by their scores, then by the number of hosts that link to them.
func (s *Service) ranked(hits []hit) []hit {
	slices.SortStableFunc(hits, func(a, b hit) int {
		x, y := s.Run.Document(a.id), s.Run.Document(b.id)
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(y.InHosts, x.InHosts), strings.Compare(x.URL, y.URL))
	})
	return hits
}

// fits reports whether a document meets the conditions of a query.
func (w *wanted) fits(d *query.Document, score float64) bool {
	host := urls.Host(d.URL)
	ofHost := func(h string) bool {
		h = strings.ToLower(strings.TrimPrefix(h, "www."))
		return host == h || strings.HasSuffix(host, "."+h)
	}
	return score >= w.least && (len(w.hosts) == 0 || slices.ContainsFunc(w.hosts, ofHost)) &&
		(len(w.languages) == 0 || slices.Contains(w.languages, d.Language)) && (d.Crawled || !slices.Contains(w.types, crawledPage.ID))
}

func (s *Service) candidate(h hit, d *query.Document) Candidate {
	description := d.URL
	if label := s.topic(h.id).Label; len(label) > 0 {
		description += " · " + strings.Join(label, ", ")
	}
	return Candidate{
		ID: d.URL, Name: s.name(h.id, d), Description: description, Score: h.score, Match: h.match, Types: typesOf(d.Crawled),
		Features: append(h.features, Feature{featureHosts, float64(d.InHosts)}),
	}
}

// name returns the title of a document, or what most links call it, or its URL.
func (s *Service) name(id uint32, d *query.Document) string {
	if d.Title != "" {
		return d.Title
	}
	if anchors := s.Run.Anchors(id, 1); len(anchors) > 0 && anchors[0] != "" {
		return anchors[0]
	}
	return d.URL
}

// byURL returns the document at a URL, or those at URLs like it. It returns none for a text that is no URL.
func (s *Service) byURL(u string) []hit {
	if !strings.ContainsAny(u, "./") || len(u) > mostBytes || strings.ContainsFunc(u, unicode.IsSpace) {
		return nil
	}
	if id, err := s.Run.Lookup(u); err == nil {
		return []hit{{id, 100, true, []Feature{{featureURL, 1}}}}
	}
	var out []hit
	for _, near := range s.Run.Nearest(u) {
		if id, err := s.Run.Lookup(near); err == nil {
			x := alike(u, near)
			out = append(out, hit{id, rounded(100 * nearURL * x), false, []Feature{{featureURL, rounded(x)}}})
		}
	}
	return out
}

// alike returns the share of two URLs that their common beginning takes, without the scheme, www and the suffix .html.
func alike(a, b string) float64 {
	a, b = bare(a), bare(b)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return 2 * float64(n) / float64(max(1, len(a)+len(b)))
}

func bare(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	u = strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(u, "www.")), "/")
	return strings.TrimSuffix(u, ".html")
}

// byName returns the documents that words name.
func (s *Service) byName(text string, w wanted) ([]hit, error) {
	fields := strings.Fields(text[:min(len(text), mostBytes)])
	text = strings.Join(fields[:min(len(fields), mostWords)], " ")
	words, err := s.Run.Words(text)
	if err != nil {
		if errors.Is(err, query.ErrNoWords) {
			err = nil
		}
		return nil, err
	}
	most := mostMatched
	if len(w.hosts)+len(w.languages)+len(w.types) > 0 {
		most = mostFiltered
	}
	asked := nameWords(text)
	var out []hit
	equal := 0
	for _, m := range s.Run.Ranked(words, most) {
		d := s.Run.Document(m.ID)
		name := shared(asked, nameWords(s.name(m.ID, &d)))
		same := name == 1 && len(asked) > 1 && w.fits(&d, 100)
		if same {
			equal++
		}
		out = append(out, hit{m.ID, rounded(100 * (weightName*name + weightWords*m.Score)), same, []Feature{{featureName, rounded(name)}, {featureWords, rounded(m.Score)}}})
	}
	for i := range out {
		out[i].match = out[i].match && equal == 1 // of namesakes none is certain
	}
	return out, nil
}

// nameWords returns the words of a name, in lower case and in order, each once.
func nameWords(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	slices.Sort(words)
	return slices.Compact(words)
}

// shared returns the share of the words of either list that both have.
func shared(a, b []string) float64 {
	both := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			both++
		}
	}
	return float64(both) / float64(max(1, len(a)+len(b)-both))
}

// rounded returns a number with three decimals.
func rounded(x float64) float64 { return math.Round(1000*x) / 1000 }
