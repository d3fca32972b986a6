package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/query"
)

// Subject is a run together with the targets of a directory.
type Subject struct {
	Run       *query.Run
	Directory *score.Directory
	IDs       []uint32      // document of each target, or NoDocument
	Known     int           // number of targets that the run holds
	Unknown   []string      // the first few targets that it does not hold
	CoLinks   score.CoLinks // targets that some page links to together; nil if not requested or unknown
	Warnings  []string      // reasons why the lists of a baseline are doubtful

	most int // see cut
}

// NoDocument is the id of a target that is not a document of the run.
const NoDocument = ^uint32(0)

// ErrNoOverlap is wrapped by the error for a run that holds none of the targets.
var ErrNoOverlap = errors.New("the run holds none of the URLs of the gold")

// unknownExamples is the number of unknown targets to name.
const unknownExamples = 5

// NewSubject looks up the targets of the labels in a run. The error wraps ErrNoOverlap if the run holds none of them.
func NewSubject(r *query.Run, labels []score.Label, depth int) (*Subject, error) {
	d, err := score.NewDirectory(labels, depth)
	if err != nil {
		return nil, err
	}
	s := &Subject{Run: r, Directory: d, IDs: make([]uint32, d.Len())}
	for i := range s.IDs {
		if s.IDs[i], err = r.Lookup(d.URL(i)); err == nil {
			s.Known++
			continue
		}
		s.IDs[i] = NoDocument
		if len(s.Unknown) < unknownExamples {
			s.Unknown = append(s.Unknown, d.URL(i))
		}
	}
	if s.Known == 0 {
		return nil, fmt.Errorf("%w: looked for %d, the first is %s", ErrNoOverlap, d.Len(), d.URL(0))
	}
	return s, nil
}

// known returns the labels whose URLs the run holds.
func (s *Subject) known(labels []score.Label) (some []score.Label) {
	for _, l := range labels {
		if i, ok := s.Directory.Index(l.URL); ok && s.IDs[i] != NoDocument {
			some = append(some, l)
		}
	}
	return some
}

// Clusters restricts a clustering of the documents of the run to the targets. center[id] is the center of document id.
func (s *Subject) Clusters(name string, center []uint32) score.Clusters {
	c := score.Clusters{Name: name, Of: make([]uint32, len(s.IDs)), Size: make([]int, len(s.IDs))}
	size := make([]int, len(center))
	for _, of := range center {
		size[of]++
	}
	for t, id := range s.IDs {
		c.Of[t] = score.NoCluster
		if id != NoDocument {
			c.Of[t], c.Size[t] = center[id], size[center[id]]
		}
	}
	return c
}

// Related ranks the neighbours of each target as [query.Run.Related] answers with a lookup. It takes whole lists,
// whatever the Top of the lookup, and skips documents that are not targets.
func (s *Subject) Related(ctx context.Context, how query.Lookup) (score.Ranking, error) {
	target := make(map[uint32]int32, s.Known)
	for t, id := range s.IDs {
		if id != NoDocument {
			target[id] = int32(t)
		}
	}
	how.Top = math.MaxInt
	out := score.Ranking{Name: "related", Lists: make([][]score.Neighbour, len(s.IDs))}
	err := parallel.Each(ctx, len(s.IDs), runtime.GOMAXPROCS(0), func(_, t int) error {
		if s.IDs[t] == NoDocument {
			return nil
		}
		for _, n := range s.Run.Related(s.IDs[t], how) {
			if other, ok := target[n.ID]; ok {
				out.Lists[t] = append(out.Lists[t], score.Neighbour{Target: other, Similarity: float64(n.Relatedness)})
			}
		}
		return nil
	})
	return out, err
}

// both scores a ranking over all pairs and, if co-linked pairs are known, without them.
func (s *Subject) both(r score.Ranking, measure score.Options) []score.RankingScores {
	out := []score.RankingScores{s.Directory.ScoreRanking(r, measure)}
	if s.CoLinks != nil {
		measure.Barred = s.CoLinks
		out = append(out, s.Directory.ScoreRanking(r, measure))
	}
	return out
}

// maxCoLinks limits the number of pairs of co-linked targets, counted both ways, to 1 GiB.
const maxCoLinks = 1 << 28

// coLinked returns, for each target, the targets that some page links to together with it, in ascending order. The run
// recorded only the links that it uses, so a page's link to itself, whose words are in no bag, does not count.
func (s *Subject) coLinked() (score.CoLinks, error) {
	linked := map[uint64][]int32{} // targets that a page links to
	for t, id := range s.IDs {
		if id != NoDocument {
			for _, page := range s.Run.Sources(id) {
				linked[page] = append(linked[page], int32(t))
			}
		}
	}
	out := make(score.CoLinks, len(s.IDs))
	last := make([]int, len(s.IDs)) // last target whose list holds it, from 1
	total := 0
	for t, id := range s.IDs {
		if id == NoDocument {
			continue
		}
		last[t] = t + 1
		for _, page := range s.Run.Sources(id) {
			for _, u := range linked[page] {
				if last[u] != t+1 {
					last[u] = t + 1
					out[t] = append(out[t], u)
				}
			}
		}
		slices.Sort(out[t])
		if total += len(out[t]); total > maxCoLinks {
			return nil, fmt.Errorf("more than %d pairs of targets are linked together by some page", maxCoLinks/2)
		}
	}
	return out, nil
}

// Wins holds the queries for which the nearest target of one method agrees at the deepest level of the query and that
// of another method does not.
type Wins struct {
	Method   string    `json:"method"`
	Over     string    `json:"over"`
	Queries  int       `json:"queries"`
	Examples []Example `json:"examples"` // sorted by how little the other method agrees, then by descending similarity
}

// Example is a query with the nearest targets of both methods.
type Example struct {
	URL   string   `json:"url"`
	Title string   `json:"title,omitempty"`
	Paths []string `json:"paths"`
	Right Nearest  `json:"right"`
	Wrong Nearest  `json:"wrong"`
}

// Nearest is the nearest target of a method. URL is empty if there is none.
type Nearest struct {
	URL        string   `json:"url,omitempty"`
	Title      string   `json:"title,omitempty"`
	Paths      []string `json:"paths,omitempty"`
	Similarity float64  `json:"similarity,omitempty"`
	Words      []string `json:"words,omitempty"` // of both bags
}

// wins counts the queries that ranking a wins over b and returns some as examples, one from each list.
func (s *Subject) wins(a, b score.Ranking, most int) Wins {
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
			out.Examples = append(out.Examples, Example{URL: d.URL(q), Title: s.title(q), Paths: s.paths(q), Right: s.nearest(a, q), Wrong: s.nearest(b, q)})
		}
	}
	return out
}

func (s *Subject) nearest(r score.Ranking, q int) Nearest {
	if len(r.Lists[q]) == 0 {
		return Nearest{}
	}
	t := int(r.Lists[q][0].Target)
	n := Nearest{URL: s.Directory.URL(t), Title: s.title(t), Paths: s.paths(t), Similarity: r.Lists[q][0].Similarity}
	if s.IDs[q] != NoDocument && s.IDs[t] != NoDocument {
		n.Words = s.Run.Shared(s.IDs[q], s.IDs[t], query.ByBoth, sampleWords)
	}
	return n
}

func (s *Subject) title(t int) string {
	if s.IDs[t] == NoDocument {
		return ""
	}
	return s.Run.Document(s.IDs[t]).Title
}

// paths returns the category paths of a target as text.
func (s *Subject) paths(t int) (out []string) {
	for _, p := range s.Directory.Paths(t) {
		out = append(out, pathName(p))
	}
	return out
}
