package resemble

import "math"

// AtLeastOne is the probability that of n shingles, of which some are chosen at
// random, one that is shared is chosen: 1-C(n-shared, chosen)/C(n, chosen). With many
// shingles it is 1-(1-shared/n)^chosen.
func AtLeastOne(n, shared, chosen int) float64 {
	if shared <= 0 || chosen <= 0 {
		return 0
	}
	miss := 1.0
	for i := range chosen {
		if n-shared-i <= 0 {
			return 1
		}
		miss *= float64(n-shared-i) / float64(n-i)
	}
	return 1 - miss
}

// Chance is the least probability with which Pairs finds a document of these shingles
// with another one that resembles it by r: they must share a sample that is paired,
// and not be turned away by the sketches, which happens with probability Miss at
// most. It takes the shared shingles as a random choice of the document's. paired tells
// whether all documents of a shingle were paired by it (see PairedUpTo). The other
// document may be larger; of a smaller one more samples are compared.
func (c Config) Chance(own []uint64, r float64, paired func(value uint64) bool) (float64, error) {
	c, err := c.withDefaults()
	if err != nil || len(own) < c.MinShingles {
		return 0, err
	}
	t := newTiers(c.M)
	samples := 0
	for _, v := range t.sample(nil, own, t.of(len(own))) {
		samples += toInt(paired(v))
	}
	found := AtLeastOne(len(own), int(math.Ceil(r*float64(len(own))-1e-9)), samples)
	return found * (1 - c.Miss), nil
}

// PairedUpTo is the number of documents up to which it is certain that all documents of a
// shingle are paired by it: MaxCommon, or less if Pairs paired some shingles' documents
// in part (JoinStats.PartlyPaired).
func (c Config) PairedUpTo(inPart bool) int {
	c, _ = c.withDefaults()
	if inPart {
		return min(c.MaxCommon, 2*c.Reach)
	}
	return c.MaxCommon
}
