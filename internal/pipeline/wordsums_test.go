package pipeline

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/text"
)

// TestWordSums checks that the drained counts add up to the added ones, whatever the memory.
func TestWordSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, memory := range []int64{0, 1 << 18, 1 << 24} {
		t.Run(fmt.Sprint(memory), func(t *testing.T) {
			sums, drains := newWordSums(memory), 0
			want, got := map[string]uint64{}, map[string]uint64{}
			drain := func() {
				drains++
				err := sums.drain(func(rec []byte) error {
					count := binary.BigEndian.Uint64(rec[8+text.MaxWord:])
					if count == 0 {
						t.Fatalf("%q without a count", rec)
					}
					got[string(rec[:8+text.MaxWord])] += count
					return nil
				})
				if err != nil || len(sums.counts) != 0 {
					t.Fatal(err, len(sums.counts))
				}
			}
			var rec [wordSize]byte
			for i := range 50_000 {
				n := random.IntN(1 + random.IntN(20_000))
				word := fmt.Sprint("w", n)
				if n%100 == 0 {
					word += strings.Repeat("x", text.MaxWord-len(word))
				}
				r := wordRecord(&rec, uint64(n/3), word, uint64(i%5))
				if i%5 > 0 {
					want[string(r[:8+text.MaxWord])] += uint64(i % 5)
				}
				if sums.full() {
					drain()
				}
				sums.add(r)
			}
			drain()
			if !maps.Equal(got, want) {
				t.Errorf("%d words, want %d", len(got), len(want))
			}
			if few := memory >= 1<<24; few != (drains == 1) {
				t.Errorf("drained %d times", drains)
			}
		})
	}
}
