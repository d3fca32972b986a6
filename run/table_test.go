package run

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// pairRows is n pairs as the topical view has them: runs of one url_a, 10 of a
// size, and url_b drawn from the same documents.
func pairRows(n int) []TopicalPairRow {
	rng := rand.New(rand.NewPCG(1, 2))
	urls := make([]string, max(n/10, 1))
	for i := range urls {
		urls[i] = fmt.Sprintf("https://www.host%05d.example.org/section-%02d/article/%08x.html", rng.IntN(len(urls)/20+1), rng.IntN(40), rng.Uint32())
	}
	rows := make([]TopicalPairRow, n)
	for i := range rows {
		rows[i] = TopicalPairRow{urls[i/10%len(urls)], urls[rng.IntN(len(urls))], float32(rng.IntN(81)) / 80, rng.Float32()}
	}
	return rows
}

func BenchmarkTopicalPairs(b *testing.B) {
	rows := pairRows(4 << 20)
	path := filepath.Join(b.TempDir(), TopicalPairsTable)
	for b.Loop() {
		w, err := CreateTable[TopicalPairRow](path)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(rows); i += 1000 {
			if err := w.Write(rows[i:min(i+1000, len(rows))]...); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	in, _ := DigestFile(b.Context(), path)
	b.ReportMetric(float64(in.Bytes)/float64(len(rows)), "bytes/row")
}
