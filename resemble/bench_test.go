package resemble

import (
	"context"
	"math/rand/v2"
	"testing"
)

// benchJoin is a million documents of 16 samples in families of 8 that share half of them.
func benchJoin(b *testing.B) *selfJoin {
	runs := newLists(Resources{Dir: b.TempDir()})
	b.Cleanup(runs.close)
	keys := func(_ int, id uint32, dst []uint64) []uint64 {
		family, own := rand.NewPCG(1, uint64(id/8)), rand.NewPCG(2, uint64(id))
		for range 8 {
			dst = append(dst, family.Uint64()>>24, own.Uint64()>>24)
		}
		return dst
	}
	return &selfJoin{docs: 1 << 20, keys: keys, lists: runs, selfJoinConfig: selfJoinConfig{maxCommon: 1000, reach: 16}}
}

// BenchmarkShingleSort is <shingle, id> to the list of the documents of each shingle.
func BenchmarkShingleSort(b *testing.B) {
	for b.Loop() {
		j := benchJoin(b)
		if err := j.collect(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(16*(1<<20)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkPairForming is lists to the numbers of keys that pairs of documents share.
func BenchmarkPairForming(b *testing.B) {
	j := benchJoin(b)
	j.res.Memory = 1 << 30
	ctx := context.Background()
	if err := j.collect(ctx); err != nil {
		b.Fatal(err)
	}
	j.chooseLimit()
	none := func(int, uint32, []partner) ([]Pair, error) { return nil, nil }
	for b.Loop() {
		if err := j.form(ctx, none, func([]Pair) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(j.stats.PairsFormed)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkPairs is all of Pairs on the RFCs: shingles of all documents a second.
func BenchmarkPairs(b *testing.B) {
	docs := realDocuments(b, "neardup-rfc", 10)
	p := prepare(b, docs, true)
	total := 0
	for _, d := range docs {
		total += len(d.Values)
	}
	for b.Loop() {
		p.pairs(b, Config{})
	}
	b.ReportMetric(float64(total)*float64(b.N)/b.Elapsed().Seconds(), "shingles/s")
}

// BenchmarkCompare is the exact comparison of two documents of 1,000 shingles.
func BenchmarkCompare(b *testing.B) {
	m := newMaker()
	changed(m, 1, 1000, 0.5)
	c := comparer{docs: m.docs}
	for b.Loop() {
		overlap(c.pair(0, 1))
	}
}
