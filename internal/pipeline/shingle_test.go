package pipeline

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/codec"
)

// TestGaps checks that values of every size are read as they were written, even at the end of a record, and that a
// truncated record is an error.
func TestGaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		var values []uint64
		for range n % 13 {
			values = append(values, random.Uint64()>>random.IntN(64))
		}
		slices.Sort(values)
		list := appendGaps(make([]byte, 0, binary.MaxVarintLen64*len(values)), values)
		for behind := range 10 {
			d := codec.Decoder{B: append(slices.Clone(list), make([]byte, behind)...)}
			got := make([]uint64, len(values))
			decodeGaps(&d, got)
			if d.Err != nil || !slices.Equal(got, values) || len(d.B) != behind {
				t.Fatalf("%x, want %x, %d bytes left of %d, %v", got, values, len(d.B), behind, d.Err)
			}
		}
		if len(list) > 0 {
			d := codec.Decoder{B: list[:len(list)-1]}
			if decodeGaps(&d, make([]uint64, len(values))); d.Err == nil {
				t.Fatalf("no error in %x", list[:len(list)-1])
			}
		}
	}
}

// BenchmarkGaps decodes the values of pages of 300 shingles of 40 bits.
func BenchmarkGaps(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]uint64, 300)
	for i := range values {
		values[i] = random.Uint64() >> 24
	}
	slices.Sort(values)
	list := appendGaps(make([]byte, 0, 3000), values)
	for b.Loop() {
		d := codec.Decoder{B: list}
		decodeGaps(&d, values)
	}
	b.ReportMetric(300*float64(b.N)/b.Elapsed().Seconds(), "values/s")
}
