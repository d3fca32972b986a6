package readings

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// Tally counts differences by class.
type Tally struct{ classes map[string]*class }

type class struct {
	count    int
	pages    map[string]bool
	examples []string
}

// maxExamples limits the examples that are kept of a class.
const maxExamples = 5

// Add counts n differences of a class on a page. It keeps the first examples.
func (t *Tally) Add(name, page string, n int, example string) {
	if n == 0 {
		return
	}
	if t.classes == nil {
		t.classes = map[string]*class{}
	}
	c := t.classes[name]
	if c == nil {
		c = &class{pages: map[string]bool{}}
		t.classes[name] = c
	}
	c.count += n
	if example != "" && len(c.examples) < maxExamples && !c.pages[page] {
		c.examples = append(c.examples, page+": "+example)
	}
	c.pages[page] = true
}

// Count returns the number of differences of a class.
func (t *Tally) Count(name string) int {
	if c := t.classes[name]; c != nil {
		return c.count
	}
	return 0
}

// Examples returns some differences of a class, each from another page.
func (t *Tally) Examples(name string) []string {
	if c := t.classes[name]; c != nil {
		return c.examples
	}
	return nil
}

// Print writes a line for each class, in the order of their names.
func (t *Tally) Print(w io.Writer) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "class\tcount\tpages")
	for _, name := range slices.Sorted(maps.Keys(t.classes)) {
		fmt.Fprintf(tab, "%s\t%d\t%d\n", name, t.classes[name].count, len(t.classes[name].pages))
	}
	_ = tab.Flush()
}
