package reconcile

import "strings"

// Suggestions are entities, properties or types for a text that is being typed.
type Suggestions[T any] struct {
	Result []T `json:"result"`
}

// Suggestion is a document that may be meant.
type Suggestion struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Notable     []string `json:"notable"`
}

// Entities suggests documents for a URL or for words that are typed in full. It leaves out the first ones.
func (s *Service) Entities(prefix string, skip int) (*Suggestions[Suggestion], error) {
	out := &Suggestions[Suggestion]{[]Suggestion{}}
	if strings.TrimSpace(prefix) == "" {
		return out, nil
	}
	found, err := s.candidates(&question{Query: prefix, Limit: mostHits})
	if err != nil {
		return nil, err
	}
	found = found[min(skip, len(found)):]
	for _, c := range found[:min(len(found), someHits)] {
		out.Result = append(out.Result, Suggestion{c.ID, c.Name, c.Description, []string{c.Types[0].ID}})
	}
	return out, nil
}

// Properties suggests properties.
func Properties(prefix string) *Suggestions[Property] {
	out := &Suggestions[Property]{[]Property{}}
	for _, p := range properties {
		if begins(p.ID, prefix) || begins(p.Name, prefix) {
			out.Result = append(out.Result, p)
		}
	}
	return out
}

// Types suggests types.
func Types(prefix string) *Suggestions[Type] {
	out := &Suggestions[Type]{[]Type{}}
	for _, t := range []Type{anyDocument, crawledPage} {
		if begins(t.ID, prefix) || begins(t.Name, prefix) {
			out.Result = append(out.Result, t)
		}
	}
	return out
}

func begins(s, prefix string) bool {
	return strings.HasPrefix(strings.ToLower(s), strings.ToLower(strings.TrimSpace(prefix)))
}
