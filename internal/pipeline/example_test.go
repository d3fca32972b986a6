package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// ExampleCluster builds a run with the syntactic view alone and prints its stages.
func ExampleCluster() {
	if err := buildRun(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 pages by read redirect group shingle index equal resemble union publish
}

func buildRun() error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "pages.jsonl")
	pages := `{"url": "https://a.example/", "html": "<title>One</title><p>A page with a <a href=/2>link</a>"}
{"url": "https://a.example/2", "text": "The other page"}`
	if err := os.WriteFile(input, []byte(pages), 0o666); err != nil {
		return err
	}
	c, err := config.Preset(config.DefaultPreset)
	if err != nil {
		return err
	}
	c.Views = []string{config.Syntactic}
	r, err := pipeline.Cluster(context.Background(), filepath.Join(dir, "run"), []string{input}, c, pipeline.Options{})
	if err != nil {
		return err
	}
	fmt.Print(r.Manifest.Counts["pages"], " pages by")
	for _, s := range r.Manifest.Stages {
		fmt.Print(" ", s.Name)
	}
	fmt.Println()
	return nil
}
