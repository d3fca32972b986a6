package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
)

// TestListedTables reads the URLs of tables with other separators and names, and with separators within the URLs.
func TestListedTables(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"plain.csv":      {"https://a.example/x;y=1,200\nhttps://a.example/z,301\n", "https://a.example/x;y=1 https://a.example/z"},
		"semicolons.csv": {"https://a.example/x,y;200\nhttps://a.example/z;301\n", "https://a.example/x,y https://a.example/z"},
		"tabs.csv":       {"https://a.example/x,y;z\t200\n", "https://a.example/x,y;z"},
		"ragged.csv":     {"https://a.example/x,200\nhttps://a.example/y\n", "https://a.example/x https://a.example/y"},
		"PLAIN.CSV":      {"https://a.example/x,200\n", "https://a.example/x"},
		"plain.csv.gz":   {"https://a.example/x,200\n", "https://a.example/x"},
		"columns.txt":    {"status;url\n200;https://a.example/x,y\n", "https://a.example/x,y"},
		"list.txt":       {"https://a.example/x;y=1,200\n", "https://a.example/x;y=1,200"},
	} {
		path, text := filepath.Join(t.TempDir(), name), []byte(c.text)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write(text); err != nil || z.Close() != nil {
				t.Fatal(err)
			}
			text = b.Bytes()
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		l := knownList{form: urls.DefaultRules()}
		if err := l.read(path); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range l.known {
			got = append(got, k.URL)
		}
		if strings.Join(got, " ") != c.want || l.wrong != nil {
			t.Errorf("%s: %q, %+v", name, got, l.wrong)
		}
	}
}
