package serve

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// TestAgain checks that the same question has the same answer in each format, and that other parameters and other runs get
// other answers.
func TestAgain(t *testing.T) {
	c := start(t, Options{}, sampleRun(t), sampleRun(t))
	seen := map[string]string{}
	for range 2 {
		for _, q := range []struct{ accept, path string }{
			{"application/json", "/v1/related?url=" + gin}, {"text/csv", "/v1/related?url=" + gin}, {"application/json", "/v1/related?limit=2&url=" + gin},
			{"application/json", "/v1/related?url=" + gist}, {"application/json", "/v1/page?url=" + gin}, {"text/html", "/page?url=" + gin},
			{"text/html", "/page?run=run1&url=" + gin},
		} {
			r := c.do(http.MethodGet, q.path, nil, "Accept: "+q.accept)
			said := r.Header.Get("Content-Type") + r.Header.Get("Link") + r.Header.Get("Etag") + string(r.body)
			if before, again := seen[q.accept+q.path]; again && before != said {
				t.Errorf("%s as %s: %.200s, before %.200s", q.path, q.accept, said, before)
			}
			for other, theirs := range seen {
				if other != q.accept+q.path && theirs == said {
					t.Errorf("%s as %s is answered like %s", q.path, q.accept, other)
				}
			}
			seen[q.accept+q.path] = said
		}
	}
}

// TestRepaired checks that an answer from a damaged table is not given again after the table is repaired.
func TestRepaired(t *testing.T) {
	run := small(t, 1)
	table := filepath.Join(run, tables.DocumentsFile)
	whole, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(data []byte) {
		if err := errors.Join(os.WriteFile(table+".next", data, 0o666), os.Rename(table+".next", table)); err != nil {
			t.Fatal(err)
		}
	}
	replace(bytes.Replace(whole, []byte("number 1"), []byte("number 7"), 1))
	c := start(t, Options{}, run)
	for _, path := range []string{"/v1/page", "/page"} {
		c.get(500, path, "url", "a.example")
	}
	replace(whole)
	if _, err := c.s.runs.served["run0"].reload(true); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/page", "/page"} {
		if a := c.get(200, path, "url", "a.example"); !bytes.Contains(a.body, []byte("number 1")) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}
