package api

import (
	"context"
	"net/url"
	"reflect"
)

// AskWith parses the parameters and answers the question. older is the run of an older crawl, or nil. The parameter text
// is the body of an operation that takes one.
func (o *Operation) AskWith(ctx context.Context, r, older *Run, given url.Values) (Model, error) {
	args, err := o.Parse(given.Encode(), given.Get)
	if err != nil {
		return nil, err
	}
	q := &Question{Run: r, Older: older, Args: args, Body: []byte(args.Text("text"))}
	if q.From, err = o.From(args, r.Manifest.Digest); err != nil {
		return nil, err
	}
	m, err := o.Ask(ctx, q)
	if err == nil {
		o.Follow(m, q)
	}
	return m, err
}

// OperationByID returns the operation with an id, or nil.
func OperationByID(id string) *Operation {
	for _, o := range Operations() {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// InputSchema returns the JSON Schema of an object with the parameters.
func (o *Operation) InputSchema() map[string]any {
	properties, required := object{}, []string{}
	for i := range o.Params {
		p := &o.Params[i]
		properties[p.Name] = p.schema()
		properties[p.Name].(object)["description"] = p.Doc
		if p.Required {
			required = append(required, p.Name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// AnswerSchema returns the JSON Schema of the answers. It includes all schemas that it refers to.
func (o *Operation) AnswerSchema() map[string]any {
	s := &schemas{object{}, "#/$defs/"}
	t := reflect.TypeOf(o.Answer)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	out := s.structure(t)
	out["$defs"] = s.named
	return out
}
