package moved

import (
	"fmt"
	"math"

	"github.com/lshclust/lshclust/internal/sets"
)

// Evidence is what indicates that the content of a gone page is now at a page of the newer crawl. All figures are from
// 0 to 1.
type Evidence struct {
	Redirect    bool    `json:"redirect" doc:"whether a crawl redirects there"`
	Resemblance float64 `json:"resemblance" doc:"of the texts, without boilerplate" least:"0" most:"1"` // [S1] section 2
	OfOld       float64 `json:"old_in_new" doc:"share of the old text that the new page has" least:"0" most:"1"`
	OfNew       float64 `json:"new_in_old" doc:"share of the new text that the old page had" least:"0" most:"1"`
	Gained      float64 `json:"-"` // share of the gone page's text that the candidate has gained, if it is not fresh
	Context     float64 `json:"context" doc:"similarity of the words around the links to both; less if there are few" least:"0" most:"1"`
	Links       float64 `json:"link_share" doc:"weighted share of the linking pages that now link to the new page" least:"0" most:"1"`
	Name        float64 `json:"called" doc:"similarity of titles and texts of links; less if many pages have the same ones" least:"0" most:"1"`
	Segment     float64 `json:"segment" doc:"similarity of the last segments of the paths; less if many pages have the same one" least:"0" most:"1"`
	Path        float64 `json:"path" doc:"similarity of the words of the paths" least:"0" most:"1"`
	Fresh       bool    `json:"-"` // the older crawl has no page at the candidate's URL

	// What the other gone pages and candidates add; Model.Relate sets it.
	Folder   float64 `json:"folder" doc:"share of the other gone pages of the folder that went to the folder of the new page" least:"0" most:"1"`
	TextLead float64 `json:"-"` // by how much the resemblance exceeds that of the gone page with any other candidate, and of any other gone page with the candidate
	LinkLead float64 `json:"-"` // the same for the similarity of the bags
}

// someText is the least share or resemblance that indicates a common text rather than common phrases.
const someText = 0.05

// byText reports whether the texts, or a redirect, indicate that the content is there.
func (e *Evidence) byText() bool {
	return e.Redirect || max(e.Resemblance, e.OfOld, e.OfNew) >= someText
}

// someOfFolder is the least share of the other pages of a folder that indicates where the rest of them went.
const someOfFolder = 0.1

// supported reports whether more than names and URLs indicates that the content is there: the text, a redirect, links, or
// the other pages of the folder.
func (e *Evidence) supported() bool {
	return e.byText() || e.Links > 0 || e.Context > 0 || e.Folder >= someOfFolder
}

// Foreign reports whether nothing but names, URLs and common words indicates that the content went to another host: no
// text, no redirect, and no page that linked to it and now links there.
func (e *Evidence) Foreign() bool { return !e.byText() && e.Links == 0 }

// features is the number of figures that a model weighs.
const features = 14

// Vector returns the figures that a model weighs. Square roots of shares of texts make the difference between nothing
// and a little in common larger than that between much and everything.
func Vector(e *Evidence) Model {
	return Model{
		1, math.Sqrt(e.Resemblance), math.Sqrt(e.OfOld), math.Sqrt(e.OfNew), math.Sqrt(e.Context), e.Links,
		e.Name, e.Segment, e.Path, e.Folder, float64(sets.One(e.Fresh)), math.Sqrt(e.TextLead), math.Sqrt(e.LinkLead), e.Name * e.Segment,
	}
}

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
