package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// mostFolded is the maximum number of URLs of a list.
const mostFolded = 10_000

func foldOperation() *Operation {
	return &Operation{
		ID: "fold", Method: "POST", Path: "/v1/fold", Summary: "A list of URLs without near-copies",
		Description: "Folds near-copies in a ranked list of URLs under the best one, so that each text is shown once. The body has a URL on each line, the best first. The order stays, and so do URLs that the run does not know.",
		Params: []Param{
			{Name: "keep", Doc: "which of several near-copies stays: the first of the list, the one that was fetched last, or the one with most links", Kind: Text, Default: string(query.KeepRank), Enum: []string{"rank", "date", "links"}, Most: 5},
			{Name: "min", Doc: "smallest resemblance of a page that is folded; the run stores no pairs below its own threshold, which 0 stands for", Kind: Number, Default: "0", Least: 0, Most: 1},
			{Name: "contained", Doc: "whether to fold a page also if the one that stays contains it", Kind: Flag, Default: "false"},
			{Name: "each_version", Doc: "whether to keep the versions of a page apart", Kind: Flag, Default: "false"},
		},
		Body:   []string{"text/plain"},
		Answer: &answer.FoldAnswer{},
		Ask:    func(_ context.Context, q *Question) (Model, error) { return q.Run.FoldList(string(q.Body), q.Args) },
	}
}

// FoldList folds near-copies in a list with a URL on each line. The parameters of operation fold choose how.
func (r *Run) FoldList(list string, a Args) (*answer.FoldAnswer, error) {
	var urls []string
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" {
			urls = append(urls, clipped(line))
		}
		if len(urls) > mostFolded {
			return nil, badRequest(fmt.Sprintf("the list has more than %d URLs", mostFolded), "Send the beginning of the list.")
		}
	}
	return answer.Fold(r.Run, urls, query.FoldOptions{Keep: query.Keep(a.Text("keep")), Min: a.Number("min"), Contained: a.Flag("contained"), EachVersion: a.Flag("each_version")})
}

// clipped returns a line as text that JSON can represent. It cuts lines longer than any URL.
func clipped(line string) string {
	if len(line) > maxText {
		line = line[:maxText]
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}
