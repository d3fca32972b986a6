package text

import (
	"encoding/binary"
	"math/bits"

	"github.com/lshclust/lshclust/internal/scratch"
)

// appendFolded appends s to dst and replaces each run of white space by one space, or by none at the start of dst and
// after a line feed. due says whether white space preceded s; the result says whether s ended in white space. NUL is
// left out, as browsers do. dst grows in room.
func appendFolded(room *scratch.Pool, dst, s []byte, due bool) ([]byte, bool) {
	n := len(dst)
	dst = scratch.Grow(room, dst, len(s)+9)[:n+len(s)+9] // a space before, and eight bytes are written at a time
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			x := load(s, i)
			k := blankPrefix(x)
			due = due || x&(1<<(8*k)-1) != 0
			i = min(i+k, len(s)) // bytes beyond the end are 0
			continue
		}
		if due {
			if due = false; n > 0 && dst[n-1] != '\n' {
				dst[n] = ' '
				n++
			}
		}
		for k := 8; k == 8 && i < len(s); {
			x := load(s, i)
			binary.LittleEndian.PutUint64(dst[n:], x)
			k = foldedPrefix(x)
			n, i = n+k, i+k
		}
	}
	return dst[:n], due
}

// blankPrefix returns how many of the eight bytes of x, from the lowest, are white space or control characters before one
// that is not.
func blankPrefix(x uint64) int {
	const high, above = 0x8080808080808080, 0x0101010101010101 * (0x7F - ' ')
	return bits.TrailingZeros64((x&^high+above|x)&high) / 8
}

// foldedPrefix returns how many of the eight bytes of x, from the lowest, folding leaves as they are: no control
// characters, and spaces only before other bytes.
func foldedPrefix(x uint64) int {
	const spaces, low, high = 0x2020202020202020, 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	c, b := x&0xE0E0E0E0E0E0E0E0, x^spaces
	controls := ^((c&low + low) | c) & high
	blanks := ^((b&low + low) | b) & high
	return bits.TrailingZeros64(controls|blanks&((controls|blanks)>>8|1<<63)) / 8
}
