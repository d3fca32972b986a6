package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// call answers a call of a tool. Problems are returned as results, so that a model sees them. The answer goes out once, as
// text, since all clients show that to the model.
func (s *server) call(ctx context.Context, t *tool, arguments json.RawMessage) result {
	answer, err := s.answer(ctx, t, arguments)
	if err != nil {
		return result{"isError": true, "content": []result{{"type": "text", "text": told(err)}}}
	}
	return result{"content": []result{{"type": "text", "text": string(answer)}}}
}

// answer asks the run and encodes the answer.
func (s *server) answer(ctx context.Context, t *tool, arguments json.RawMessage) (answer []byte, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a table may have been truncated on disk
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	given, err := parameters(arguments)
	if err != nil {
		return nil, err
	}
	o := t.operation
	if t.withText != nil && given.Has(t.withText.Body.Name) {
		o = t.withText
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	m, err := o.AskWith(ctx, s.run, s.older, given)
	if damage := s.run.Err(); damage != nil {
		return nil, fmt.Errorf("the run is damaged: %w", damage)
	}
	if err != nil {
		return nil, err
	}
	if answer, err = json.Marshal(m); err != nil {
		return nil, err
	}
	if answer = harmless.JSON(rounded(answer)); len(answer) > mostAnswer {
		return nil, api.BadRequest("the answer is too large", "Ask for fewer rows with limit, or for fewer terms.")
	}
	return answer, nil
}

// fraction matches a text of JSON, or a number with a fraction.
var fraction = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\d+\.\d+(?:e[-+]?\d+)?`)

// rounded returns JSON whose numbers with fractions have three digits, which is all that a model needs.
func rounded(answer []byte) []byte {
	return fraction.ReplaceAllFunc(answer, func(token []byte) []byte {
		n, err := strconv.ParseFloat(string(token), 64)
		if err != nil {
			return token // a text
		}
		return strconv.AppendFloat(nil, n, 'g', 3, 64)
	})
}

// parameters converts the arguments of a call to parameters. Null counts as not given.
func parameters(arguments json.RawMessage) (url.Values, error) {
	out := url.Values{}
	if len(arguments) == 0 {
		return out, nil
	}
	var given map[string]any
	d := json.NewDecoder(bytes.NewReader(arguments))
	if err := d.Decode(&given); err != nil {
		return nil, api.BadRequest("the arguments are no object of JSON", "Send an object that fits the input schema.")
	}
	for name, value := range given {
		switch v := value.(type) {
		case nil:
		case string:
			out.Set(name, v)
		case bool:
			out.Set(name, strconv.FormatBool(v))
		case float64:
			form := byte('g')
			if v == math.Trunc(v) && math.Abs(v) < 1e15 {
				form = 'f'
			}
			out.Set(name, strconv.FormatFloat(v, form, -1, 64))
		default:
			return nil, api.BadRequest("the argument "+name+" is neither text nor a number nor true or false", "Send an object that fits the input schema.")
		}
	}
	return out, nil
}

// told formats an error for a model: what is wrong, what to do, and URLs to go on with.
func told(err error) string {
	p, expected := api.ProblemOf(err)
	todo := p.Todo
	switch {
	case !expected:
		todo = "Tell the user: " + brief(err)
	case p.Retry > 0:
		todo = fmt.Sprintf("Call again in %d seconds.", p.Retry)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %s", p.Title, harmless.Cell(p.Detail), todo)
	for _, list := range []struct {
		name string
		urls []string
	}{{"The nearest URLs that the run holds:", p.Nearest}, {"The captures:", p.Captures}} {
		if len(list.urls) > 0 {
			b.WriteString("\n" + list.name)
		}
		for _, u := range list.urls {
			b.WriteString("\n- " + harmless.Cell(u))
		}
	}
	return b.String()
}

// brief returns the first line of an unexpected error.
func brief(err error) string {
	const most = 300
	line, _, _ := strings.Cut(err.Error(), "\n")
	return harmless.Cell(strings.ToValidUTF8(line[:min(len(line), most)], ""))
}
