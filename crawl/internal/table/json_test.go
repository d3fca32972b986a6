package table

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// FuzzJSONLine compares the reader with encoding/json: what it accepts is valid and has the same meaning.
func FuzzJSONLine(f *testing.F) {
	for _, s := range []string{`{}`, `{"url":"a","html":"b\n\u00e4","text":null,"time":20200102}`, `{"url":"\ud83d\ude00\ud800x","x":{"a":[1,"]"]}}`, `{"url":"a","url":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := parseLine(line, knownNames, new(payload.Room))
		trimmed := bytes.TrimLeft(line, " \t\r\n")
		if valid := json.Valid(line) && len(trimmed) > 0 && trimmed[0] == '{'; valid != (err == nil) {
			t.Fatalf("%q: %v, but encoding/json says %v", line, err, valid)
		}
		if err != nil {
			return
		}
		var m map[string]any
		if json.Unmarshal(line, &m) != nil {
			return
		}
		for key, f := range map[string]Field{"url": fieldURL, "html": fieldHTML, "text": fieldText} {
			value := got.Of[f]
			if got.rank[f] > 0 || hasVariant(m, key) { // the field has another name
				continue
			}
			want, _ := m[key].(string)
			if s := strings.ToValidUTF8(string(value), "\uFFFD"); s != want && s != strings.ToValidUTF8(want, "\uFFFD") && !bytes.Contains(line, []byte{0xff}) && validLine(line) {
				t.Fatalf("%q: %s is %q, encoding/json says %q", line, key, s, want)
			}
		}
	})
}

// hasVariant reports whether the object also has a key in another spelling.
func hasVariant(m map[string]any, key string) bool {
	for k := range m {
		if k != key && plainName(k) == key {
			return true
		}
	}
	return false
}

// validLine excludes invalid UTF-8, because a sequence of invalid bytes may become one replacement character or
// several.
func validLine(b []byte) bool { return utf8.Valid(b) }
