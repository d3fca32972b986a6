package run

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckDropped checks the comparison of a list with the counts in a manifest.
func TestCheckDropped(t *testing.T) {
	const good = `{"reason":"bad-json","damage":true,"file":"a","offset":1,"record":1}
{"reason":"bad-json","damage":true,"file":"a","offset":9,"record":3}
{"reason":"not-html","file":"b","offset":0,"record":1}
`
	counts := []Dropped{
		{Reason: "bad-json", Count: 2, Examples: []string{"a"}}, {Reason: "not-html", Count: 1, Examples: []string{"b"}},
		{Reason: "self-link", Count: 7}, {Reason: ReasonCommonShingle, Count: 3, Examples: []string{"c"}},
	}
	for _, c := range []struct {
		name, list, want string
		counts           []Dropped
	}{
		{"good", good, "", counts},
		{"a line less", good[strings.Index(good, "\n")+1:], "1 lines for bad-json, the manifest counts 2", counts},
		{"none", "", "0 lines for bad-json", counts},
		{"unknown reason", good, `lines for "not-html"`, counts[:1]},
		{"no JSON", good + "{", "line 4", counts},
		{"out of order", strings.ReplaceAll(good, `"record":3`, `"record":0`), "record 0 of a comes after record 1", counts},
	} {
		dir := t.TempDir()
		f, err := os.Create(filepath.Join(dir, DroppedList))
		must(t, err)
		z := gzip.NewWriter(f)
		_, err = z.Write([]byte(c.list))
		if err != nil || z.Close() != nil || f.Close() != nil {
			t.Fatal(err)
		}
		r := &Run{path: dir, Manifest: &Manifest{Dropped: c.counts}}
		_, err = r.checkDropped(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
