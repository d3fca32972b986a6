package api

import (
	"strings"
	"time"
)

// Bounds of what an answer shows.
const (
	mostCaptures = 50
	mostAnchors  = 10
	mostShared   = 6 // words

	memberAnchors = 3 // of a member of a topical cluster
	mostText      = 400
)

// timeOf returns a time as answers have it: nil if it is unknown.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// list returns a list that is not nil, which JSON would write as null.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// beginning returns at most mostText characters of a text, on one line.
func beginning(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > mostText {
		return string(runes[:mostText]) + "…"
	}
	return string(runes)
}
