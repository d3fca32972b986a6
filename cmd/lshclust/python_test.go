package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
)

var update = flag.Bool("update", false, "write what is generated from the questions")

// pythonQuestion is a method of the class Questions in Python.
type pythonQuestion struct {
	name     string
	summary  string // of the operation of the API with the name unless it is given
	question any
	verb     string   // the command
	except   []string // options that the command does not have under this name
	args     []string // name, type and description of each argument before the options, with | between them
	before   int      // number of options that may be given by position
	returns  string
	raises   bool // names URLs that the run lacks
	body     string
}

const (
	pythonTable = "pyarrow.Table"
	pythonURLs  = "url|str | Iterable[str]|%s; or several"
)

var pythonQuestions = []pythonQuestion{
	{name: "related", question: ask.Related{}, verb: "related", args: []string{pythonURLs}, before: 1, returns: pythonTable, raises: true,
		body: `self._about("related", url, %s, "related")`},
	{name: "search", question: ask.Search{}, verb: "related", args: []string{"words|str|words, or a URL"}, before: 1, returns: pythonTable,
		body: `self._rows("related", [f"--words={words}", *%s], "words")`},
	{name: "duplicates", question: ask.Duplicates{}, verb: "duplicates", except: []string{"limit"}, args: []string{pythonURLs}, returns: pythonTable, raises: true,
		body: `self._about("duplicates", url, %s, "duplicates")`},
	{name: "query", summary: "Who has the text of a document, which need not be in the run", question: ask.QueryText{}, verb: "query", except: []string{"passages"}, returns: pythonTable,
		args: []string{"document|str | os.PathLike[str] | None = None|a file of HTML or text, or the URL of a page of the run", "*||", "text|str | bytes | None = None|HTML or text, instead of document"},
		body: `self._query(document, text, %s)`},
	{name: "explain", question: ask.Explain{}, verb: "explain", except: []string{"limit"}, args: []string{"a|str|URL of a document, in any form", "b|str|URL of another document"}, returns: "dict[str, Any]",
		body: `self._explain(a, b, %s)`},
	{name: "clusters", question: ask.Clusters{}, verb: "clusters", before: 1, returns: pythonTable,
		args: []string{"contains|str | None = None|the cluster of this URL, with a row for each member"},
		body: `self._rows("clusters", %s, "clusters" if contains is None else "members")`},
}

// pythonAnswers are the answers whose rows Python reads.
var pythonAnswers = []struct {
	kind  string
	model any
}{
	{"related", ask.RelatedAnswer{}}, {"words", ask.SearchAnswer{}}, {"duplicates", ask.DuplicatesAnswer{}}, {"query", ask.QueryAnswer{}},
	{"clusters", ask.ClustersAnswer{}}, {"members", ask.ClusterAnswer{}},
}

const pythonFile = "../../python/src/lshclust/_questions.py"

const pythonHead = `"""Questions and the columns of their answers, made by go test ./cmd/lshclust -run Python -update."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from ._ask import Asker, flags

if TYPE_CHECKING:
    import pyarrow

`

// TestPython checks that the questions in Python are those of the command.
func TestPython(t *testing.T) {
	var b strings.Builder
	b.WriteString(pythonHead)
	b.WriteString("\nclass Questions(Asker):\n    \"\"\"The questions of lshclust.Run.\"\"\"\n\n    #: The columns of each kind of rows: s is a text, l a list of texts, f and i are numbers, b is true or false, q is\n    #: a sentence with a link.\n    columns = {\n")
	for _, a := range pythonAnswers {
		var columns []string
		for _, c := range ask.Columns(reflect.TypeOf(a.model)) {
			if kind := pythonColumn(c.Field.Type); kind != "" {
				columns = append(columns, c.Name+":"+kind)
			}
		}
		fmt.Fprintf(&b, "        %q: %s,\n", a.kind, strings.Join(pythonString(strings.Join(columns, " ")), "\n        "))
	}
	b.WriteString("    }\n")
	for _, q := range pythonQuestions {
		b.WriteString(q.method())
	}
	old, err := os.ReadFile(pythonFile)
	if *update {
		err = os.WriteFile(pythonFile, []byte(b.String()), 0o666)
	} else if string(old) != b.String() {
		t.Errorf("%s is not current: go test ./cmd/lshclust -run Python -update", pythonFile)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func pythonColumn(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[[]string]():
		return "l"
	case reflect.TypeFor[*runs.Quote]():
		return "q"
	case reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time]():
		return "s"
	}
	switch t.Kind() {
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Float32, reflect.Float64:
		return "f"
	case reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return "i"
	}
	return ""
}

// pythonString returns a text as the lines of a literal.
func pythonString(text string) (lines []string) {
	words := strings.Fields(text)
	line := ""
	for _, w := range words {
		if len(line)+len(w) > 95 {
			lines, line = append(lines, fmt.Sprintf("%q", line)), ""
		}
		line += w + " "
	}
	return append(lines, fmt.Sprintf("%q", strings.TrimSpace(line)))
}

// options returns the options that Python has.
func (q *pythonQuestion) options() (all []ask.Option) {
	for _, o := range ask.Options(q.question) {
		if !o.Required && !slices.Contains(q.except, o.Name) {
			all = append(all, o)
		}
	}
	first := slices.IndexFunc(all, func(o ask.Option) bool { return o.Name == "limit" })
	if q.before > 0 && q.name != "clusters" {
		all[0], all[first] = all[first], all[0]
		slices.SortFunc(all[1:], func(a, b ask.Option) int { return strings.Compare(a.Name, b.Name) })
	}
	return all
}

// method returns the method as source.
func (q *pythonQuestion) method() string {
	var params, docs, flags []string
	star := q.before
	options := q.options()
	add := func(o ask.Option) {
		kind, none := map[ask.Kind]string{ask.Text: "str | None", ask.Whole: "int | None", ask.Number: "float | None", ask.Flag: "bool"}[o.Kind], "None"
		if o.Enum != nil {
			kind = fmt.Sprintf("Literal[%q] | None", o.Enum)
			kind = strings.NewReplacer("[[", "[", "]]", "]", `" "`, `", "`).Replace(kind)
		}
		if o.Kind == ask.Flag {
			none = "False"
		}
		params = append(params, fmt.Sprintf("%s: %s = %s", o.Name, kind, none))
		docs = append(docs, o.Name+": "+o.Doc+".")
		flags = append(flags, o.Name+"="+o.Name)
	}
	arg := func(text string) {
		part := strings.SplitN(text, "|", 2)
		name, rest := part[0], part[1]
		at := strings.LastIndex(rest, "|")
		kind, doc := rest[:at], rest[at+1:]
		if kind == "" {
			params = append(params, name)
			return
		}
		if strings.Contains(doc, "%s") {
			doc = fmt.Sprintf(doc, ask.Options(q.question)[0].Doc)
		}
		params, docs = append(params, name+": "+kind), append(docs, name+": "+doc+".")
		if strings.Contains(kind, "= None") && q.name == "clusters" {
			flags = append(flags, name+"="+name)
		}
	}
	if q.name != "clusters" {
		for _, a := range q.args {
			arg(a)
		}
	}
	for i, o := range options {
		if i == star && !slices.Contains(params, "*") {
			params = append(params, "*")
		}
		add(o)
	}
	if q.name == "clusters" {
		for _, a := range q.args {
			arg(a)
		}
	}
	summary := q.summary
	if summary == "" {
		summary = api.OperationByID(q.name).Summary
	}
	out := "\n    def " + q.name + "(\n        self,\n        " + strings.Join(params, ",\n        ") + ",\n    ) -> " + q.returns + ":\n        \"\"\"" + summary + ".\n\n        Args:\n"
	for _, d := range docs {
		out += pythonWrapped(d)
	}
	if q.raises {
		out += "\n        Raises:\n            Failed: the run lacks a URL. ``answer`` has the rows of the others.\n"
	}
	call := "flags(\n            " + strings.Join(flags, ",\n            ") + ",\n        )"
	return out + "        \"\"\"\n        given = " + call + "\n        return " + fmt.Sprintf(q.body, "given") + "\n"
}

// pythonWrapped returns a description of an argument, wrapped.
func pythonWrapped(text string) string {
	out, line := "", "           "
	for w := range strings.FieldsSeq(text) {
		if len(line)+1+len(w) > 118 {
			out, line = out+line+"\n", "               "
		}
		line += " " + w
	}
	return out + line + "\n"
}
