package tune

import (
	"context"
	"slices"

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

// keySizes returns the sizes of keys that are tried if rows have m signatures.
func (g IndexGoal) keySizes(m int) (sizes []int) {
	if g.K > 0 {
		return []int{g.K}
	}
	for k := min(2, m); k <= min(mostSize, m); k++ {
		sizes = append(sizes, k)
	}
	return sizes
}

// maxBuckets returns the sizes of the largest bucket that are tried.
func (g IndexGoal) maxBuckets() []int {
	if g.MaxBucket > 0 {
		return []int{g.MaxBucket}
	}
	return bucketSizes
}

// IndexChoice is an index with what it does for a sample.
type IndexChoice struct {
	K, L      int
	MaxBucket int
	Recall    float64 // share of the nearest rows of the sample that share a bucket which is paired in full
	Formed    float64 // pairs formed for each row, with repeats
}

// Candidates of a choice.
const (
	mostSize = 6   // signatures of a key
	mostKeys = 192 // keys
)

// bucketSizes are the sizes of the largest bucket that are tried.
var bucketSizes = []int{10, 20, 40, 80, 160}

// cost estimates the processor time for each row in units of about 0.1 µs. Measured on the directory set: making and
// sorting a key takes 0.28 µs, a pair that meets in a bucket 0.15 µs, and what follows for a new pair several times
// that, but most pairs meet again and again.
func (c IndexChoice) cost() float64 { return 3*float64(c.L) + 3*c.Formed }

// ChooseIndex returns the cheapest index that reaches the goal on a sample, and if none does, the one that finds most.
// It makes the keys of all rows, and counts how many rows share each key of the sample; so it does not depend on any
// formula. The choice follows the size of the crawl: if it grows, the buckets of short keys grow beyond the largest one
// that is paired in full, and longer keys become the cheaper ones.
func ChooseIndex(ctx context.Context, sigs lsh.Signatures, sample []Sampled, goal IndexGoal) (best IndexChoice, err error) {
	if sigs.Len() == 0 || len(sample) == 0 {
		return IndexChoice{K: goal.keySizes(sigs.M)[0], L: 1, MaxBucket: goal.maxBuckets()[0]}, nil
	}
	rows := make([]uint32, len(sample))
	for i, s := range sample {
		rows[i] = s.Row
	}
	reached := false
	for _, k := range goal.keySizes(sigs.M) {
		x, err := lsh.NewIndex(sigs.M, k, min(mostKeys, lsh.MostKeys(sigs.M, k)), goal.Seed)
		if err != nil {
			return best, err
		}
		sizes, err := x.BucketSizes(ctx, sigs, lsh.Config{Workers: goal.Workers, MaxBucket: slices.Max(goal.maxBuckets())}, rows)
		if err != nil {
			return best, err
		}
		improved := false
		for _, most := range goal.maxBuckets() {
			c := tryIndex(x, sigs, sample, sizes, most, goal.Recall)
			enough := c.Recall >= goal.Recall
			if best.K == 0 || enough && !reached || enough == reached && (enough && c.cost() < best.cost() || !enough && c.Recall > best.Recall) {
				best, reached, improved = c, enough, true
			}
		}
		if reached && !improved {
			break // even longer keys need even more of them
		}
	}
	return best, nil
}

// tryIndex adds keys until the goal is reached. sizes has the sizes of the buckets of the sample for each key.
func tryIndex(x *lsh.Index, sigs lsh.Signatures, sample []Sampled, sizes [][]int, most int, recall float64) IndexChoice {
	c := IndexChoice{K: x.K, MaxBucket: most}
	var open []meeting // pairs that have not met
	for i, s := range sample {
		for _, near := range s.Near {
			open = append(open, meeting{i, minhash.Mask(sigs.Row(int(s.Row)), sigs.Row(int(near)))})
		}
	}
	all, formed := len(open), 0
	for j := 0; j < x.L && (c.L == 0 || c.Recall < recall); j++ {
		for _, size := range sizes[j] {
			if size <= most {
				formed += size - 1
			}
		}
		subset := maskOf(x.Subsets[j])
		rest := open[:0]
		for _, m := range open {
			if sizes[j][m.of] > most || !m.equal.Contains(subset) {
				rest = append(rest, m)
			}
		}
		open = rest
		c.L, c.Recall = j+1, 1-float64(len(open))/float64(max(1, all))
	}
	c.Formed = float64(formed) / 2 / float64(len(sample))
	return c
}

// meeting is a pair of a row of the sample and one that is near it, and the signatures in which the two are equal.
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
