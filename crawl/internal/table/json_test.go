package table

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// TestQuick checks that the quick way through an object gives what the parser gives.
func TestQuick(t *testing.T) {
	quick := 0
	same := func(t rapid.TB, s string) {
		var got Values
		room := new(payload.Room)
		if !got.quick([]byte(s), knownNames, room) {
			return
		}
		quick++
		want, err := parseAnyhow([]byte(s), knownNames, room)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Values{})); d != "" || err != nil {
			t.Fatal(s, err, d)
		}
	}
	for _, s := range []string{
		`{"url":"a","text":"b\n\u00e4\ud83d","status":200,"x":{"a":[1,"]"]}}`, `{"id":7,"text":null,"text":"x"}`, `{ "title" : "a\"" , "ok":true } `,
	} {
		if same(t, s); quick == 0 {
			t.Error(s, "takes the parser")
		}
		quick = 0
	}
	piece := rapid.SampledFrom([]string{`"url"`, `"text"`, `"id"`, `"x"`, `"metadata"`, ":", ":", ",", "{", "}", "[", "]", " ", "null", "1.5", "1.", "tru", "true",
		`"a\u12"`, `"b\n"`, `"\u00e9\ud800"`,
		`"\x"`, "\"\xff\\t\"", "\"\x01\"", `"//"`, "/*"})
	member := rapid.Custom(func(t *rapid.T) string { return piece.Draw(t, "key") + ":" + piece.Draw(t, "value") })
	rapid.Check(t, func(t *rapid.T) {
		same(t, "{"+strings.Join(rapid.SliceOf(member).Draw(t, "members"), ",")+"}")
		same(t, "{"+strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")+"}")
	})
	if quick == 0 {
		t.Error("no object was read the quick way")
	}
}

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
