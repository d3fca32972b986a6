package text

import (
	"encoding/binary"
	"math/bits"

	"github.com/lshclust/lshclust/internal/scratch"
)

// appendFolded appends s to dst and replaces each run of white space by one space, or by none at the start of dst and
// after a line feed. due says whether white space preceded s; the result says whether s ended in white space. Like
// browsers, appendFolded drops NUL. dst grows in room.
func appendFolded(room *scratch.Pool, dst, s []byte, due bool) ([]byte, bool) {
	n := len(dst)
	dst = scratch.Grow(room, dst, len(s)+9)[:n+len(s)+9] // for a space before s, and for writing eight bytes at a time
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			x := load(s, i)
			k := blankPrefix(x)
			due = due || x&(1<<(8*k)-1) != 0
			i = min(i+k, len(s)) // bytes beyond the end are 0
			continue
		}
		if due {
			due = false
			if n > 0 && dst[n-1] != '\n' {
				dst[n] = ' '
				n++
			}
		}
		for i < len(s) {
			x := load(s, i)
			binary.LittleEndian.PutUint64(dst[n:], x)
			stops := foldStops(x)
			if stops == 0 || stops == 1<<63 && x>>56 == ' ' && i+8 < len(s) && s[i+8] > ' ' {
				n, i = n+8, i+8
				continue
			}
			k := bits.TrailingZeros64(stops) / 8
			n, i = n+k, i+k
			break
		}
	}
	return dst[:n], due
}

// blankPrefix returns the number of white space and control characters at the start (the low end) of the eight bytes of
// x.
func blankPrefix(x uint64) int {
	const high, above = 0x8080808080808080, 0x0101010101010101 * (0x7F - ' ')
	return bits.TrailingZeros64((x&^high+above|x)&high) / 8
}

// foldStops sets the high bit of the first of the eight bytes of x, from the lowest, that folding may not copy: a
// control character, or a space before one or before another space, or a space at the end, where the next byte is
// unknown. It may set bits above it too.
func foldStops(x uint64) uint64 {
	const spaces, low, high = 0x2020202020202020, 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	c, b := x&0xE0E0E0E0E0E0E0E0, x^spaces
	controls := ^((c&low + low) | c) & high
	blanks := ^((b&low + low) | b) & high
	return controls | blanks&((controls|blanks)>>8|1<<63)
}
