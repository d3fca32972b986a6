package lshclust_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust"
	"github.com/lshclust/lshclust/internal/sample"
)

// Example clusters the pages of a manual, a file of JSON Lines with url and html, and asks what is related to one of
// them.
func Example() {
	if err := relatedPages(sample.Pages()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0.34 https://postgresql.org/docs/15/gin-extensibility.html
	// 0.32 https://postgresql.org/docs/15/gist.html
	// 0.32 https://postgresql.org/docs/15/gin-examples.html
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
	run, err := lshclust.Cluster(context.Background(), filepath.Join(dir, "run"), []string{input}, lshclust.Options{})
	if err != nil {
		return err
	}
	defer run.Close()
	related, err := run.Related("https://www.postgresql.org/docs/15/gin.html", 3)
	for _, r := range related {
		fmt.Printf("%.2f %s\n", r.Similarity, r.URL)
	}
	return err
}
