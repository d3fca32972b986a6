package evaluate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// Subject is a run together with the targets of a directory.
type Subject struct {
	Run       *runs.Run
	Directory *score.Directory
	IDs       []uint32      // document of each target, or eval.NoDocument
	Known     int           // number of targets that the run holds
	Unknown   []string      // the first few targets that it does not hold
	CoLinks   score.CoLinks // targets that some page links to together; nil if not requested or unknown

	most int // see cut
}

// unknownExamples is the number of unknown targets to name.
const unknownExamples = 5

// NewSubject looks up the targets of the labels in a run. The error wraps ErrNoOverlap if the run holds none of them.
func NewSubject(r *runs.Run, labels []score.Label, depth int) (*Subject, error) {
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
		s.IDs[i] = eval.NoDocument
		if len(s.Unknown) < unknownExamples {
			s.Unknown = append(s.Unknown, d.URL(i))
		}
	}
	if s.Known == 0 {
		return nil, fmt.Errorf("%w: looked for %d, the first is %s", eval.ErrNoOverlap, d.Len(), d.URL(0))
	}
	return s, nil
}

// known returns the labels whose URLs the run holds.
func (s *Subject) known(labels []score.Label) (some []score.Label) {
	for _, l := range labels {
		if i, ok := s.Directory.Index(l.URL); ok && s.IDs[i] != eval.NoDocument {
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
		if id != eval.NoDocument {
			c.Of[t], c.Size[t] = center[id], size[center[id]]
		}
	}
	return c
}

// targets maps the documents that are targets to their numbers.
func (s *Subject) targets() map[uint32]int32 {
	of := make(map[uint32]int32, s.Known)
	for t, id := range s.IDs {
		if id != eval.NoDocument {
			of[id] = int32(t)
		}
	}
	return of
}

// Related ranks the neighbours of each target as [topics.Related] answers with a lookup. It takes whole lists,
// whatever the Top of the lookup, and skips documents that are not targets.
func (s *Subject) Related(ctx context.Context, how topics.Lookup) (score.Ranking, error) {
	target := s.targets()
	how.Top = math.MaxInt
	return s.rank(ctx, func(id uint32) (list []score.Neighbour, err error) {
		for _, n := range topics.Related(s.Run, id, how) {
			if other, ok := target[n.ID]; ok {
				list = append(list, score.Neighbour{Target: other, Similarity: float64(n.Relatedness)})
			}
		}
		return list, nil
	})
}

// rank makes the list of each target that is a document, several at a time.
func (s *Subject) rank(ctx context.Context, list func(id uint32) ([]score.Neighbour, error)) (score.Ranking, error) {
	out := score.Ranking{Name: "related", Lists: make([][]score.Neighbour, len(s.IDs))}
	err := parallel.Each(ctx, len(s.IDs), runtime.GOMAXPROCS(0), func(_, t int) error {
		if s.IDs[t] == eval.NoDocument {
			return nil
		}
		var err error
		out.Lists[t], err = list(s.IDs[t])
		return err
	})
	return out, err
}

// rankingBytes is the memory for the lists of the baseline exact. In 1 GiB, the lists of 8,192 targets are whole.
const rankingBytes = 1 << 30

// listsWithin returns the maximum length of lists with which a ranking of the given number of targets takes about
// rankingBytes: 0 if whole lists fit, otherwise at least 100.
func listsWithin(targets int) int {
	const neighbour = 16
	if n := rankingBytes / neighbour / max(targets, 1); n < targets {
		return max(100, n)
	}
	return 0
}

// cut ends a list after s.most neighbours that are not co-linked with the target. So the cut list, with or without
// co-linked pairs, has a neighbour if the whole list has one, and the same agreement, hit and precision. Gamma differs,
// because everything after the end has similarity 0: with 1,000 of 8,129 targets the unrelated gamma of tf-idf was
// .282, with whole lists .231.
func (s *Subject) cut(q int, list []score.Neighbour) []score.Neighbour {
	apart := 0
	for i, n := range list {
		if s.CoLinks != nil {
			if _, together := slices.BinarySearch(s.CoLinks[q], n.Target); together {
				continue
			}
		}
		if apart++; apart == s.most {
			return slices.Clone(list[:i+1])
		}
	}
	return slices.Clip(list)
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
		if id != eval.NoDocument {
			for _, page := range s.Run.Sources.Of(id) {
				linked[page] = append(linked[page], int32(t))
			}
		}
	}
	out := make(score.CoLinks, len(s.IDs))
	last := make([]int, len(s.IDs)) // last target whose list holds it, from 1
	total := 0
	for t, id := range s.IDs {
		if id == eval.NoDocument {
			continue
		}
		last[t] = t + 1
		for _, page := range s.Run.Sources.Of(id) {
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
