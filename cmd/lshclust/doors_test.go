package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// commandsOf names the command that asks each question, and the options that it offers in another way.
var commandsOf = map[string]struct {
	verb  string
	other []string
}{
	"related": {verb: "related"}, "search": {verb: "related"}, "explain": {verb: "explain", other: []string{"limit"}}, // all lines
	"duplicates": {verb: "duplicates"}, "clusters": {verb: "clusters"}, "query": {verb: "query", other: []string{"passages"}}, "queryText": {verb: "query"}, "fold": {verb: "fold"},
	"compare": {verb: "compare", other: []string{"corner", "x", "y"}}, // lists all corners
	"moved":   {verb: "moved"}, "links": {verb: "links"}, "versions": {verb: "versions"},
	"changes": {verb: "changes", other: []string{"verdict", "rules", "min", "folders"}}, // moved has these
}

// TestDoors checks that every option of a question is a parameter over HTTP and of the tools of assistants, a flag of the
// command and an argument in Python, with one description and the same choices.
func TestDoors(t *testing.T) {
	python, err := os.ReadFile(pythonFile)
	if err != nil {
		t.Fatal(err)
	}
	all := verbs()
	checked := map[string]int{}
	flagOf := func(id string, o ask.Option) {
		c := commandsOf[id]
		if c.verb == "" || o.Required || slices.Contains(c.other, o.Name) {
			return
		}
		f := all[c.verb].Flags().Lookup(strings.ReplaceAll(o.Name, "_", "-"))
		switch {
		case f == nil:
			t.Errorf("lshclust %s has no --%s", c.verb, o.Name)
		case o.Name != "limit" && !strings.HasPrefix(f.Usage, o.Doc) || o.Enum != nil && !slices.Equal(wordsOf(f.Value), o.Enum):
			t.Errorf("lshclust %s --%s: %s", c.verb, o.Name, f.Usage)
		}
		checked["flags"]++
	}
	for _, o := range api.Operations() {
		for _, option := range ask.Options(o.Question) {
			if flagOf(o.ID, option); option.Local || option.Body != nil {
				continue
			}
			p := o.Param(option.Name)
			if p == nil || p.Doc != option.Doc {
				t.Errorf("%s over HTTP lacks %s", o.ID, option.Name)
			}
			checked["parameters"]++
		}
	}
	for id, question := range map[string]any{"links": ask.Links{}, "versions": ask.Versions{}} { // read the inputs again
		for _, option := range ask.Options(question) {
			flagOf(id, option)
		}
	}
	for _, q := range pythonQuestions {
		_, method, _ := strings.Cut(string(python), "    def "+q.name+"(")
		method, _, _ = strings.Cut(method, "        given = ")
		for _, option := range q.options() {
			if said := strings.Join(strings.Fields(method), " "); !strings.Contains(said, option.Name+": "+option.Doc) {
				t.Errorf("%s in Python lacks %s", q.name, option.Name)
			}
			checked["arguments"]++
		}
	}
	if checked["flags"] < 40 || checked["parameters"] < 50 || checked["arguments"] < 20 {
		t.Errorf("few options: %v", checked)
	}
}
