package ask

import (
	"strings"
	"testing"
)

// TestDuplicateProbability checks that the probability of duplicates is stated with its assumption, and that a
// probability of zero is not reported as if nothing had been compared.
func TestDuplicateProbability(t *testing.T) {
	if got := duplicateProbability(0.999, 0.5, false); !strings.Contains(got, "at least 0.999, if the shingles that the two share are like a random choice") {
		t.Error(got)
	}
	if got := duplicateProbability(0, 0.5, false); !strings.HasPrefix(got, "it may not have been compared") {
		t.Error(got)
	}
}
