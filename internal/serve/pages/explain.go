package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// explanation says why two documents are related, or why not.
type explanation struct {
	A, B       explainedSide
	Similarity *Score
	Verdict    string
	Words      []string // words that contribute most to the similarity
	Parts      shares
	Facts      Facts
	Reason     string // why the run stores the pair, or why not
	Common     []Link // near neighbours of both
	AllCommon  int    // number of these, listed or not
	Terms      []termGroup
	Rest       string // what the table omits
	Empty      Empty  // shown if there are no terms
	Diff       string
}

// explainedSide is one of two documents.
type explainedSide struct {
	side
	Quotes []sentence
	Hidden int // number of quotes not shown
	Empty  Empty
}

// side is one of two documents side by side: partial "side".
type side struct {
	Letter  string // A or B
	Heading string
	URL     string
	To      string
	Notes   []string
	About   string // the sources of the words of its bag, or its shingles
}

// sentence is a sentence that links to one of the two documents.
type sentence struct {
	quote
	Both bool // whether its page links to the other document, too
}

// Bounds on what the page shows.
const (
	mostQuotes = 8    // for each document
	mostTerms  = 1000 // terms that are asked for
	mostCommon = 5    // neighbours of both
	quoteRoom  = 220  // characters before and after the link
)

func showExplain(ctx context.Context, q *Question) (*View, error) {
	x, err := ask.Explain{A: q.Args.Text("a"), B: q.Args.Text("b"), Terms: mostTerms}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	a, b := x.URLA, x.URLB
	w := &explanation{
		A: newSide("A", q, x.A, x.B), B: newSide("B", q, x.B, x.A), Similarity: &Score{x.Similarity, "similarity", Web}, Reason: x.Why, AllCommon: x.AllCommon,
		Parts: sharesOf(x.A.Bag, x.B.Bag, x.SumMin), Terms: termGroups(x.Terms),
	}
	for _, t := range x.Terms[:min(len(x.Terms), 5)] {
		if min(t.A, t.B) > 0 {
			w.Words = append(w.Words, t.Word)
		}
	}
	for _, url := range x.Common[:min(len(x.Common), mostCommon)] {
		w.Common = append(w.Common, Link{short(url), q.Page(url)})
	}
	w.Verdict, w.Rest = verdict(x), restOf(w.Terms, x.AllTerms)
	if x.Texts != nil && a != b {
		w.Diff = q.Diff(a, b)
	}
	w.Facts = explainFacts(q, x)
	w.Empty = Empty{Text: "Neither document has a word of the run: no link to it, and no word of its own, has one."}
	return &View{Title: "Why " + w.A.Heading + " and " + w.B.Heading, Accent: Web, JSON: q.JSON("explain", "a", a, "b", b), Data: w}, nil
}

// verdict describes how similar two documents are.
func verdict(x *ask.ExplainAnswer) string {
	switch s := x.Similarity; {
	case x.URLA == x.URLB:
		return "Both are one document."
	case x.A.Bag == 0 || x.B.Bag == 0:
		return "Nothing is known about one of them, so they cannot be related."
	case x.Content.SumMax == 0:
		return "The web describes " + alike(s) + "."
	case x.Links.SumMax == 0:
		return "Their own texts describe " + alike(s) + "."
	case x.Links.A == 0 || x.Links.B == 0:
		return "No link describes one of them. Their own texts describe " + alike(x.Content.Similarity) + "."
	case x.Content.A == 0 || x.Content.B == 0:
		return "The crawl does not hold the text of one of them. The web describes " + alike(x.Links.Similarity) + "."
	}
	return "The web describes " + alike(x.Links.Similarity) + ". Their own texts describe " + alike(x.Content.Similarity) + "."
}

// alike says how similar the words for two documents are.
func alike(similarity float64) string {
	switch {
	case similarity == 1:
		return "both in exactly the same words"
	case similarity >= 0.5:
		return "both in mostly the same words"
	case similarity >= 0.2:
		return "both in similar words"
	case similarity > 0:
		return "them in different words, with some in common"
	}
	return "them without a word in common"
}

func explainFacts(q *Question, x *ask.ExplainAnswer) Facts {
	f := Facts{}
	if x.Links.SumMax > 0 && x.Content.SumMax > 0 {
		f = append(f, Fact{"What the web says", &Score{x.Links.Similarity, "similarity of the words around links", Web}},
			Fact{"Their own words", &Score{x.Content.Similarity, "similarity of their own words", Text}})
	}
	f = append(f, Fact{"Shared neighbours", &Score{x.Neighbours, "how alike their neighbours are", Web}}, Fact{"Listed together", listed(x.LinkedBy)})
	stored := "no"
	if x.Found {
		stored = "yes"
	}
	f = append(f, Fact{"Stored as related", stored})
	switch {
	case x.Together && x.A.Cluster != nil:
		f = append(f, Fact{"In one topical cluster", Link{clusterName(x.A.Cluster), q.Cluster("topical", x.A.Cluster.ID)}})
	default:
		f = append(f, Fact{"In one topical cluster", "no"})
	}
	f = append(f, Fact{"Signatures that agree", fmt.Sprintf("%d of %d", x.Agreeing, x.Signatures)})
	if t := x.Texts; t != nil {
		f = append(f, Fact{"Texts resemble each other", &Score{t.Resemblance, "resemblance of the texts", Text}})
	}
	return f
}

func listed(by int) string {
	if by == 0 {
		return "by no page"
	}
	return "by " + counted(by, "page", "pages")
}

func clusterName(c *topics.TopicalMembership) string {
	return cmp.Or(c.Label, "around "+short(c.Center))
}

func newSide(letter string, q *Question, s, other ask.ExplainSide) explainedSide {
	d := s.Document
	out := explainedSide{
		side:   side{Letter: letter, Heading: heading(d.Name, d.URL), URL: d.Visit(), To: q.Page(d.URL), About: originsOf(s)},
		Quotes: quotesOf(q, s.Quotes, other.Quotes), Hidden: max(0, len(s.Quotes)-mostQuotes),
		Empty: Empty{Text: "The run holds no sentence that links to it."},
	}
	if !d.Crawled {
		out.Notes = append(out.Notes, "not crawled")
	}
	return out
}

// originsOf says where the words of a bag come from.
func originsOf(s ask.ExplainSide) string {
	if s.Bag == 0 {
		return "no words"
	}
	var parts []string
	for _, p := range []struct {
		n    int
		from string
	}{{s.From.Links, "from what links to it"}, {s.From.Content, "its own words"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%.0f\u00a0%% %s", 100*float64(p.n)/float64(s.Bag), p.from))
		}
	}
	return fmt.Sprintf("%s terms: %s", count(s.Terms), strings.Join(parts, ", "))
}

// quotesOf returns the sentences to show. Those from pages that link to both documents come first.
func quotesOf(q *Question, all, others []runs.Quote) (out []sentence) {
	also := map[string]bool{}
	for _, o := range others {
		also[o.Source] = o.Source != ""
	}
	for _, both := range []bool{true, false} {
		for _, s := range all {
			if also[s.Source] == both && len(out) < mostQuotes {
				from := Link{}
				if s.Source != "" {
					from.Text = short(s.Source)
				}
				if to := q.Page(s.Source); s.Source != "" && len(to) < longURL {
					from.To = to
				}
				s.Before, s.Anchor, s.After = tail(s.Before, quoteRoom), head(s.Anchor, quoteRoom), head(s.After, quoteRoom)
				out = append(out, sentence{quote{s, from}, both})
			}
		}
	}
	return out
}

// head returns the first n characters of a text, and tail the last ones, from the beginning of a word if one is near.
func head(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

func tail(s string, n int) string {
	if r := []rune(s); len(r) > n {
		r = r[len(r)-n:]
		if i := slices.Index(r, ' '); i >= 0 && i < n/2 {
			r = r[i+1:]
		}
		return "…" + string(r)
	}
	return s
}
