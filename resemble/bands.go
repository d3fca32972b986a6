package resemble

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/shingles"
)

// bandRows is the number of bytes of a signature that make a band.
const bandRows = 4

// BandConfig selects the candidates to find, and limits the work for finding them. Zero fields mean the defaults.
type BandConfig struct {
	Bins  int     // bytes of a signature, a multiple of 4, 128 at most; 64. Their number and shingles.Banded give the recall
	Floor float64 // least resemblance wanted; 0.7
	Miss  float64 // probability that a candidate exactly at Floor is turned away because too few bytes agree; 0.0001
	Reach int     // number of documents, the first ones, with which the documents of one band are compared; 32
	Deep  int     // number of bands in which a document behind the first ones is compared with them; 4
	Resources
}

func (c BandConfig) withDefaults() (BandConfig, error) {
	c.Bins, c.Floor, c.Miss = cmp.Or(c.Bins, 64), cmp.Or(c.Floor, 0.7), cmp.Or(c.Miss, 0.0001)
	c.Reach, c.Deep = cmp.Or(c.Reach, 32), cmp.Or(c.Deep, 4)
	if c.Bins < bandRows || c.Bins%bandRows != 0 || c.Bins > minhash.MaxMask || !(c.Floor > 0 && c.Floor <= 1) || !(c.Miss > 0 && c.Miss < 1) || c.Reach < 1 || c.Deep < 1 {
		return c, fmt.Errorf("resemble: a number out of range in %+v", c)
	}
	return c, nil
}

// BandStats counts what Candidates did.
type BandStats struct {
	Met        uint64 // pairs that share a band, once for each band
	TurnedAway uint64 // of these, with signatures that agree too little
	Candidates uint64
	Limited    uint64 // documents in more than one band that were not compared with all documents of the band
}

// Candidates emits the pairs of documents whose signatures (see [shingles.Signer]) have a band in common, 4 bytes in
// one place, and agree enough. It emits each pair once, a < b, in an order that depends on neither workers nor memory.
//
// A document is its number in signatures; size returns the number of its shingles, 0 if it takes no part. If more than
// Reach documents share a band, each is compared with the first Reach of them only. So the work is bounded, and
// documents should be numbered by preference. A document behind them is compared in Deep such bands only, and must agree
// with a document about as much as one at Floor is expected to: one standard deviation less. In addition to the
// signatures, which may be in a mapped file, Candidates holds 24 bytes for each document. [Compare] makes pairs of
// candidates, for which Documents may make the sets when it asks for them. Bands suit a high resemblance: 16 of 4 bytes
// find a pair of .7 with probability .988, one of .5 with .65, and do not see containment; so [Pairs] has samples.
func Candidates(ctx context.Context, signatures []byte, size func(id uint32) int, c BandConfig, emit func(a, b uint32) error) (BandStats, error) {
	c, err := c.withDefaults()
	if err != nil {
		return BandStats{}, err
	}
	n := len(signatures) / c.Bins
	if uint64(n) > math.MaxUint32 {
		return BandStats{}, fmt.Errorf("resemble: %d documents", n)
	}
	b := &banding{BandConfig: c, signatures: signatures, size: size, head: make([]uint32, n), deep: make([]uint32, n), least: shingles.LeastAgreeing(c.Bins, c.Floor, c.Miss)}
	c.Miss = oneSigma
	b.strict = shingles.LeastAgreeing(c.Bins, c.Floor, c.Miss)
	for band := range c.Bins / bandRows {
		if err := b.band(ctx, band, emit); err != nil {
			return b.stats, err
		}
	}
	return b.stats, nil
}

// oneSigma is the probability of a value more than a standard deviation below the mean.
const oneSigma = 0.1587

// banding finds candidates, one band after another.
type banding struct {
	BandConfig
	signatures []byte
	size       func(id uint32) int
	least      []int
	strict     []int    // of a document behind the first ones
	deep       []uint32 // for each document the bands in which it stands behind the first ones and was compared with them
	head       []uint32 // for each document the bands in which it was compared with all others that have it
	keys       []uint64 // of a band: 4 bytes, document
	other      []uint64
	stats      BandStats
}

func (b *banding) signature(id uint32) []byte {
	return b.signatures[int(id)*b.Bins:][:b.Bins]
}

// band emits the candidates that share a band and none before it.
func (b *banding) band(ctx context.Context, band int, emit func(x, y uint32) error) error {
	b.keys = b.keys[:0]
	for id := range uint32(len(b.head)) {
		if b.size(id) > 0 {
			key := binary.BigEndian.Uint32(b.signature(id)[band*bandRows:])
			b.keys = append(b.keys, uint64(key)<<32|uint64(id))
		}
	}
	b.sort()
	type found struct {
		pairs []ids
		stats BandStats
	}
	blocks := b.blocks()
	work := func(_, i int, put func(found, int) error) error {
		var f found
		for keys := blocks[i]; len(keys) > 0; {
			n := 1
			for n < len(keys) && keys[n]>>32 == keys[0]>>32 {
				n++
			}
			f.pairs = b.group(band, keys[:n], f.pairs, &f.stats)
			keys = keys[n:]
		}
		return put(f, 8*len(f.pairs))
	}
	return parallel.Ordered(ctx, len(blocks), b.workers(), b.memory()/8, work, func(_ int, f found) error {
		b.stats.Met += f.stats.Met
		b.stats.TurnedAway += f.stats.TurnedAway
		b.stats.Limited += f.stats.Limited
		b.stats.Candidates += uint64(len(f.pairs))
		for _, p := range f.pairs {
			if err := emit(p.a, p.b); err != nil {
				return err
			}
		}
		return nil
	})
}

// blocks divides the keys between documents that have different ones.
func (b *banding) blocks() (blocks [][]uint64) {
	const most = 1 << 14
	for keys := b.keys; len(keys) > 0; {
		n := min(most, len(keys))
		for n < len(keys) && keys[n]>>32 == keys[n-1]>>32 {
			n++
		}
		blocks = append(blocks, keys[:n])
		keys = keys[n:]
	}
	return blocks
}

// sort sorts the keys by their four bytes; the documents of one are in order already.
func (b *banding) sort() {
	b.other = slices.Grow(b.other[:0], len(b.keys))[:len(b.keys)]
	for shift := 32; shift < 64; shift += 8 {
		var ends [256]int
		for _, k := range b.keys {
			ends[byte(k>>shift)]++
		}
		sum := 0
		for i, n := range ends {
			ends[i] = sum
			sum += n
		}
		for _, k := range b.keys {
			end := &ends[byte(k>>shift)]
			b.other[*end] = k
			*end++
		}
		b.keys, b.other = b.other, b.keys
	}
}

// group appends the candidates among the documents of one band.
func (b *banding) group(band int, keys []uint64, pairs []ids, stats *BandStats) []ids {
	for i, k := range keys {
		y := uint32(k)
		switch {
		case i < b.Reach:
			b.head[y] |= 1 << band
		case bits.OnesCount32(b.deep[y]) < b.Deep:
			b.deep[y] |= 1 << band
			stats.Limited++
		default:
			stats.Limited++
			continue
		}
		for _, k := range keys[:min(i, b.Reach)] {
			x := uint32(k)
			stats.Met++
			equal := minhash.LowMask(b.signature(x), b.signature(y))
			size, emitted := min(b.size(x), b.size(y), len(b.least)-1), b.head[x]&b.head[y] // the bands that emit the pair
			few := b.least[size]
			if equal.Count() >= b.strict[size] {
				emitted |= b.head[x] & b.deep[y]
			}
			if i >= b.Reach {
				few = b.strict[size]
			}
			switch {
			case equal.Count() < few:
				stats.TurnedAway++
			case emitted&bandsOf(equal)&(1<<band-1) == 0:
				pairs = append(pairs, ids{x, y})
			}
		}
	}
	return pairs
}

// bandsOf returns the set of bands of which all bytes are equal.
func bandsOf(equal minhash.Bits) uint32 {
	return everyFourth(equal[0]) | everyFourth(equal[1])<<16
}

// everyFourth has bit i if x has the bits 4i to 4i+3.
func everyFourth(x uint64) (set uint32) {
	x &= x >> 1
	x &= x >> 2
	for x &= 0x1111111111111111; x != 0; x &= x - 1 {
		set |= 1 << (bits.TrailingZeros64(x) / 4)
	}
	return set
}
