package resemble

import "math"

// AtLeastOne is the probability that at least one of the shared shingles is chosen if some of n shingles are chosen at
// random: 1-C(n-shared, chosen)/C(n, chosen). With many shingles it is 1-(1-shared/n)^chosen.
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

// Chance returns a lower bound of the probability with which Pairs finds a document with these shingles together with
// another one that resembles it by r. They must share a sample that is paired, and must not be turned away by their
// sketches, which happens with probability Miss at most. Chance takes the shared shingles as a random choice of the
// document's. paired tells whether all documents that have a shingle were paired by it (see PairedUpTo). The other
// document may be larger; with a smaller one, more samples are compared.
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

// PairedUpTo returns the number of documents up to which it is certain that all documents that have a shingle are
// paired by it: MaxCommon, or less if Pairs paired the documents of some shingles in part (SelfJoinStats.PartlyPaired).
func (c Config) PairedUpTo(inPart bool) int {
	c, _ = c.withDefaults()
	if inPart {
		return min(c.MaxCommon, 2*c.Reach)
	}
	return c.MaxCommon
}
