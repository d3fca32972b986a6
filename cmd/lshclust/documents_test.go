package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// documents returns the text of each Markdown document by its path from the root of the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "lab/*.md", "lab/*/*.md", "python/*.md"} {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out[path] = string(text)
		}
	}
	return out
}

var (
	link    = regexp.MustCompile(`\]\(([^)#:\s]*)(#[^)\s]*)?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noID    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks checks that every relative link of a document leads to a file, and to a heading if it names one.
func TestLinks(t *testing.T) {
	docs := documents(t)
	for path, text := range docs {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s leads nowhere", path, m[1])
				continue
			}
			found := m[2] == ""
			for _, h := range heading.FindAllStringSubmatch(docs[to], -1) {
				id := strings.ReplaceAll(noID.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")
				found = found || m[2] == "#"+id
			}
			if !found {
				t.Errorf("%s: %s has no heading %s", path, to, m[2])
			}
		}
	}
}

// TestColumns checks that docs/format.md names every column of every Parquet table.
func TestColumns(t *testing.T) {
	format := documents(t)["../../docs/format.md"]
	schemas, err := os.ReadFile("../../internal/run/testdata/schema.golden")
	if err != nil {
		t.Fatal(err)
	}
	table := ""
	for line := range strings.Lines(string(schemas)) {
		name, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if of, ok := strings.CutSuffix(name, ".parquet"); ok {
			table = of
		} else if name, _, _ = strings.Cut(name, "."); kind != "" && name != "format" {
			_, section, _ := strings.Cut(format, "**"+table+"**")
			section, _, _ = strings.Cut(section, "\n**")
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("docs/format.md: %s has no column %s", table, name)
			}
		}
	}
}

// TestExamplesExist checks that the examples in help texts name commands and flags that exist.
func TestExamplesExist(t *testing.T) {
	checked := 0
	for verb, c := range verbs() {
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(line, "#")
			for _, command := range strings.Split(strings.ReplaceAll(line, "&&", "|"), "|") {
				command, _, _ = strings.Cut(command, ">")
				words := strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(command))
				if len(words) < 2 || words[0] != "lshclust" {
					continue
				}
				named, rest, err := newRoot().Find(words[1:])
				if err == nil {
					err = named.ParseFlags(rest)
				}
				if err != nil {
					t.Errorf("%s --help: %s: %v", verb, strings.Join(words, " "), err)
				}
				checked++
			}
		}
	}
	if checked < 40 {
		t.Errorf("%d examples; is the test looking at what it should?", checked)
	}
}

// TestWords checks that flags and parameters use the words of the glossary, and none that was replaced or had two
// meanings.
func TestWords(t *testing.T) {
	gone := map[string]string{ // and the word of the glossary
		"deep": "exact", "why": "explain", "sweeps": "changes", "sweep": "changes",
	}
	only := map[string][]string{ // commands that have a flag whose word has one meaning
		"threshold": {"cluster", "config", "clusters"},
		"views":     {"cluster", "config"},
		"labels":    {"classify"},
		"gold":      {"eval"},
	}
	for verb, c := range verbs() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if word, ok := gone[f.Name]; ok {
				t.Errorf("lshclust %s --%s: the word is %s", verb, f.Name, word)
			}
			if at, ok := only[f.Name]; ok && !slices.Contains(at, verb) {
				t.Errorf("lshclust %s --%s: it means something else elsewhere", verb, f.Name)
			}
		})
	}
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(documents(t)["../../docs/api.md"], -1) {
		if word, ok := gone[m[1]]; ok {
			t.Errorf("docs/api.md: %s: the word is %s", m[1], word)
		}
	}
}
