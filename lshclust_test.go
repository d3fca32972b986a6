package lshclust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/sample"
)

// crawl writes four pages: two have nearly the same text, one links to both and to a page that was not crawled, and one
// is about something else.
func crawl(t *testing.T) string {
	text := strings.Repeat("apples pears plums cherries quinces medlars figs dates olives grapes ", 8)
	lines := []string{
		`{"url":"https://a.example/","html":"<title>Fruit</title><p>` + text + `</p>"}`,
		`{"url":"https://b.example/","html":"<title>Fruit</title><p>` + text + ` and nuts</p>"}`,
		`{"url":"https://d.example/","html":"<p>Bridges of steel: <a href=https://e.example/>suspension</a>, <a href=https://f.example/>suspension</a></p>"}`,
		`{"url":"https://c.example/","html":"<p>Orchard fruit: <a href=https://a.example/>apples</a>, <a href=https://b.example/>apples</a>, <a href=https://gone.example/>orchard</a></p>"}`,
	}
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	dir, input := filepath.Join(t.TempDir(), "run"), crawl(t)
	built, err := Cluster(t.Context(), dir, []string{input}, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := built.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Cluster(t.Context(), dir, []string{input}, Options{})
	if err != nil {
		t.Fatalf("the same run in the same directory: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := Preset("paper2000")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Cluster(t.Context(), dir, []string{input}, Options{Config: &other}); !errors.Is(err, run.ErrFinished) {
		t.Errorf("another run in the same directory: %v", err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if related, err := (ask.Related{URL: "a.example"}).Ask(t.Context(), r); err != nil || len(related.Items) == 0 || related.Items[0].URL != "https://b.example" {
		t.Errorf("related to a: %v, %v", related, err)
	}
	if _, err := (ask.Related{URL: "https://gone.example/"}).Ask(t.Context(), r); err != nil {
		t.Errorf("a URL that was not crawled: %v", err)
	}
	if copies, err := (ask.Duplicates{URL: "https://a.example/"}).Ask(t.Context(), r); err != nil || len(copies.Items) != 1 || copies.Items[0].Resemblance < 0.8 {
		t.Errorf("duplicates of a: %v, %v", copies, err)
	}
	if who, err := ask.Defaults(ask.QueryText{Text: "nothing of it"}).Ask(t.Context(), r); err != nil || len(who.Items) != 0 {
		t.Errorf("who: %+v, %v", who, err)
	}
	if list, err := (ask.Fold{URLs: []string{"b.example", "a.example"}}).Ask(t.Context(), r); err != nil || len(list.Items) != 2 || list.Items[1].Under != "b.example" {
		t.Errorf("fold: %+v, %v", list, err)
	}
	if why, err := (ask.Explain{A: "https://a.example/", B: "https://b.example/"}).Ask(t.Context(), r); err != nil || why.Similarity == 0 || why.LinkedBy != 1 {
		t.Errorf("why: %+v, %v", why, err)
	}
	const unknown = "https://unknown.example/"
	_, related := ask.Related{URL: unknown}.Ask(t.Context(), r)
	_, duplicates := ask.Duplicates{URL: unknown}.Ask(t.Context(), r)
	_, explain := ask.Explain{A: "https://a.example/", B: unknown}.Ask(t.Context(), r)
	for _, err := range []error{related, duplicates, explain} {
		if !errors.Is(err, ask.ErrUnknown) {
			t.Errorf("an unknown URL: %v", err)
		}
	}
}

// TestViews asks a run for a view that it does not have.
func TestViews(t *testing.T) {
	for view, ask := range map[string]func(r *Run) error{
		config.Topical: func(r *Run) error {
			_, err := ask.Duplicates{URL: "https://a.example/"}.Ask(t.Context(), r)
			return err
		},
		config.Syntactic: func(r *Run) error { _, err := ask.Related{URL: "https://a.example/"}.Ask(t.Context(), r); return err },
	} {
		c, err := config.Preset(config.DefaultPreset)
		if err != nil {
			t.Fatal(err)
		}
		c.Views = []string{view}
		r, err := Cluster(t.Context(), filepath.Join(t.TempDir(), "run"), []string{crawl(t)}, Options{Config: &c})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := ask(r); err == nil {
			t.Errorf("a run with the %s view alone answers questions about the other", view)
		}
	}
}

// TestReadme holds the lines of Go in the README to those of the example: only the crawl and the page differ.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("lshclust_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(readme), "```go\n")
	code, _, ended := strings.Cut(code, "```")
	if !found || !ended {
		t.Fatal("no Go in the README")
	}
	// normal removes indentation and the arguments that differ.
	normal := regexp.MustCompile(`(?m)^\t+|lshclust\.|\(ctx, .*\[\]string\{.*?\}|\(context\.Background\(\), .*\[\]string\{.*?\}|"https://.*?"|Limit: \d+|(ctx|context\.Background\(\))`)
	inExample := normal.ReplaceAllString(string(example), "")
	if want := normal.ReplaceAllString(code, ""); !strings.Contains(inExample, want) {
		t.Errorf("the README has\n%s\nwhich the example does not have", want)
	}
}

// Example clusters the pages of a manual, a file of JSON Lines with url and html, and asks what is related to one of
// them.
func Example() {
	if err := relatedPages(sample.Pages()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0.33 https://postgresql.org/docs/15/gist.html
	// 0.23 https://postgresql.org/docs/15/gin-examples.html
	// 0.21 https://postgresql.org/docs/15/gin-builtin-opclasses.html
}

func relatedPages(crawl []byte) error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "pages.jsonl.zst")
	if err := os.WriteFile(input, crawl, 0o666); err != nil {
		return err
	}
	run, err := Cluster(context.Background(), filepath.Join(dir, "run"), []string{input}, Options{})
	if err != nil {
		return err
	}
	defer run.Close()
	related, err := ask.Related{URL: "https://www.postgresql.org/docs/15/gin.html", Window: ask.Window{Limit: 3}}.Ask(context.Background(), run)
	if err != nil {
		return err
	}
	for _, r := range related.Items {
		fmt.Printf("%.2f %s\n", r.Similarity, r.URL)
	}
	return nil
}
