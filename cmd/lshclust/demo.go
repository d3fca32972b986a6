package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/spf13/cobra"
)

// demoURLs lists the pages of the sample that demo shows.
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
		Long: `Demo clusters 1,144 pages of the PostgreSQL 15 manual that are part of this program, and shows what is related to three
of them. It keeps the run, so that you can try other commands on it, and also writes the pages and, for eval, their
categories, which come from the manual's tables of contents.`,
		Example: "  lshclust demo\n  lshclust demo -o /tmp/demo",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return demo(c.Context(), c, e) },
	}
	e.bind(c)
	oneOf(c.Flags(), &e.progress, "progress", progressText, []string{progressText, progressJSON},
		"show progress in this `FORM`, and nothing else if it is json")
	c.Flags().Lookup("progress").Hidden = true // for the package in Python
	return c
}

func demo(ctx context.Context, c *cobra.Command, e *engine) error {
	config, err := config.Preset(config.DefaultPreset)
	if err != nil {
		return err
	}
	if err := demoRun(c, e, config); err != nil {
		return err
	}
	if e.progress == progressJSON {
		return nil
	}
	r, err := openRun(e.out)
	if err != nil {
		return err
	}
	defer r.Close()
	n := r.Manifest.Counts
	fold(printed, fmt.Sprintf("%d pages of the PostgreSQL 15 manual, %d links, %d documents, %d clusters of two or more.",
		n["pages"], n["links"], n["documents"], n["topical_clusters_of_two_or_more"]), 0)
	l := &relatedList{Related: ask.Defaults(ask.Related{Window: ask.Window{Limit: 5}})}
	for _, l.URL = range demoURLs {
		a, err := l.Ask(ctx, r)
		if err != nil {
			return err
		}
		fmt.Fprintln(printed)
		l.table(printed, r, a)
	}
	fmt.Fprintln(printed, "\nTry next:")
	program := invocation()
	for _, next := range []string{
		"related RUN postgresql.org/docs/15/mvcc.html --limit 20",
		"explain RUN postgresql.org/docs/15/gin.html postgresql.org/docs/15/gist.html",
		"clusters RUN",
		"compare RUN",
		"eval RUN --gold RUN-" + sample.GoldName + " --html RUN-sample.html",
		"info RUN",
		"serve RUN",
		"serve RUN --write RUN-report",
	} {
		fmt.Fprintf(printed, "  %s %s\n", program, strings.ReplaceAll(next, "RUN", shellWord(e.out)))
	}
	fmt.Fprintf(printed, "  %s cluster -o RUN your-crawl.warc.gz\n", program)
	return nil
}

// demoRun builds the run from the sample unless it exists. It also writes the pages that diff reads, and the gold.
func demoRun(c *cobra.Command, e *engine, config config.Config) error {
	pages := e.out + "-" + sample.Name
	gold := e.out + "-" + sample.GoldName
	if err := errors.Join(os.WriteFile(pages, sample.Pages(), 0o666), os.WriteFile(gold, sample.Gold(), 0o666)); err != nil {
		return err
	}
	_, err := e.build(c, []string{pages}, config)
	return err
}
