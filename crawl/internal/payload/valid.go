package payload

import (
	"bytes"
	"math"
	"strings"
)

// ValidBytes is [Room.Valid] in memory and without a limit.
func ValidBytes(b []byte) []byte { return new(Room).Valid(b, math.MaxInt64) }

// Trimmed returns b without leading and trailing white space.
func Trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }

// ValidString returns b as valid UTF-8.
func ValidString(b []byte) string { return string(ValidBytes(b)) }

// Folded returns b as valid UTF-8 with each sequence of white space replaced by one space.
func Folded(b []byte) string { return strings.Join(strings.Fields(ValidString(b)), " ") }

// MaxAside is the maximum number of bytes to read of a value other than the content of a page, such as a title or the
// words next to a link.
const MaxAside = 64 << 10
