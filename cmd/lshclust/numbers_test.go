package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/spf13/pflag"
)

// never are values that every numeric flag refuses.
var never = []string{"NaN", "Inf", "-Inf", "-1", "1e309", "-9223372036854775808", "18446744073709551616", "", "x", "1,NaN", "1,-1"}

// huge are values that only the flags in roomy accept.
var huge = []string{"4294967296", "4611686018427387904", "9223372036854775807"}

var roomy = map[string]string{"seed": "any", "memory": "4294967296", "disk": "4294967296"}

const numberPages = `{"url":"https://a.example/x","html":"<title>One</title><p>We eat the sweet <a href='https://m.example/apple'>crisp apple</a> from the orchard every single autumn day."}
{"url":"https://b.example/x","html":"<p>In autumn the orchard gives a sweet <a href='https://m.example/apple'>red apple</a> and a sweet <a href='https://m.example/pear'>yellow pear</a> too."}
{"url":"https://m.example/apple","html":"<p>In autumn the orchard gives a sweet <a href='https://m.example/apple'>red apple</a> and a sweet <a href='https://m.example/pear'>yellow pear</a> too."}
{"url":"https://m.example/pear","html":"<p>Our orchard grows a sweet <a href='https://m.example/pear'>crisp pear</a> for autumn.</p>"}
`

// numberArgs are arguments with which a verb works. DIR is a folder with pages, their run, gold and marks.
var numberArgs = map[string]string{
	"cluster": "-q -o NEW DIR/pages.jsonl", "demo": "-q -o NEW", "related": "DIR/run m.example/apple", "clusters": "DIR/run", "topics": "DIR/run", "duplicates": "DIR/run",
	"changes": "DIR/run DIR/run", "moved": "DIR/run DIR/run --url m.example/apple", "guard": "DIR/run --urls DIR/urls.txt", "export": "DIR/run sketches -o NEW", "compare": "DIR/run", "query": "DIR/run DIR/doc.txt", "fold": "DIR/run DIR/urls.txt", "links": "DIR/run", "versions": "DIR/run", "explain": "DIR/run m.example/apple m.example/pear", "doctor": "DIR/pages.jsonl",
	"dedup":    "-q -o NEW DIR/pages.jsonl",
	"eval":     "DIR/run --gold DIR/gold.tsv",
	"classify": "DIR/run --labels DIR/gold.tsv m.example/apple",
	"task":     "sign --part 1/1 --run DIR/unfinished", "serve": "DIR/run --listen 999.0.0.1:0",
}

// TestHostileNumbers gives every numeric flag of every verb values that are not numbers, too large or too small. The
// command must exit with code 2 and a message that names the flag, without panicking or hanging.
func TestHostileNumbers(t *testing.T) { giveNumbers(t, []string{"NaN", "-1"}, huge[2:], nil) }

func TestLongHostileNumbers(t *testing.T) {
	giveNumbers(t, never, huge, []string{"0", "1", fmt.Sprint(mostNumber)})
}

// giveNumbers gives values that must be refused, values that only the flags in roomy accept, and values with which the
// command must end.
func giveNumbers(t *testing.T, never, huge, ending []string) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"pages.jsonl": numberPages, "doc.txt": "In autumn the orchard gives a sweet red apple and a sweet yellow pear too.",
		"urls.txt":  "https://m.example/apple\nhttps://m.example/pear\n",
		"gold.tsv":  "https://m.example/apple\tfruit/apple\nhttps://m.example/pear\tfruit/pear\nhttps://a.example/x\tpage/a\nhttps://b.example/x\tpage/b\n",
		"marks.tsv": "# query\tneighbour\tmark\tmethods\nq\tn\tgood\tanchors:1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := inProcess(t, "", "cluster", "-q", "--set", "shingle=3", "-o", filepath.Join(dir, "run"), filepath.Join(dir, "pages.jsonl")); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for verb, c := range verbs() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !isNumber(f.Value) {
				return
			}
			args, ok := numberArgs[verb]
			if !ok {
				t.Errorf("%s has --%s, and no arguments in this test", verb, f.Name)
				return
			}
			t.Run(verb+" --"+f.Name, func(t *testing.T) { hostileNumbers(t, dir, verb, args, f, never, huge, ending) })
		})
	}
}

func isNumber(v pflag.Value) bool {
	kind := v.Type()
	if o, ok := v.(*optionValue); ok {
		kind = map[ask.Kind]string{ask.Whole: "int", ask.Number: "float64"}[o.Kind]
	}
	return strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint") || strings.HasPrefix(kind, "float") || kind == "SIZE"
}

func hostileNumbers(t *testing.T, dir, verb, args string, f *pflag.Flag, never, huge, ending []string) {
	for _, value := range slices.Concat(never, huge) {
		out := filepath.Join(t.TempDir(), "new")
		line := strings.Fields(verb + " " + strings.NewReplacer("DIR", dir, "NEW", out).Replace(args))
		r := inProcess(t, "", append(line, "--"+f.Name+"="+value)...)
		if takes := roomy[f.Name]; slices.Contains(huge, value) && (takes == "any" || takes == value) && r.code != exitUsage {
			continue
		}
		if r.code != exitUsage || !strings.Contains(r.stderr, "--"+f.Name) {
			t.Errorf("--%s=%s: exit code %d, want 2\n%.300s", f.Name, value, r.code, r.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("--%s=%s: something was written", f.Name, value)
		}
	}
	for _, value := range ending {
		out := filepath.Join(t.TempDir(), "new")
		line := strings.Fields(verb + " " + strings.NewReplacer("DIR", dir, "NEW", out).Replace(args))
		inProcess(t, "", append(line, "--"+f.Name+"="+value)...) // it ends
	}
}
