package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/lshclust/lshclust/serve/api"
)

// question is a query of a batch.
type question struct {
	Query      string    `json:"query"`
	Type       any       `json:"type"` // an identifier, or several
	Limit      float64   `json:"limit"`
	Properties []mapping `json:"properties"`
	Strict     string    `json:"type_strict"`
}

// mapping is a property with the values that it is to have.
type mapping struct {
	ID     string `json:"pid"`
	Values any    `json:"v"`
}

// Result lists the candidates of a query, the best first.
type Result struct {
	Result []Candidate `json:"result"`
}

// Candidate is a document that may be what a query means.
type Candidate struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Score       float64   `json:"score"` // from 0 to 100
	Match       bool      `json:"match"`
	Types       []Type    `json:"type"`
	Features    []Feature `json:"features"`
}

// Feature is a part of a score.
type Feature struct {
	ID    string  `json:"id"`
	Value float64 `json:"value"`
}

// Reconcile answers a batch of queries in JSON.
func (s *Service) Reconcile(ctx context.Context, batch string) (map[string]Result, error) {
	var asked map[string]question
	if err := json.Unmarshal([]byte(batch), &asked); err != nil || asked == nil {
		return nil, bad("the parameter queries is no batch of queries", `Send an object of queries, such as {"q0": {"query": "example.org"}}.`)
	}
	if len(asked) > batchSize {
		return nil, api.NewProblem(http.StatusRequestEntityTooLarge, "too-large", "The batch is too large",
			fmt.Sprintf("The batch has %d queries.", len(asked)), fmt.Sprintf("Send at most %d at a time.", batchSize))
	}
	out := map[string]Result{}
	for name, q := range asked {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := s.candidates(&q)
		if err != nil {
			return nil, err
		}
		out[name] = Result{found}
	}
	return out, nil
}

// wanted is what the candidates of a query must be, apart from its text.
type wanted struct {
	types     []string
	hosts     []string
	languages []string
	least     float64 // score
	limit     int
}

// conditions reads the conditions of a query, and the URLs that it gives as a property.
func (q *question) conditions() (w wanted, urls []string, err error) {
	if q.Query == "" && len(q.Properties) == 0 {
		return w, nil, bad("a query has neither query nor properties", "Give it one of them.")
	}
	w.limit = someHits
	if q.Limit != 0 {
		if q.Limit < 1 || q.Limit != math.Trunc(q.Limit) {
			return w, nil, bad("the limit of a query is no positive whole number", "Leave it out, or give a number from 1.")
		}
		w.limit = int(min(q.Limit, mostHits))
	}
	if w.types = texts(q.Type); q.Strict == "any" && len(w.types) > 1 {
		w.types = nil // every document has one of them
	}
	for _, m := range q.Properties {
		values := texts(m.Values)
		switch m.ID {
		case "url":
			urls = append(urls, values...)
		case "host":
			w.hosts = append(w.hosts, values...)
		case "language":
			w.languages = append(w.languages, values...)
		case "similarity":
			for _, n := range numbers(m.Values) {
				w.least = max(w.least, 100*n)
			}
		default:
			return w, nil, bad("a query has a property by which documents cannot be chosen", "Choose by url, host, language or similarity.")
		}
	}
	return w, urls, nil
}

// each calls use with every value among some of JSON.
func each(values any, use func(any)) {
	if list, ok := values.([]any); ok {
		for _, v := range list {
			use(v)
		}
		return
	}
	use(values)
}

// texts returns the texts among values, and the identifiers of the entities.
func texts(values any) (out []string) {
	each(values, func(v any) {
		if entity, ok := v.(map[string]any); ok {
			v = entity["id"]
		}
		if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
			out = append(out, strings.TrimSpace(text))
		}
	})
	return out
}

// numbers returns the numbers among values, those in texts too.
func numbers(values any) (out []float64) {
	each(values, func(v any) {
		switch x := v.(type) {
		case float64:
			out = append(out, x)
		case string:
			var n float64
			if _, err := fmt.Sscan(x, &n); err == nil {
				out = append(out, n)
			}
		}
	})
	return out
}
