package api

import (
	"strings"
)

// Bounds of what an answer shows.
const (
	mostCaptures = 50
	mostAnchors  = 10
	mostShared   = 6 // words

	memberAnchors = 3 // of a member of a topical cluster
	mostText      = 400
)

// beginning returns at most mostText characters of a text, on one line.
func beginning(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > mostText {
		return string(runes[:mostText]) + "…"
	}
	return string(runes)
}
