package tune

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Sampled is a row of a sample, and the rows that are exactly the most similar to it.
type Sampled struct {
	Row  uint32
	Near []uint32
}

// IndexGoal says what an index must do.
type IndexGoal struct {
	Recall    float64 // share of the nearest rows that the index must find
	K         int     // signatures of a key; 0 to choose
	MaxBucket int     // size of the largest bucket that is paired in full; 0 to choose
	Seed      uint64  // of the subsets of the index
	Workers   int
}

// keySizes returns the sizes of keys to try if rows have m signatures.
func (g IndexGoal) keySizes(m int) (sizes []int) {
	if g.K > 0 {
		return []int{g.K}
	}
	for k := min(2, m); k <= min(mostSize, m); k++ {
		sizes = append(sizes, k)
	}
	return sizes
}

// maxBuckets returns the sizes of the largest bucket to try.
func (g IndexGoal) maxBuckets() []int {
	if g.MaxBucket > 0 {
		return []int{g.MaxBucket}
	}
	return bucketSizes
}

// IndexChoice is an index with its measurements on a sample.
type IndexChoice struct {
	K, L      int
	MaxBucket int
	Recall    float64 // share of the nearest rows of the sample that share a bucket paired in full
	Formed    float64 // pairs formed per row, with repeats
}

// Candidates of a choice.
const (
	mostSize = 6   // signatures of a key
	mostKeys = 192 // keys
)

// bucketSizes are the sizes of the largest bucket to try.
var bucketSizes = []int{10, 20, 40, 80, 160}

// Cost estimates the processor time per row in units of about 0.1 µs. Measured on the directory set: making and sorting
// a key takes 0.28 µs, a pair that meets in a bucket 0.15 µs, and processing a new pair several times that, but most
// pairs meet again and again.
func (c IndexChoice) Cost() float64 { return 3*float64(c.L) + 3*c.Formed }

// ChooseIndex returns the cheapest index that reaches the goal on a sample or, if none does, the one that finds most.
// It makes the keys of all rows and counts how many rows share each key of the sample, so it does not depend on any
// formula. The choice follows the size of the crawl: if it grows, the buckets of short keys outgrow the largest one
// that is paired in full, and longer keys become cheaper.
func ChooseIndex(ctx context.Context, sigs lsh.Signatures, sample []Sampled, goal IndexGoal) (best IndexChoice, err error) {
	if sigs.Len() == 0 || len(sample) == 0 {
		return IndexChoice{K: goal.keySizes(sigs.M)[0], L: 1, MaxBucket: goal.maxBuckets()[0]}, nil
	}
	c := &chooser{sigs: sigs, sample: sample, goal: goal, workers: goal.Workers, bound: math.Inf(1)}
	c.workers = cmp.Or(c.workers, runtime.GOMAXPROCS(0))
	reached := false
	for _, k := range goal.keySizes(sigs.M) {
		tried, err := c.try(ctx, k)
		if err != nil {
			return best, err
		}
		improved := false
		for _, t := range tried {
			enough := t.Recall >= goal.Recall
			if best.K == 0 || enough && !reached || enough == reached && (enough && t.Cost() < best.Cost() || !enough && t.Recall > best.Recall) {
				best, reached, improved = t.IndexChoice, enough, true
			}
		}
		if reached && !improved {
			break // even longer keys need even more keys
		}
	}
	return best, nil
}

// chooser tries indexes on a sample.
type chooser struct {
	sigs    lsh.Signatures
	sample  []Sampled
	goal    IndexGoal
	workers int
	bound   float64 // cost of the cheapest index so far that reaches the goal
}

// partKeys is the number of keys that one worker makes in one pass over the signatures.
const partKeys = 16

// try adds keys of k signatures until, for each size of the largest bucket, the goal is reached or cannot be reached at
// less cost than another index's. It makes no more keys than needed.
func (c *chooser) try(ctx context.Context, k int) ([]indexTrial, error) {
	x, err := lsh.NewIndex(c.sigs.M, k, min(mostKeys, lsh.MostKeys(c.sigs.M, k)), c.goal.Seed)
	if err != nil {
		return nil, err
	}
	trials := c.trials(k)
	for from := 0; from < x.L && slices.ContainsFunc(trials, c.goesOn); from += partKeys * c.workers {
		to := min(from+partKeys*c.workers, x.L)
		sizes, err := c.bucketSizes(ctx, x.Part(from, to))
		if err != nil {
			return nil, err
		}
		for i := range trials {
			t := &trials[i]
			for j := from; j < to && c.goesOn(*t); j++ {
				t.add(sizes[j-from], maskOf(x.Subsets[j]))
			}
			if t.Recall >= c.goal.Recall {
				c.bound = min(c.bound, t.Cost())
			}
		}
	}
	return trials, nil
}

// goesOn reports whether more keys may make an index the best one.
func (c *chooser) goesOn(t indexTrial) bool {
	return t.L == 0 || t.Recall < c.goal.Recall && t.Cost() < c.bound
}

// bucketSizes returns for each key of an index the sizes of the buckets of the sample.
func (c *chooser) bucketSizes(ctx context.Context, x *lsh.Index) ([][]int, error) {
	rows := make([]uint32, len(c.sample))
	for i, s := range c.sample {
		rows[i] = s.Row
	}
	sizes := make([][]int, x.L)
	err := parallel.Each(ctx, (x.L+partKeys-1)/partKeys, c.workers, func(_, i int) error {
		from := i * partKeys
		some, err := x.Part(from, min(from+partKeys, x.L)).BucketSizes(ctx, c.sigs, lsh.Config{Workers: 1, MaxBucket: slices.Max(c.goal.maxBuckets())}, rows)
		copy(sizes[from:], some)
		return err
	})
	return sizes, err
}

// indexTrial is an index under construction with its measurements on the sample.
type indexTrial struct {
	IndexChoice
	all, formed, sampled int
	open                 []meeting // pairs that have not met
}

// trials returns an index without keys for each size of the largest bucket.
func (c *chooser) trials(k int) (out []indexTrial) {
	var all []meeting
	for i, s := range c.sample {
		for _, near := range s.Near {
			all = append(all, meeting{i, minhash.Mask(c.sigs.Row(int(s.Row)), c.sigs.Row(int(near)))})
		}
	}
	for _, most := range c.goal.maxBuckets() {
		out = append(out, indexTrial{
			IndexChoice: IndexChoice{K: k, MaxBucket: most}, all: len(all), sampled: len(c.sample), open: slices.Clone(all),
		})
	}
	return out
}

// add adds a key, given the sizes of the buckets of the sample.
func (t *indexTrial) add(sizes []int, subset minhash.Bits) {
	for _, size := range sizes {
		if size <= t.MaxBucket {
			t.formed += size - 1
		}
	}
	t.open = slices.DeleteFunc(t.open, func(m meeting) bool { return sizes[m.of] <= t.MaxBucket && m.equal.Contains(subset) })
	t.L++
	t.Recall = 1 - float64(len(t.open))/float64(max(1, t.all))
	t.Formed = float64(t.formed) / 2 / float64(t.sampled)
}

// meeting is a pair of a row of the sample and one near it, and the signatures in which the two are equal.
type meeting struct {
	of    int
	equal minhash.Bits
}

func maskOf(subset []uint8) (mask minhash.Bits) {
	for _, i := range subset {
		mask[i>>6] |= 1 << (i & 63)
	}
	return mask
}
