package ask

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// duplicateWords says by what a page was compared, and what the list of its duplicates may miss.
func duplicateWords(r *Run, id uint32) string {
	all, leftOut, err := texts.Boilerplate(r, id)
	if err != nil {
		return ""
	}
	const what = "distinct shingle"
	out := runs.Plural(all, what)
	if runs.Sketches(r) != "" {
		out = fmt.Sprintf("%s in its sketch %s", runs.Plural(all, "sample"), runs.Sketches(r))
	}
	if leftOut > 0 {
		out += fmt.Sprintf(", %d of them boilerplate of the host and left out", leftOut)
	}
	label := r.Docs.At(id).Label.String()
	switch p, err := texts.DuplicateProbability(r, id); {
	case label != "":
		out += fmt.Sprintf("; its label is %s: pages that equal it are listed, and pages with a similar text only by lshclust query", label)
	case runs.Sketches(r) != "":
		out += "; figures are estimates, with the standard error of the resemblance"
	case all == 0:
		out += "; it is too short to be compared: pages with the same bytes are listed"
	case err == nil:
		out += "; " + duplicateProbability(p, r.Config.Resemblance, leftOut > 0)
	}
	if repeated := runs.RepeatedWords(r.Manifest); repeated != "" && label == "" {
		out += "; in the run, " + repeated
	}
	return out
}

// duplicateProbability says how certain it is that the list of duplicates of a page is complete, in a run with this
// threshold.
func duplicateProbability(p, threshold float64, stripped bool) string {
	if p == 0 {
		return "it may not have been compared with all similar pages: it is too short, its shingles are in too many pages (max_common), or the index does not tell in how many they are (index_modulus); pages that equal it are listed"
	}
	without := ""
	if stripped {
		without = " without boilerplate"
	}
	return fmt.Sprintf("a page with a resemblance of %g%s is found with a probability of at least %.3f, if the shingles that the two share are like a random choice", threshold, without, p)
}
