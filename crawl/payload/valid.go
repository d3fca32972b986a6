package payload

import (
	"bytes"
	"math"
	"strings"
)

// ValidBytes is [Room.Valid] in memory and without a limit.
func ValidBytes(b []byte) []byte { return new(Room).Valid(b, math.MaxInt64) }

// Trimmed returns b without white space around it.
func Trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }

// ValidString returns b as valid UTF-8.
func ValidString(b []byte) string { return string(ValidBytes(b)) }

// Folded is text with its white space as single spaces.
func Folded(b []byte) string { return strings.Join(strings.Fields(ValidString(b)), " ") }

// MaxAside bounds the bytes that are read of values other than the content of a page, such as a title or the words beside a link.
const MaxAside = 64 << 10
