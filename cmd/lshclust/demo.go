package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
)

// demoURLs are the pages of the sample that demo shows.
var demoURLs = []string{
	"https://www.postgresql.org/docs/15/app-pgdump.html",
	"https://www.postgresql.org/docs/15/gin.html",
	"https://www.postgresql.org/docs/15/sql-vacuum.html",
}

func newDemo() *cobra.Command {
	e := &engine{out: "lshclust-demo"}
	c := &cobra.Command{
		Use:   "demo [-o RUN]",
		Short: "Cluster an embedded sample and show what comes out",
		Long: `Demo clusters pages of the PostgreSQL 15 manual that are part of this program, and shows what is related to three
of them by the words around the links, with the reasons. The run and the
pages stay, to try other commands on.`,
		Example: "  lshclust demo\n  lshclust demo -o /tmp/demo",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return demo(c, e) },
	}
	e.bind(c)
	return c
}

func demo(c *cobra.Command, e *engine) error {
	config, err := pipeline.Preset(pipeline.DefaultPreset)
	if err != nil {
		return err
	}
	if err := demoRun(c, e, config); err != nil && !errors.Is(err, run.ErrFinished) {
		return err
	}
	r, err := query.Open(e.out)
	if err != nil {
		return err
	}
	defer r.Close()
	n := r.Manifest.Counts
	fmt.Printf("%d pages of the PostgreSQL 15 manual, %d links, %d documents, %d clusters of two or more.\n",
		n["pages"], n["links"], n["documents"], n["topical_clusters_of_two_or_more"])
	fmt.Println("Related by the words around the links that point at them, not by what the pages say:")
	for _, u := range demoURLs {
		id, err := r.Lookup(u)
		if err != nil {
			return err
		}
		fmt.Println()
		relatedTable(os.Stdout, r, id, r.Related(id, 5))
	}
	fmt.Printf("\nTry next:\n  lshclust explain %s %s %s\n  lshclust related %s https://www.postgresql.org/docs/15/mvcc.html --top 20\n"+
		"  lshclust compare %s\n  lshclust info %s\n  lshclust cluster -o RUN your-crawl.warc.gz\n", e.out, demoURLs[0], "https://www.postgresql.org/docs/15/app-pg-dumpall.html", e.out, e.out, e.out)
	return nil
}

// demoRun builds the run from the sample unless it is there. The pages stay beside it: diff reads them again.
func demoRun(c *cobra.Command, e *engine, config pipeline.Config) error {
	pages := e.out + "-" + sample.Name
	if err := os.WriteFile(pages, sample.Pages(), 0o666); err != nil {
		return err
	}
	_, err := e.build(c, []string{pages}, config)
	return err
}
