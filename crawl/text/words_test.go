package text

import (
	"os"
	"strings"
	"testing"
)

// TestWordsOfScripts has texts in some forty scripts. An independent implementation of UAX 29 checked the words once,
// with the differences that Splitter documents.
func TestWordsOfScripts(t *testing.T) {
	b, err := os.ReadFile("testdata/scripts.txt")
	if err != nil {
		t.Fatal(err)
	}
	escaped := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t")
	for line := range strings.Lines(string(b)) {
		in, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		in = escaped.Replace(in)
		var got []string
		var p Splitter
		p.Split([]byte(in), func(from, to int, _ []byte) { got = append(got, in[from:to]) })
		if g := strings.Join(got, "|"); g != want {
			t.Errorf("%+q: %+q, want %+q", in, g, want)
		}
	}
}
