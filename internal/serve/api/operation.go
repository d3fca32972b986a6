package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"sync"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
)

// Operation is a question that can be asked over HTTP.
type Operation struct {
	ID          string // in the OpenAPI document, such as "related"
	Method      string // GET or POST
	Path        string // a pattern of http.ServeMux without the method; /v1/ID unless it is given
	Summary     string // states the question
	Description string // more about the question, in Markdown
	Params      []Param
	Body        *Param // the option that is the body of a POST, or nil
	Question    any    // zero, by the fields of which the parameters are made
	Answer      any    // a zero model
	Heavy       bool   // takes seconds on a large run
	HeavyWith   string // Heavy if this flag is given
	Older       bool   // asks about two runs if the server has two
	Redirects   bool   // answers with a redirect on request

	// Ask answers the question. Errors for people come from problem.go or package runs.
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

// Location is the answer where a redirect leads, if [Question.Redirect] asks for one.
type Location string

// portioned is implemented by models whose list comes in portions.
type portioned interface {
	After() int // number of the first row of the next portion, 0 after the last one
	Follow(cursor string)
}

// asker is a question about a run, or about the runs of several crawls.
type asker[R, A any] interface {
	Ask(ctx context.Context, of R) (*A, error)
}

// then makes an operation change its answers.
func then[A any](o *Operation, change func(*Question, *A) (Model, error)) *Operation {
	asked := o.Ask
	o.Ask = func(ctx context.Context, q *Question) (Model, error) {
		m, err := asked(ctx, q)
		if err != nil {
			return nil, err
		}
		return change(q, m.(*A))
	}
	return o
}

// about completes the operation that asks a question about a run. zero holds what clients cannot choose. The checks may
// refuse or change the question.
func about[Q asker[*runs.Run, A], A any](zero Q, o Operation, checks ...func(*Question, *Q) error) *Operation {
	return declared(zero, o, func(ctx context.Context, asked *Question, q Q) (*A, error) { return q.Ask(ctx, asked.Run.Run) }, checks)
}

// aboutCrawls is about for a question about the crawls of two runs.
func aboutCrawls[Q asker[*crawls.Crawls, A], A any](zero Q, o Operation, checks ...func(*Question, *Q) error) *Operation {
	o.Older = true
	o.Params = append([]Param{older}, o.Params...)
	return declared(zero, o, func(ctx context.Context, asked *Question, q Q) (*A, error) {
		crawls, err := asked.Run.Crawls(ctx, asked.Older)
		if err != nil {
			return nil, err
		}
		return q.Ask(ctx, crawls)
	}, checks)
}

// declared completes the operation of a question: its parameters follow from the fields of the question.
func declared[Q, A any](zero Q, o Operation, answer func(context.Context, *Question, Q) (*A, error), checks []func(*Question, *Q) error) *Operation {
	var options []Param
	window := reflect.ValueOf(&zero).Elem().FieldByName("From")
	for _, p := range ask.Options(zero) {
		switch {
		case p.Local:
			continue
		case p.Body != nil:
			o.Body, o.Method = &p, http.MethodPost
			continue
		case p.Name == "limit":
			p.Most = min(p.Most, mostRows)
		}
		options = append(options, p)
	}
	if window.IsValid() {
		options = append(options, cursor)
	}
	o.Params, o.Question, o.Answer = append(append(options, o.Params...), run), zero, new(A)
	o.Method = cmp.Or(o.Method, http.MethodGet)
	if o.Path == "" {
		o.Path = "/v1/" + o.ID
	}
	o.Ask = func(ctx context.Context, asked *Question) (Model, error) {
		q := zero
		asked.fill(&q, o.Params, o.Body)
		for _, check := range checks {
			if err := check(asked, &q); err != nil {
				return nil, err
			}
		}
		m, err := answer(ctx, asked, q)
		if m == nil { // not an interface that holds nil
			return nil, err
		}
		return m, err
	}
	return &o
}

// fill sets the fields of a question, given by its address, to the parameters and the body.
func (q *Question) fill(question any, params []Param, body *Param) {
	for i := range params {
		if p := &params[i]; q.Args.Has(p.Name) {
			p.Put(question, q.Args.Text(p.Name))
		}
	}
	if body != nil {
		body.Put(question, string(q.Body))
	}
	if from := reflect.ValueOf(question).Elem().FieldByName("From"); from.IsValid() {
		from.SetInt(int64(q.From))
	}
}

// AskWith parses the parameters and answers the question. older is the run of an older crawl, or nil. The body of an
// operation that takes one is a parameter, too.
func (o *Operation) AskWith(ctx context.Context, r, older *Run, given url.Values) (Model, error) {
	args, err := o.Parse(given.Encode(), given.Get)
	if err != nil {
		return nil, err
	}
	q := &Question{Run: r, Older: older, Args: args}
	if o.Body != nil {
		q.Body = []byte(args.Text(o.Body.Name))
	}
	m, _, err := o.Portion(ctx, q)
	return m, err
}

// Portion answers a question from the row on that its cursor names, and returns the cursor of the next portion, "" for none.
func (o *Operation) Portion(ctx context.Context, q *Question) (m Model, next string, err error) {
	if q.From, err = o.From(q.Args, q.Run.Manifest.Digest); err != nil {
		return nil, "", err
	}
	if m, err = o.Ask(ctx, q); err != nil {
		return nil, "", err
	}
	return m, o.Follow(m, q), nil
}

// IsList reports whether the answers of an operation have rows.
func (o *Operation) IsList() bool { return ask.IsList(o.Answer) }

// Param returns the named parameter, or nil.
func (o *Operation) Param(name string) *Param {
	for i := range o.Params {
		if o.Params[i].Name == name {
			return &o.Params[i]
		}
	}
	return nil
}

// Operations returns all questions, in the order of the documentation. The caller must not change them.
var Operations = sync.OnceValue(operations)

// OperationByID returns the operation with an id, or nil.
func OperationByID(id string) *Operation {
	for _, o := range Operations() {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// Run is an open run that answers questions.
type Run struct {
	*runs.Run          // with the name under which it is served
	Names     []string // names of all served runs
}

// NewRun returns a Run that Close closes together with r.
func NewRun(r *runs.Run, name string, names []string) *Run {
	r.Name = name
	return &Run{r, names}
}
