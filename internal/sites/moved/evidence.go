package moved

import "math"

// Evidence is what indicates that the content of a gone page is now at a page of the newer crawl. All figures are from
// 0 to 1.
type Evidence struct {
	Redirect    bool    `json:"redirect"`    // a crawl redirects the gone URL there
	Resemblance float64 `json:"resemblance"` // of the texts, without boilerplate ([S1] section 2)
	OfOld       float64 `json:"of_old"`      // share of the gone page's text that the candidate has
	OfNew       float64 `json:"of_new"`      // share of the candidate's text that the gone page had
	Gained      float64 `json:"gained"`      // share of the gone page's text that the candidate has gained, if it is not fresh
	Context     float64 `json:"context"`     // similarity of the bags: of the words around the links to both; less if the bags have few terms
	Links       float64 `json:"links"`       // weighted share of the pages that linked to the gone page and now link to the candidate
	Name        float64 `json:"name"`        // similarity of titles and anchor texts, less if many pages have the same ones
	Segment     float64 `json:"segment"`     // similarity of the last segments of the paths, less if many pages have the same one
	Path        float64 `json:"path"`        // similarity of the words of the paths
	Fresh       bool    `json:"fresh"`       // the older crawl has no page at the candidate's URL

	// What the other gone pages and candidates add; Model.Relate sets it.
	Folder   float64 `json:"folder"`    // share of the other gone pages of the folder that went to the folder of the candidate
	TextLead float64 `json:"text_lead"` // by how much the resemblance exceeds that of the gone page with any other candidate, and of any other gone page with the candidate
	LinkLead float64 `json:"link_lead"` // the same for the similarity of the bags
}

// features is the number of figures that a model weighs.
const features = 14

// vector returns the figures that a model weighs. Square roots of shares of texts make the difference between nothing
// and a little in common larger than that between much and everything.
func (e *Evidence) vector() [features]float64 {
	return [features]float64{
		1, math.Sqrt(e.Resemblance), math.Sqrt(e.OfOld), math.Sqrt(e.OfNew), math.Sqrt(e.Context), e.Links,
		e.Name, e.Segment, e.Path, e.Folder, number(e.Fresh), math.Sqrt(e.TextLead), math.Sqrt(e.LinkLead), e.Name * e.Segment,
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
