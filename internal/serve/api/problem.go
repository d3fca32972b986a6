package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
)

// Problem is the answer to a question that cannot be answered (RFC 9457). It contains no path of the server and no
// text of an unexpected error.
type Problem struct {
	Type     string   `json:"type" doc:"kind of the problem, the same for all problems of the kind"`
	Title    string   `json:"title" doc:"the kind, for people"`
	Status   int      `json:"status" doc:"HTTP status" least:"400"`
	Detail   string   `json:"detail" doc:"what is wrong with this request"`
	Todo     string   `json:"todo" doc:"what to do about it"`
	Nearest  []string `json:"nearest,omitempty" doc:"URLs in the run that are like the unknown one"`
	Captures []string `json:"captures,omitempty" doc:"names of captures to choose from"`

	// Retry is the number of seconds after which the client may repeat the request, for the header Retry-After.
	Retry int `json:"-"`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// problemType is the prefix of the type of a problem, followed by its kind.
const problemType = "urn:lshclust:problem:"

// OfKind reports whether the problem is of a kind, the last part of its type.
func (p *Problem) OfKind(kind string) bool { return p.Type == problemType+kind }

// Clone returns a copy that does not point into a run.
func (p *Problem) Clone() *Problem {
	c := *p
	c.Detail, c.Nearest, c.Captures = strings.Clone(p.Detail), cloned(p.Nearest), cloned(p.Captures)
	return &c
}

func cloned(list []string) (out []string) {
	for _, s := range list {
		out = append(out, strings.Clone(s))
	}
	return out
}

// NewProblem returns a problem of a kind, the last part of its type.
func NewProblem(status int, kind, title, detail, todo string) *Problem {
	return &Problem{Type: problemType + kind, Title: title, Status: status, Detail: detail, Todo: todo}
}

// BadRequest returns the problem of a request that is wrong.
func BadRequest(detail, todo string) *Problem {
	return NewProblem(http.StatusBadRequest, "bad-request", "The request is wrong", detail, todo)
}

func notFound(kind, detail, todo string) *Problem {
	return NewProblem(http.StatusNotFound, kind, "There is no such thing in this run", detail, todo)
}

// Busy returns the problem of a server that cannot answer now.
func Busy(detail string, seconds int) *Problem {
	p := NewProblem(http.StatusServiceUnavailable, "busy", "Not now", detail, fmt.Sprintf("Ask again in %d s.", seconds))
	p.Retry = seconds
	return p
}

// ProblemOf returns the problem that describes an error. The second result is false for an unexpected error, which
// belongs in the server's log and not in an answer.
func ProblemOf(err error) (*Problem, bool) {
	var (
		problem  *Problem
		captures *runs.CapturesError
		unknown  *ask.UnknownError
		busy     runs.Busy
	)
	switch {
	case errors.As(err, &problem):
		return problem, true
	case errors.As(err, &busy):
		return Busy(string(busy), 5), true
	case errors.Is(err, crawls.ErrNoRuns):
		return notFound("one-run", "The server has one run.", "Serve the runs of both crawls, that of the newer one first."), true
	case errors.Is(err, crawls.ErrNoURL):
		return notFound("no-url", brief(err.Error())+".", "Give a URL in any form, such as example.org/page."), true
	case errors.Is(err, runs.ErrNoHost):
		return notFound("unknown-host", "T"+brief(err.Error())[1:]+".", "Search for words, or ask about a URL that the run holds."), true
	case errors.As(err, &captures):
		p := notFound("several-captures", captures.Summary()+".", "Ask about one of the captures, by its name.")
		for _, c := range captures.Captures[:min(len(captures.Captures), ask.MostCaptures)] {
			p.Captures = append(p.Captures, c.Name)
		}
		return p, true
	case errors.As(err, &unknown):
		p := notFound("unknown-url", "The run holds no document at "+brief(unknown.URL)+".", "Search for words, or ask about a URL that the run holds.")
		p.Nearest = unknown.Nearest()
		return p, true
	case errors.Is(err, runs.ErrNoCluster):
		return notFound("unknown-cluster", "The run has no cluster with this id.",
			"Take the id of a cluster from an answer of the same run, and ask for the view that it is from."), true
	case errors.Is(err, runs.ErrNoView):
		return notFound("no-view", "The run was built without the view that this question is about.",
			"Ask a run with both views; build it with lshclust cluster --views topical,syntactic."), true
	case errors.Is(err, runs.ErrSketches):
		return notFound("sketches", "The run keeps sketches of its pages, which do not answer this.",
			"Ask a run that was built without --set sketch."), true
	case errors.Is(err, runs.ErrUnknown):
		return notFound("not-crawled", "The run knows this URL only from links; it does not hold its text.", "Ask what is related to it."), true
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Busy("The answer took longer than the server allows.", 10), true
	}
	return NewProblem(http.StatusInternalServerError, "internal", "The server failed", "The question could not be answered.",
		"Tell whoever runs the server; its log has the reason."), false
}
