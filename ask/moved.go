package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/ask/crawls"
)

// MovedAnswer says where the content of a URL is now, or what is nearest to it.
type MovedAnswer struct {
	URL        string      `json:"url" doc:"canonical URL that was asked about" row:"of"`
	Verdict    string      `json:"verdict,omitempty" doc:"what became of the page that an earlier run has at the URL; missing if none has or if it is there" enum:"moved,merged into,split into,succeeded by,gone" row:"true"`
	Confidence float64     `json:"confidence,omitempty" doc:"probability that the verdict is right" least:"0" most:"1"`
	Seen       []Sighting  `json:"seen" doc:"what each run knows of the URL, the run of the oldest crawl first"`
	Items      []FoundPage `json:"items" doc:"pages of the last run by how they were found: the page itself or the end of its redirects, the place that the verdict names, pages that share text with it, pages that the web describes in the same words, similar URLs"`

	Total int `json:"total" doc:"number of these pages"`
	Absent

	Lost *LostPage `json:"-"` // the verdict, or nil
}

// Moved asks where the content of a URL is in the last run, and what is nearest to it.
type Moved struct {
	URL   string `required:"true" header:"X-Original-Url" doc:"URL that is dead, in any form" example:"postgresql.org/docs/15/gin.html"`
	Limit int    `default:"3" least:"1" most:"100" value:"N" doc:"list at most this many pages of each kind"` // 0 for none
}

// Ask answers the question. If the error is about unreadable data, the answer is not nil; it is nil if URL is not a URL.
func (o Moved) Ask(ctx context.Context, runs *Crawls) (*MovedAnswer, error) {
	found, err := crawls.Find(ctx, runs, o.URL, o.Limit)
	if found == nil {
		return nil, err
	}
	out := &MovedAnswer{
		URL: found.URL, Seen: found.Seen, Items: List(found.Pages), Total: len(found.Pages), Absent: absentFrom(runs.Runs()...), Lost: found.Lost,
	}
	if found.Lost != nil {
		out.Verdict, out.Confidence = found.Lost.Verdict.Kind.String(), found.Lost.Verdict.Confidence
	}
	for i := range out.Seen {
		out.Seen[i].Run = runs.Runs()[i].Name
	}
	return out, err
}

// AnchorsAnswer says where headings and link targets within gone pages are now.
type AnchorsAnswer struct {
	Items []crawls.Anchor `json:"items"`
	Total int             `json:"total"`
}

// Anchors finds the new places of the parts of gone pages. It reads the inputs of the runs again.
func Anchors(ctx context.Context, runs *Crawls, lost []LostPage) (*AnchorsAnswer, error) {
	anchors, err := crawls.Anchors(ctx, runs, lost)
	return &AnchorsAnswer{List(anchors), len(anchors)}, err
}
