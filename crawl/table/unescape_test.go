package table

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// checkUnescaped compares appendUnescaped with the library for a string without its quotes, if that is valid.
func checkUnescaped(t *testing.T, s []byte) {
	t.Helper()
	quoted := jsontext.Value(`"` + string(s) + `"`)
	if !quoted.IsValid() {
		return
	}
	want, err := jsontext.AppendUnquote(nil, []byte(quoted))
	got, ok := appendUnescaped([]byte("before"), s)
	if ok != (err == nil) {
		t.Fatalf("%q: %t, but the library returns %v", s, ok, err)
	}
	if ok && string(got) != "before"+string(want) {
		t.Fatalf("%q: %q, want %q", s, got, want)
	}
}

var escaped = []string{
	``, `a`, `\n`, `a\nb`, `\"\\\/\b\f\n\r\t`, `\u20AC`, `\u20ac!`, `\u0000`, `\ud83d\ude00`, `\uD83D\uDE00x`, `\ud83d`, `\ude00`, `\ud83d\n`, `\ud83dx`,
	`\ud83d\ud83d\ude00`, `\ufffd`, `€ \u0301`, `\ud83d\u0041`, `\\u0041`,
}

func TestUnescaped(t *testing.T) {
	for _, s := range escaped {
		checkUnescaped(t, []byte(s))
	}
	for _, s := range []string{`\`, `\u`, `\u12`, `\x`, `\u12g4`, `a\`} { // not valid: must not panic
		if got, ok := appendUnescaped(nil, []byte(s)); ok {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// FuzzUnescaped also compares with a text that encoding/json has escaped.
func FuzzUnescaped(f *testing.F) {
	for _, s := range escaped {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		checkUnescaped(t, s)
		text := bytes.ToValidUTF8(s, []byte("?"))
		line, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := appendUnescaped(nil, line[1:len(line)-1]); !ok || !bytes.Equal(got, text) {
			t.Fatalf("%s: %q, %t", line, got, ok)
		}
	})
}

// BenchmarkJSONText reads lines whose text is escaped as in a plain text with a line feed every 70 bytes.
func BenchmarkJSONText(b *testing.B) {
	text, err := json.Marshal(strings.Repeat("A line of \"plain\" text, indented by a few blanks, with seventy bytes.\n", 40))
	if err != nil {
		b.Fatal(err)
	}
	line := []byte(`{"url": "https://example.org/a", "text": ` + string(text) + `}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := parseLine(line, knownNames, new(payload.Room)); err != nil {
			b.Fatal(err)
		}
	}
}
