package serve

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// TestAnswersAreBounded checks that the most recently used answers are kept, and that they never take more than their
// room.
func TestAnswersAreBounded(t *testing.T) {
	const body = 4 << 10
	all := newAnswers(20 * (body + perAnswer + 2))
	get := func(n int) bool { return all.get(fmt.Sprintf("%02d", n), &reply{}) }
	for n := range 40 {
		all.put(fmt.Sprintf("%02d", n), &reply{http.StatusOK, http.Header{}, make([]byte, body)})
		if all.bytes > all.most || len(all.by) != all.recent.Len() {
			t.Fatalf("after %d answers %d bytes of %d, %d keys of %d", n, all.bytes, all.most, len(all.by), all.recent.Len())
		}
		if n >= 10 && !get(5) {
			t.Fatalf("after %d answers the one that is used is gone", n)
		}
	}
	for n, want := range map[int]bool{5: true, 39: true, 22: true, 0: false, 20: false} {
		if get(n) != want {
			t.Errorf("answer %d is kept: %v", n, !want)
		}
	}
	before := all.bytes
	all.put("large", &reply{http.StatusOK, http.Header{}, make([]byte, all.most/2)})
	all.put(strings.Repeat("k", mostKey+1), &reply{http.StatusOK, http.Header{}, nil})
	all.put("05", &reply{http.StatusOK, http.Header{}, nil})
	if all.bytes != before {
		t.Errorf("%d bytes, %d before", all.bytes, before)
	}
}

// TestKeptAnswers checks that a cached answer equals the first one in each format, and that other parameters and
// other runs get other answers.
func TestKeptAnswers(t *testing.T) {
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

// TestDamagedAnswersAreNotKept checks that an answer from a damaged table is not given again after the table is
// repaired.
func TestDamagedAnswersAreNotKept(t *testing.T) {
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
