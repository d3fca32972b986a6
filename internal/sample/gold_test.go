package sample

import (
	"strings"
	"testing"
)

// TestGold checks that the tables of contents name most pages, and none twice, in the chapters that a reader of the
// manual expects.
func TestGold(t *testing.T) {
	path, parts := map[string]string{}, map[string]int{}
	for line := range strings.Lines(string(Gold())) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		url, category, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if _, again := path[url]; !ok || again || category == "" {
			t.Errorf("%q: want a URL that is new, a tab and a path", line)
		}
		path[url] = category
		part, _, _ := strings.Cut(category, "/")
		parts[part]++
	}
	for url, want := range map[string]string{
		"https://www.postgresql.org/docs/15/tutorial-join.html": "Tutorial/The SQL Language",
		"https://www.postgresql.org/docs/15/gin.html":           "Internals/GIN Indexes",
		"https://www.postgresql.org/docs/15/gin-intro.html":     "Internals/GIN Indexes",
		"https://www.postgresql.org/docs/15/sql-vacuum.html":    "Reference/SQL Commands",
		"https://www.postgresql.org/docs/15/app-pgdump.html":    "Reference/PostgreSQL Client Applications",
		"https://www.postgresql.org/docs/15/pgstattuple.html":   "Appendixes/Additional Supplied Modules",
	} {
		if path[url] != want {
			t.Errorf("%s is in %q, want %q", url, path[url], want)
		}
	}
	if len(path) < 1000 || len(parts) != 8 {
		t.Errorf("%d pages in %d parts, want more than 1,000 in 8: %v", len(path), len(parts), parts)
	}
}
