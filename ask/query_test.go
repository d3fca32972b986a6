package ask

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
)

// TestCertainty checks that the words about an answer do not contradict each other: pages that were not compared may
// have been missed.
func TestCertainty(t *testing.T) {
	const noneMissed, compared = "no page that shares one was missed", "5000 of them that seem to share most were compared"
	for _, c := range []struct {
		sure     texts.Certainty
		has, not string
	}{
		{texts.Certainty{Shingles: 9, LookedUp: 9, Modulus: 1, Candidates: 7, Compared: 7}, noneMissed, compared},
		{texts.Certainty{Shingles: 9, LookedUp: 9, Modulus: 1, Candidates: 5001, Compared: 5000}, compared, noneMissed},
		{texts.Certainty{Shingles: 9, LookedUp: 1, Modulus: 25, Candidates: 7, Compared: 7}, "one shingle in 25", noneMissed},
		{texts.Certainty{Modulus: 1}, "no words", noneMissed},
	} {
		if got := certaintyWords(c.sure, 10); !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%+v: %s", c.sure, got)
		}
	}
}
