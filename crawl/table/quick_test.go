package table

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// library is parseLine without quickLine.
func library(b []byte) (Values, error) {
	var v Values
	r := readerOf(b, new(payload.Room))
	defer r.done()
	if err := r.object(&v, knownNames); err != nil {
		return v, err
	}
	return v, r.end()
}

// sameAsLibrary checks that a line that quickLine accepts has the same values for the library, and returns whether it
// accepts the line.
func sameAsLibrary(t *testing.T, line []byte) bool {
	t.Helper()
	before := bytes.Clone(line)
	got, ok := quickLine(line, knownNames, new(payload.Room))
	if !bytes.Equal(line, before) {
		t.Fatalf("%q became %q", before, line)
	}
	if !ok {
		return false
	}
	want, err := library(line)
	if err != nil {
		t.Fatalf("%q is accepted, and the library says %v", line, err)
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Values{})); d != "" {
		t.Fatalf("%q: %s", line, d)
	}
	return true
}

func TestQuickLine(t *testing.T) {
	for line, want := range map[string]bool{
		`{}`: true, ` { } `: true, `{"url":"a"}`: true, `{"url" : "a" , "text":"b"}` + "\n": true, `{"text":"say \"yes\"\n\tand \\ \/ \b\f\r."}`: true,
		`{"text":"\u00e4\ud83d\ude00\u0000x and more of it"}`: true, `{"text":"größer \n als 日本語 und mehr"}`: true, "{\"text\":\"\xff without escapes\"}": true,
		`{"timestamp":20200102030405,"text":"b"}`: true, `{"x":-10,"y":0,"z":null,"url":"a","nofollow":true,"w":false}`: true, `{"url":"a","url":"b"}`: true,
		`{"größe":"a","text":"b"}`: true, `{"text":"ends with an escape \\"}`: true, `{"text":"\ud83d\ude00"}`: true, `{"x":"\ud800 is not used"}`: true,
		`{"text":"\ud83d\\ no pair"}`: false, `{"text":"\ud83d"}`: false, `{"text":"\ude00\ud83d and more"}`: false,
		"{\"text\":\"\xff with an escape \\n\"}": false, `{"te\u0078t":"b"}`: false, `{"x":1.5}`: false, `{"x":1e3}`: false, `{"x":01}`: false, `{"x":-}`: false,
		`{"x":{"a":1}}`: false, `{"x":[]}`: false, `{"x":"\x"}`: false, `{"x":"\u12g4"}`: false, "{\"x\":\"a\nb and more of it\"}": false, `{"x":"a`: false, `{"x"`: false,
		`{"x":tru}`: false, `{"x":truex}`: false, `{,}`: false, `{"x":1,}`: false, `{"x":1 "y":2}`: false, `{"x":1}{}`: false, `{"x":1}x`: false, `["x"]`: false, ``: false, `{`: false,
	} {
		if ok := sameAsLibrary(t, []byte(line)); ok != want {
			t.Errorf("%q is read quickly: %v", line, ok)
		}
	}
}

// Lines of random strings, and lines with a random error, mean what they mean to the library.
func TestQuickLineRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "some words ", "\n", "\t", "\"", "\\", "ä", "日本", "😀", "\u0001", "\u2028", " ", "/"}
	quick := 0
	for range 4_000 {
		text := ""
		for range random.IntN(12) {
			text += parts[random.IntN(len(parts))]
		}
		line, err := json.Marshal(map[string]any{"url": text[:len(text)/2], "text": text, "title": random.IntN(100), "other": text})
		if err != nil {
			t.Fatal(err)
		}
		if sameAsLibrary(t, line) {
			quick++
		}
		line[random.IntN(len(line))] = "\"\\{}:,u0 \x00\xff"[random.IntN(11)]
		sameAsLibrary(t, line)
	}
	if quick < 3_000 {
		t.Errorf("%d lines were read quickly", quick)
	}
}
