package evaluate_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// A crawl of four pages, clustered by their contents and evaluated against the categories of a person.
func ExampleEvaluate() {
	dir, err := os.MkdirTemp("", "eval")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g := &gold.Gold{Name: "example"}
	var pages strings.Builder
	for url, text := range map[string]string{
		"https://apple.example": "Fruit:orchard harvest sweet juice of apples", "https://pear.example": "Fruit:orchard harvest sweet juice of pears",
		"https://wheel.example": "Bicycles:spoke hub rim tyre of wheels", "https://chain.example": "Bicycles:spoke hub rim tyre of chains",
	} {
		category, text, _ := strings.Cut(text, ":")
		g.Labels = append(g.Labels, score.Label{URL: url, Path: []string{category}})
		fmt.Fprintf(&pages, "{\"url\":%q,\"text\":%q}\n", url, text)
	}
	in, out := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	if err := os.WriteFile(in, []byte(pages.String()), 0o666); err != nil {
		log.Print(err)
		return
	}
	c, err := config.Preset("web")
	if err != nil {
		log.Print(err)
		return
	}
	c.Bags, c.Views, c.MinDF, c.MaxDF = "content", []string{config.Topical}, 1, 1
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		log.Print(err)
		return
	}
	run, err := runs.Open(out)
	if err != nil {
		log.Print(err)
		return
	}
	defer run.Close()
	e, err := evaluate.Evaluate(context.Background(), run, g, evaluate.Options{Depth: 1})
	if err != nil {
		log.Print(err)
		return
	}
	level := e.Related[0].Levels[0]
	fmt.Printf("nearest neighbour in the same category: %.2f of the queries, by chance %.2f\n", level.Hit.Value, level.Chance.Value)
	// Output: nearest neighbour in the same category: 1.00 of the queries, by chance 0.33
}
