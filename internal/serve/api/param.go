package api

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/ask"
)

// Param is a parameter of an operation, in the query or the path.
type Param = ask.Option

// maxText is the maximum number of characters of a URL.
const maxText = 2048

// The parameters that select the run and that of an older crawl, and that of lists that come in portions.
var (
	run    = Param{Name: "run", Doc: "name of the run that answers; the first one that is served if it is missing", Kind: ask.Text, Most: 200}
	older  = Param{Name: "older", Doc: "name of the run of the older crawl; by default the first other run that is served", Kind: ask.Text, Most: 200}
	cursor = Param{Name: "cursor", Doc: "`next` of the answer with the rows before", Kind: ask.Text, Most: 64, Pattern: cursorPattern}
)

// OlderName returns the name of the run of the older crawl that a question asks about, or "" if the server has one
// run.
func (q *Question) OlderName() string {
	if name := q.Args.Text("older"); name != "" {
		return name
	}
	for _, name := range q.Run.Names {
		if name != q.Run.Name {
			return name
		}
	}
	return ""
}

// mostRows is the maximum number of rows of an answer.
const mostRows = 1000

// Args holds the values of parameters as text. Parameters that are required or have a default always have a value.
type Args map[string]string

// Has reports whether a parameter has a value.
func (a Args) Has(name string) bool { _, ok := a[name]; return ok }

// Text returns the value of a parameter, or "".
func (a Args) Text(name string) string { return a[name] }

// Int returns the value of an integer parameter, or 0.
func (a Args) Int(name string) int { return int(a.Number(name)) }

// Number returns the value of a number parameter, or 0.
func (a Args) Number(name string) float64 {
	n, _ := strconv.ParseFloat(a[name], 64)
	return n
}

// Flag returns the value of a flag parameter.
func (a Args) Flag(name string) bool { return a[name] == "true" }

// Parse reads the parameters of an operation from the query and, by name, from the path.
func (o *Operation) Parse(query string, path func(name string) string) (Args, error) {
	args := Args{}
	given, err := url.ParseQuery(query)
	if err != nil {
		return args, BadRequest("the query of the URL cannot be read", "Write %25 for a percent sign, and & between parameters.")
	}
	for name, values := range given {
		switch p := o.Param(name); {
		case p == nil || p.InPath:
			return args, BadRequest(fmt.Sprintf("there is no parameter %q", brief(name)), "The parameters are "+strings.Join(o.queryNames(), ", ")+".")
		case len(values) > 1:
			return args, BadRequest("the parameter "+name+" is given more than once", "Give it once.")
		}
		args[name] = values[0]
	}
	for i := range o.Params {
		p := &o.Params[i]
		if p.InPath {
			args[p.Name] = path(p.Name)
		}
		if err := args.check(p); err != nil {
			return args, err
		}
	}
	return args, nil
}

func (o *Operation) queryNames() (names []string) {
	for _, p := range o.Params {
		if !p.InPath {
			names = append(names, p.Name)
		}
	}
	return names
}

// check checks the value of a parameter and fills in the default.
func (a Args) check(p *Param) error {
	value, ok := a[p.Name]
	switch {
	case !ok && p.Required:
		return BadRequest("the parameter "+p.Name+" is missing", p.Name+": "+p.Doc+".")
	case !ok && p.Default == "":
		return nil
	case !ok:
		value = p.Default
		a[p.Name] = value
	}
	if wrong := p.Wrong(value); wrong != "" {
		return BadRequest("the parameter "+p.Name+" "+wrong, p.Name+": "+p.Doc+".")
	}
	return nil
}

// brief shortens text from a client that a message quotes.
func brief(s string) string {
	const most = 100
	s = strings.ToValidUTF8(s, "\uFFFD")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}

// Given returns the sorted names of the parameters that have a value.
func (a Args) Given() []string { return slices.Sorted(maps.Keys(a)) }
