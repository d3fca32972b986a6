package api

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
)

// Media types of answers.
const (
	JSON    = "application/json"
	NDJSON  = "application/x-ndjson" // one row per line
	CSV     = "text/csv"
	HTML    = "text/html" // accepted by clients that want a redirect
	Trouble = "application/problem+json"
)

// Media returns the media types of the answers of an operation, the default first.
func (o *Operation) Media() []string {
	if o.IsList() {
		return []string{JSON, NDJSON, CSV}
	}
	return []string{JSON}
}

// Accepted returns the media types that a client may accept: those of the answers, and HTML if the answer can be a
// redirect.
func (o *Operation) Accepted() []string {
	if o.Redirects {
		return append(o.Media(), HTML)
	}
	return o.Media()
}

const introduction = `Questions about a crawl that lshclust has clustered. The topical view compares what other pages say about a page, by the
words of their links; the syntactic view compares the texts themselves.

URLs are query parameters, in any form. Lists come as JSON, or row by row as NDJSON or CSV, as the header Accept asks.
The schema of NDJSON is that of a line. In CSV, an apostrophe stands before text that a spreadsheet would run as a formula.
If there are more rows, the answer has a cursor, and the header Link the URL of the next portion. The ETag of an answer changes when the run is replaced. Every
answer other than 200 and 304 is a problem (RFC 9457) that tells what to do.`

// OpenAPI returns the OpenAPI 3.1 document of the server for a version of the program.
func OpenAPI(version string) map[string]any {
	s := &schemas{object{}, map[string]reflect.Type{}}
	problem := object{"description": "A problem", "content": object{Trouble: object{"schema": s.of(reflect.TypeFor[Problem]())}}}
	paths := object{}
	for _, o := range Operations() {
		methods, ok := paths[o.Path].(object)
		if !ok {
			methods = object{}
			paths[o.Path] = methods
		}
		methods[strings.ToLower(o.Method)] = o.document(s)
	}
	maps.Copy(paths, servicePaths())
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "lshclust", "version": version, "summary": "Which pages of a crawl belong together", "description": introduction,
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":  []object{{"url": "/"}},
		"tags":     []object{{"name": "questions", "description": "about runs"}, {"name": "server", "description": "about the server itself"}},
		"security": []object{{}, {"token": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas":         s.named,
			"responses":       object{"Problem": problem},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "the token of lshclust serve --token-file, if it was given one"}},
		},
	}
}

// document returns the OpenAPI object of an operation.
func (o *Operation) document(s *schemas) object {
	out := object{
		"operationId": o.ID, "tags": []string{"questions"}, "summary": o.Summary, "description": o.Description,
		"parameters": o.parameters(), "responses": o.responses(s),
	}
	if o.Body != nil {
		value := object{"type": "string", "minLength": 1}
		if o.Body.IsList() {
			value = object{"type": "array", "minItems": 1, "items": value}
		}
		schema := object{
			"type": "object", "properties": object{o.Body.Name: value}, "required": []string{o.Body.Name}, "additionalProperties": false,
		}
		out["requestBody"] = object{
			"required": true, "description": o.Body.Doc + "; without JSON around it, the body is " + strings.Join(o.Body.Body, " or "),
			"content": object{JSON: object{"schema": schema}}, // programs that write clients understand only JSON
		}
	}
	return out
}

func (o *Operation) parameters() []object {
	out := []object{}
	for i := range o.Params {
		p := &o.Params[i]
		in := "query"
		if p.InPath {
			in = "path"
		}
		parameter := object{"name": p.Name, "in": in, "required": p.Required, "description": p.Doc, "schema": schemaOf(p)}
		if p.Example != "" {
			parameter["example"] = p.Example
		}
		out = append(out, parameter)
	}
	return out
}

func (o *Operation) responses(s *schemas) object {
	content := object{}
	for _, media := range o.Media() {
		switch media {
		case JSON:
			content[media] = object{"schema": s.of(reflect.TypeOf(o.Answer))}
		case NDJSON:
			content[media] = object{"schema": s.row(reflect.TypeOf(o.Answer))} // the schema of one line
		default:
			content[media] = object{"schema": object{"type": "string", "description": "a line with the names of the columns, then a row a line"}}
		}
	}
	header := func(doc string) object { return object{"description": doc, "schema": object{"type": "string"}} }
	headers := object{"X-Request-Id": header("for the log of the server")}
	if o.IsList() {
		headers["Link"] = header("URL of the next portion, with rel=\"next\"")
	}
	out := object{"4XX": object{"$ref": problemRef}, "5XX": object{"$ref": problemRef}}
	if o.Method == http.MethodGet {
		headers["ETag"] = header("of the answer; it changes when the run is replaced")
		out["304"] = object{"description": "The answer is the one with the ETag of If-None-Match"}
	}
	if o.Redirects {
		out["3XX"] = object{"description": "A redirect to the new URL", "headers": object{"Location": header("the new URL")}}
	}
	out["200"] = object{"description": o.Summary, "content": content, "headers": headers}
	return out
}

const problemRef = "#/components/responses/Problem"

// servicePaths returns the OpenAPI objects of the paths about the server itself.
func servicePaths() object {
	out := object{}
	for _, p := range ServicePaths {
		out[p.Path] = object{"get": object{
			"operationId": p.ID, "tags": []string{"server"}, "summary": p.Summary, "description": p.Summary + ".", "parameters": []object{},
			"responses": object{
				"200": object{"description": p.Summary, "content": object{p.Media: object{"schema": object{"type": p.Type}}}},
				"4XX": object{"$ref": problemRef}, "5XX": object{"$ref": problemRef},
			},
		}}
	}
	return out
}

// ServicePath is a path about the server itself rather than a run.
type ServicePath struct {
	ID, Path, Summary string
	Media, Type       string // media type of the answer, and its type in JSON Schema
}

// ServicePaths lists the paths about the server itself.
var ServicePaths = []ServicePath{
	{"openapi", "/openapi.json", "This document", JSON, "object"},
	{"healthz", "/healthz", "Whether the process runs", JSON, "object"},
	{"readyz", "/readyz", "Whether it answers questions: all runs are open, and it is not about to stop", JSON, "object"},
	{"metrics", "/metrics", "Counters for Prometheus", "text/plain", "string"},
}
