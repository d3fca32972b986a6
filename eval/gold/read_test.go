package gold

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shown returns a gold as text: labels, then what was skipped.
func shown(g *Gold) (out []string) {
	for _, l := range g.Labels {
		out = append(out, l.URL+" "+strings.Join(l.Path, "/"))
	}
	for _, s := range g.Skipped {
		out = append(out, fmt.Sprintf("%s %d %s", s.Reason, s.Count, strings.Join(s.Examples, "; ")))
	}
	return out
}

func sameGold(t *testing.T, path string, want ...string) {
	t.Helper()
	g, err := Read(path, urls.DefaultRules())
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(g); !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", path, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const rows = "\ufeff# url\tpath\nhttp://www.A.org/index.html\tX/L / 1\r\n\nhttp://b.org/?x\tX//M/\thttps://b.org\t7\n" +
	"http://b.org\tY\nnot a url\tX\nhttp://c.org\n\tX\nhttp://d.org\t/ /\nmailto:x@y.z\tX\n"

func TestReadRows(t *testing.T) {
	want := []string{"https://a.org X/L/1", "https://b.org?x X/M", "https://b.org Y"}
	for name, content := range map[string]string{"gold.tsv": rows, "gold.tsv.gz": zipped(t, rows)} {
		sameGold(t, write(t, name, content), append(slices.Clone(want),
			`bad-url 2 `+name+`:6: "not a url"; `+name+`:10: "mailto:x@y.z"`, `bad-row 1 `+name+`:7: "http://c.org"`,
			`no-url 1 `+name+`:8: "X"`, `no-category 1 `+name+`:9: "http://d.org"`)...)
	}
}

func TestReadGoldBad(t *testing.T) {
	for name, c := range map[string]struct{ content, says string }{
		"empty.tsv":  {"", "empty.tsv: the file is empty\n  a gold of categories has lines of"},
		"rows.tsv":   {"a\nb\nhttp://x.org\t\n", `2 × bad-row, the first rows.tsv:1: "a"`},
		"binary":     {"PAR1\x00\x00", "this is not text"},
		"page.html":  {"\n<!DOCTYPE html><p>No gold", "page.html: this is an HTML page\n  a gold of categories has lines of"},
		"kinds.tsv":  {"# new\told\tlabel\nhttp://x.org\thttps://y.org/b\tobsoletes\n", "kinds.tsv: two URLs on a line are a pair"},
		"lines.json": {`{"url":"http://x.org"}`, "lines.json: this is JSON"},
		"pairs.tsv":  {"# a\tb\nhttp://x.org\thttps://y.org/b\nhttp://z.org\thttp://w.org\n", "pairs.tsv: two URLs on a line are a pair"},
		"bad.gz":     {"\x1f\x8b\x08", "bad.gz"},
		"long.tsv":   {strings.Repeat("x", maxLine+1), "long.tsv: line 1: "},
	} {
		_, err := Read(write(t, name, c.content), urls.DefaultRules())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g, err := Read(write(t, "odd.tsv", "http://x.org\thttp://y.org\nhttp://z.org\tArts\n"), urls.DefaultRules())
	if err != nil || len(g.Labels) != 2 {
		t.Errorf("one odd category: %v, %v", g, err) // it may be one
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), urls.DefaultRules()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(t.TempDir(), urls.DefaultRules()); err == nil {
		t.Error("a folder is a gold")
	}
}

// FuzzReadGold: reading any file ends without a panic, and all labels have a URL and a path.
func FuzzReadGold(f *testing.F) {
	f.Add([]byte(rows))
	f.Fuzz(func(t *testing.T, content []byte) {
		g, err := read(bytes.NewReader(content), "fuzz", urls.DefaultRules())
		if err != nil {
			return
		}
		for _, l := range g.Labels {
			if l.URL == "" || len(l.Path) == 0 || slices.Contains(l.Path, "") {
				t.Errorf("label %+v", l)
			}
		}
	})
}
