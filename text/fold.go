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
		if c := s[i]; c <= ' ' {
			due = due || c != 0
			i++
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

// foldedPrefix returns how many of the eight bytes of x, from the lowest, folding leaves as they are: no control
// characters, and spaces only before other bytes.
func foldedPrefix(x uint64) int {
	const spaces, low, high = 0x2020202020202020, 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	c, b := x&0xE0E0E0E0E0E0E0E0, x^spaces
	controls := ^((c&low + low) | c) & high
	blanks := ^((b&low + low) | b) & high
	return bits.TrailingZeros64(controls|blanks&((controls|blanks)>>8|1<<63)) / 8
}
