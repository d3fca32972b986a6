package moved

import (
	"fmt"
	"math"
)

// Reasons returns the evidence in words, the strongest of each kind first. It leaves out negligible evidence.
func (e *Evidence) Reasons() (out []string) {
	add := func(least, x float64, format string) {
		if x >= least {
			out = append(out, fmt.Sprintf(format, math.Round(100*x)))
		}
	}
	if e.Redirect {
		out = append(out, "the old URL redirects there")
	}
	add(0.005, e.Resemblance, "the texts resemble each other by %.0f %%")
	add(0.005, e.OfOld, "the page has %.0f %% of the old text")
	add(0.005, e.OfNew, "%.0f %% of its text is old")
	add(0.005, e.Gained, "it has gained %.0f %% of the old text since")
	add(0.02, e.Context, "the words around the links are alike by %.0f %%")
	add(0.02, e.Links, "%.0f %% of the weight of the linking pages is the same")
	add(0.1, e.Name, "titles and anchors are alike by %.0f %%")
	add(0.3, e.Segment, "the last segments of the paths are alike by %.0f %%")
	add(0.1, e.Path, "the words of the paths are alike by %.0f %%")
	add(0.1, e.Folder, "%.0f %% of the other gone pages of the folder went to this folder")
	if !e.Fresh {
		out = append(out, "the older crawl has a page at this URL too")
	}
	if len(out) == 0 {
		out = append(out, "next to nothing in common")
	}
	return out
}
