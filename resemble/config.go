package resemble

import (
	"cmp"
	"fmt"

	"github.com/lshclust/lshclust/shingles"
)

// Config selects the pairs to find, and limits the work for finding them. Zero fields mean the defaults.
type Config struct {
	// M is the modulus of the sketches: about one shingle in M is sampled; 25. Short documents are sampled more finely
	// (see Pairs).
	M uint64
	// Floor is the least resemblance of emitted pairs; 0.5. Clusters at lower thresholds cannot be made later.
	Floor float64
	// Containment is the least containment, in either direction, from which pairs are emitted too; 0.8. If it is more
	// than 1, containment is ignored.
	Containment float64
	// MinShingles is the least number of shingles, without boilerplate, that a document must have to be compared; 4.
	// Resemblance means nothing for shorter ones, which are found only if they are equal.
	MinShingles int
	// MaxCommon is the number of documents from which on a shingle is common; 1000. All documents of common samples are
	// paired with one another only if these are 2^24 pairs at most. If a text has many more different versions than
	// that, some of them are not paired, and Stats.MostlyIgnored is large.
	MaxCommon int
	// MaxPairs bounds the pairs formed by all shared samples, repeats included. If there would be more, the documents
	// of the most frequent samples are paired in part. 0 means 2^27, or 4 for each sampled shingle if that is more.
	// Reach+1 pairs for each sampled shingle may be formed in any case.
	MaxPairs int64
	// Reach is the number of following documents with which each document of such a sample is paired, in addition to
	// the first; 16, and a quarter of it for common ones.
	Reach int
	// Miss is the probability that sketches turn away a pair exactly at Floor or Containment; 0.001.
	Miss float64
	Resources
}

func (c Config) withDefaults() (Config, error) {
	c.Floor, c.Containment, c.Miss = cmp.Or(c.Floor, 0.5), cmp.Or(c.Containment, 0.8), cmp.Or(c.Miss, 0.001)
	c.M, c.MinShingles = cmp.Or(c.M, shingles.DefaultM), cmp.Or(c.MinShingles, 4)
	c.MaxCommon, c.Reach = cmp.Or(c.MaxCommon, 1000), cmp.Or(c.Reach, 16)
	switch {
	case !(c.Floor > 0 && c.Floor <= 1):
		return c, fmt.Errorf("resemble: floor %v: want more than 0, 1 at most", c.Floor)
	case !(c.Containment > 0):
		return c, fmt.Errorf("resemble: containment %v: want more than 0", c.Containment)
	case !(c.Miss > 0 && c.Miss < 1):
		return c, fmt.Errorf("resemble: miss %v: want between 0 and 1", c.Miss)
	case c.MaxCommon < 2 || c.MaxCommon > 1<<24:
		return c, fmt.Errorf("resemble: common above %d: want 2 to 2^24", c.MaxCommon)
	case c.MinShingles < 0 || c.MaxPairs < 0 || c.Reach < 1 || c.Memory < 0:
		return c, fmt.Errorf("resemble: a number out of range in %+v", c)
	}
	return c, nil
}

// Stats counts what Pairs or SuperPairs did. No count depends on workers or memory.
type Stats struct {
	Documents         uint64
	Representatives   uint64 // one for each set of equal documents; the following fields count representatives
	Empty             uint64 // without shingles
	Notices           uint64 // with a notice in place of content: not compared
	Short             uint64 // with fewer than MinShingles: not compared
	Fine              uint64 // sampled more finely than one in M
	Stripped          uint64 // compared without boilerplate
	Scant             uint64 // of these, by less than a quarter of their shingles
	MostlyBoilerplate uint64 // consist of boilerplate and little else: compared with it
	MostlyIgnored     uint64 // at least half of the samples that pair it paired in part: may lack pairs

	SelfJoin SelfJoinStats

	TurnedAway uint64 // pairs that are too unlikely by their sketches, or not similar by their outlines
	Compared   uint64 // pairs compared exactly
	Similar    uint64 // of the compared pairs, emitted with Floor or more
	Contained  uint64 // of the compared pairs, emitted with less, for their containment
}
