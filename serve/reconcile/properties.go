package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/urls"
)

// Property is a property of documents.
type Property struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`

	values func(s *Service, id uint32, d *query.Document, limit int) []Value // nil: it only chooses candidates
}

// Value is a value of a property.
type Value map[string]any

func text(v string) []Value {
	if v == "" {
		return []Value{}
	}
	return []Value{{"str": v}}
}

func number(n int) []Value { return []Value{{"int": n}} }

const (
	limitSetting = "limit"
	someRelated  = 3
	mostRelated  = 20
)

var properties = []Property{
	{"title", "Title", "title of the page", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return text(d.Title) }},
	{"host", "Host", "host of the URL; in a query, also the hosts below it", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return text(urls.Host(d.URL)) }},
	{"language", "Language", "language that the page seems to be in", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return text(d.Language) }},
	{"crawled", "Crawled", "whether the crawl holds the page", func(_ *Service, _ uint32, d *query.Document, _ int) []Value {
		return text(strconv.FormatBool(d.Crawled))
	}},
	{"inlinks", "Linking pages", "pages that link to it", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return number(int(d.InLinks)) }},
	{"inlink_hosts", "Linking hosts", "hosts of these pages", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return number(int(d.InHosts)) }},
	{"words", "Words", "words of the visible text", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return number(int(d.Words)) }},
	{"time", "Time", "when the page was fetched", func(_ *Service, _ uint32, d *query.Document, _ int) []Value { return date(d.Time) }},
	{"cluster", "Topic", "label of the topical cluster", func(s *Service, id uint32, _ *query.Document, _ int) []Value {
		return text(strings.Join(s.topic(id).Label, ", "))
	}},
	{"cluster_id", "Topical cluster", "identifier of the topical cluster", func(s *Service, id uint32, _ *query.Document, _ int) []Value {
		return text(s.topic(id).ID)
	}},
	{"copies", "Pages with the same text", "pages of its syntactic cluster", (*Service).copies},
	{"related", "Related documents", "documents that the web describes alike, the most similar first", (*Service).related},
	{"url", "URL", "in a query: URL of the document, in any form", nil},
	{"similarity", "Least similarity", "in a query: least score of a candidate, from 0 to 1", nil},
}

func date(t time.Time) []Value {
	if t.IsZero() {
		return []Value{}
	}
	return []Value{{"date": t.UTC().Format(time.RFC3339)}}
}

// topic returns the topical cluster of a document, none in a run without this view.
func (s *Service) topic(id uint32) (m query.TopicalMembership) {
	if s.Run.Need(config.Topical) == nil {
		m = s.Run.TopicalMembership(id)
	}
	return m
}

func (s *Service) copies(id uint32, _ *query.Document, _ int) []Value {
	c, err := s.Run.SyntacticSummary(id)
	if err != nil {
		return []Value{}
	}
	return number(c.Size - 1)
}

func (s *Service) related(id uint32, _ *query.Document, limit int) []Value {
	l := query.DefaultLookup
	l.Top = limit
	out := []Value{}
	if s.Run.Need(config.Topical) != nil {
		return out
	}
	for _, n := range s.Run.Related(id, l) {
		d := s.Run.Document(n.ID)
		out = append(out, Value{"id": d.URL, "name": s.name(n.ID, &d)})
	}
	return out
}

// Extension holds values of properties of documents.
type Extension struct {
	Meta []Column                      `json:"meta"`
	Rows map[string]map[string][]Value `json:"rows"`
}

// Column is a property whose values were asked for.
type Column struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type *Type  `json:"type,omitempty"`
}

// Extend answers a query for properties in JSON. A document that the run does not hold has no values.
func (s *Service) Extend(ctx context.Context, asked string) (*Extension, error) {
	var q struct {
		IDs        []string `json:"ids"`
		Properties []struct {
			ID       string         `json:"id"`
			Settings map[string]any `json:"settings"`
		} `json:"properties"`
	}
	if err := json.Unmarshal([]byte(asked), &q); err != nil || q.IDs == nil || q.Properties == nil {
		return nil, bad("the parameter extend is no query for properties", `Send an object such as {"ids": ["https://example.org"], "properties": [{"id": "title"}]}.`)
	}
	if len(q.IDs) > mostIDs || len(q.Properties) > len(properties) {
		return nil, bad("the query asks for too much", fmt.Sprintf("Ask for at most %d documents at a time, and for each property once.", mostIDs))
	}
	out := &Extension{Meta: []Column{}, Rows: map[string]map[string][]Value{}}
	for _, id := range q.IDs {
		out.Rows[id] = map[string][]Value{}
	}
	for _, asked := range q.Properties {
		p, err := valued(asked.ID)
		if err != nil {
			return nil, err
		}
		limit := someRelated
		for _, n := range numbers(asked.Settings[limitSetting]) {
			limit = int(min(max(n, 1), mostRelated))
		}
		column := Column{ID: p.ID, Name: p.Name}
		if p.ID == "related" {
			column.Type = &anyDocument
		}
		out.Meta = append(out.Meta, column)
		for _, url := range q.IDs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			out.Rows[url][p.ID] = []Value{}
			if id, err := s.Run.Lookup(url); err == nil {
				d := s.Run.Document(id)
				out.Rows[url][p.ID] = p.values(s, id, &d, limit)
			}
		}
	}
	return out, nil
}

// valued returns the property with an identifier that has values.
func valued(id string) (*Property, error) {
	for i := range properties {
		if p := &properties[i]; p.ID == id && p.values != nil {
			return p, nil
		}
	}
	return nil, bad("a property has no values", "Ask for those that the service proposes.")
}

// Proposal lists properties of the documents of a type.
type Proposal struct {
	Type       string     `json:"type"`
	Properties []Property `json:"properties"`
	Limit      int        `json:"limit,omitempty"`
}

// Propose proposes properties to ask for, all if the limit is 0.
func Propose(of string, limit int) *Proposal {
	out := &Proposal{Type: of, Properties: []Property{}, Limit: limit}
	for _, p := range properties {
		if p.values != nil && (limit <= 0 || len(out.Properties) < limit) {
			out.Properties = append(out.Properties, p)
		}
	}
	return out
}
