package api

import (
	"context"
	"net/http"

	"github.com/lshclust/lshclust/internal/answer"
)

// Operation is a question that can be asked over HTTP.
type Operation struct {
	ID          string // in the OpenAPI document, such as "related"
	Method      string // GET or POST
	Path        string // a pattern of http.ServeMux without the method
	Summary     string // states the question
	Description string // more about the question, in Markdown
	Params      []Param
	Body        []string // media types of the body of a POST
	Answer      any      // a zero model
	Heavy       bool     // takes seconds on a large run
	HeavyWith   string   // Heavy if this flag is given
	Older       bool     // asks about two runs if the server has two
	Redirects   bool     // answers with a redirect on request

	// Ask answers the question. Errors for people come from problem.go or package query.
	Ask func(ctx context.Context, q *Question) (Model, error)
}

// Question is a question as it was asked.
type Question struct {
	Run      *Run
	Older    *Run // run of the older crawl for an operation about two runs; nil if there is only one
	Args     Args
	Body     []byte
	From     int // number of rows to skip, from the cursor
	Redirect int // status of the requested redirect, 0 for none
}

// Model is an answer.
type Model any

// Redirecter is implemented by models that become a redirect if [Question.Redirect] asks for one.
type Redirecter interface{ Location() string }

// portioned is implemented by models whose list comes in portions.
type portioned interface {
	After() int // number of the first row of the next portion, 0 after the last one
	Follow(cursor string)
}

// window returns the range of rows that a question asks for.
func (q *Question) window(most int) answer.Window {
	return answer.Window{From: q.From, Limit: q.Args.Int("limit"), Most: most}
}

// IsList reports whether the answers of an operation have rows.
func (o *Operation) IsList() bool { return answer.IsList(o.Answer) }

// Param returns the named parameter, or nil.
func (o *Operation) Param(name string) *Param {
	for i := range o.Params {
		if o.Params[i].Name == name {
			return &o.Params[i]
		}
	}
	return nil
}

// Operations returns all questions, in the order of the documentation.
func Operations() []*Operation {
	all := []*Operation{
		pageOperation(), relatedOperation(), searchOperation(), duplicatesOperation(), clustersOperation(), clusterOperation(), treeOperation(), hostsOperation(),
		hostOperation(), explainOperation(),
		queryOperation(), queryTextOperation(), foldOperation(), compareOperation(),
		movedOperation(), changesOperation(), statsOperation(),
	}
	for _, o := range all {
		o.Params = append(o.Params, runParam())
		if o.Method == "" {
			o.Method = http.MethodGet
		}
	}
	return all
}
