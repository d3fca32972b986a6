package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// Evaluation is an evaluation with examples.
type Evaluation struct {
	*evaluate.Evaluation
	Wins []Wins // of the run over the baselines and vice versa
}

// evaluate evaluates a run against a gold.
func measured(ctx context.Context, r *runs.Run, g *gold.Gold, o Options) (*Evaluation, error) {
	e, err := evaluate.Evaluate(ctx, r, g, o.Options)
	if err != nil || o.Examples == 0 {
		return &Evaluation{Evaluation: e}, err
	}
	s, err := evaluate.NewSubject(r, g.Labels, e.Depth)
	if err != nil {
		return nil, err
	}
	run, err := s.Related(ctx, topics.Lookup{})
	if err != nil {
		return nil, err
	}
	out := &Evaluation{Evaluation: e}
	for _, base := range o.Baselines {
		b, err := base.Rank(ctx, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if b.Name = base.Name; err == nil { // Evaluate has warned of an error
			out.Wins = append(out.Wins, wins(s, run, b, o.Examples), wins(s, b, run, o.Examples))
		}
	}
	return out, nil
}

// Wins holds the queries for which the nearest target of one method agrees at the deepest level of the query and that
// of another method does not.
type Wins struct {
	Method   string
	Over     string
	Queries  int
	Examples []Example // sorted by how little the other method agrees, then by descending similarity
}

// Example is a query with the nearest targets of both methods.
type Example struct {
	URL   string
	Title string
	Paths []string
	Right Nearest
	Wrong Nearest
}

// Nearest is the nearest target of a method. URL is empty if there is none.
type Nearest struct {
	URL        string
	Title      string
	Paths      []string
	Similarity float64
	Words      []string // of both bags
}

// wins counts the queries that ranking a wins over b and returns some as examples, one from each list.
func wins(s *evaluate.Subject, a, b score.Ranking, most int) Wins {
	d := s.Directory
	levels := func(r score.Ranking, q int) int {
		if len(r.Lists[q]) == 0 {
			return 0
		}
		return d.Shared(q, int(r.Lists[q][0].Target))
	}
	var won []int
	for q := range d.Len() {
		if mine := levels(a, q); mine > 0 && mine >= d.Deepest(q) && levels(b, q) < mine {
			won = append(won, q)
		}
	}
	slices.SortStableFunc(won, func(x, y int) int {
		return cmp.Or(cmp.Compare(levels(b, x), levels(b, y)), cmp.Compare(a.Lists[y][0].Similarity, a.Lists[x][0].Similarity))
	})
	out := Wins{Method: a.Name, Over: b.Name, Queries: len(won), Examples: []Example{}}
	seen := map[string]bool{}
	for _, q := range won {
		if list := d.List(q); len(out.Examples) < most && !seen[list] {
			seen[list] = true
			out.Examples = append(out.Examples, Example{URL: d.URL(q), Title: title(s, q), Paths: paths(s, q), Right: nearest(s, a, q), Wrong: nearest(s, b, q)})
		}
	}
	return out
}

func nearest(s *evaluate.Subject, r score.Ranking, q int) Nearest {
	if len(r.Lists[q]) == 0 {
		return Nearest{}
	}
	t := int(r.Lists[q][0].Target)
	n := Nearest{URL: s.Directory.URL(t), Title: title(s, t), Paths: paths(s, t), Similarity: r.Lists[q][0].Similarity}
	if s.IDs[q] != eval.NoDocument && s.IDs[t] != eval.NoDocument {
		n.Words = topics.Shared(s.Run, s.IDs[q], s.IDs[t], topics.ByBoth, 8)
	}
	return n
}

func title(s *evaluate.Subject, t int) string {
	if s.IDs[t] == eval.NoDocument {
		return ""
	}
	return s.Run.Document(s.IDs[t]).Title
}

// paths returns the category paths of a target as text.
func paths(s *evaluate.Subject, t int) (out []string) {
	for _, p := range s.Directory.Paths(t) {
		out = append(out, strings.Join(p, " / "))
	}
	return out
}
