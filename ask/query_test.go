package ask

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/query"
)

// TestCertainty checks that the words about an answer do not contradict each other: pages that were not compared may
// have been missed.
func TestCertainty(t *testing.T) {
	const noneMissed, compared = "no page that shares one was missed", "5000 of them that seem to share most were compared"
	for _, c := range []struct {
		sure     query.Certainty
		has, not string
	}{
		{query.Certainty{Shingles: 9, LookedUp: 9, Modulus: 1, Candidates: 7, Compared: 7}, noneMissed, compared},
		{query.Certainty{Shingles: 9, LookedUp: 9, Modulus: 1, Candidates: 5001, Compared: 5000}, compared, noneMissed},
		{query.Certainty{Shingles: 9, LookedUp: 1, Modulus: 25, Candidates: 7, Compared: 7}, "one shingle in 25", noneMissed},
		{query.Certainty{Modulus: 1}, "no words", noneMissed},
	} {
		if got := certaintyWords(c.sure, 10); !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%+v: %s", c.sure, got)
		}
	}
}
