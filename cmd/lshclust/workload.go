package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/workload"
	"github.com/lshclust/lshclust/pipeline"
)

// The values of workload --as.
const (
	asPages = "pages"
	asWARC  = "warc"
	asLinks = "links"
	asBags  = "bags"
)

// workloadFlags are the flags of workload that are not those of cluster.
type workloadFlags struct {
	workload.Config
	as, part, check string
	truth           bool
}

func newWorkload() *cobra.Command {
	e, s, w := &engine{}, &settings{}, &workloadFlags{}
	c := &cobra.Command{
		Use:   "workload [flags]",
		Short: "Generate a crawl of any size",
		Long: `Workload generates a crawl for tests and measurements: as pages (JSON Lines or WARC), as a table of links, or as a run
that begins with finished bags. It needs no input and stores nothing else. The same flags give the same bytes, and any
part of a crawl can be made alone. Links, hosts and words are distributed as in a real crawl of 14,612 pages.

A share of the pages is planted: families with two edited copies and a page that contains the original, and links with
similar words around them. --truth prints the planted pairs, with their exact resemblance for pages and warc, similarity
of words for links, and similarity of bags for bags. Of the flags of cluster, pages, warc and links only use --seed, and
--truth also those of shingles; bags uses all and makes the topical view.`,
		Example: `  lshclust workload --pages 100000 > pages.jsonl
  lshclust workload --pages 1000000 --as warc --part 3/8 | gzip > part3.warc.gz
  lshclust workload --pages 1000000 --as warc --closed | lshclust cluster -o RUN -
  lshclust workload --pages 50000 --as links --hub 5000000 | lshclust cluster -o RUN -
  lshclust workload --pages 100000 --truth > truth.tsv
  lshclust workload --pages 1000000 --as bags -o RUN --preset paper2000
  lshclust workload --pages 1000000 --as bags --check RUN`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			config, err := s.config(c)
			if err != nil {
				return usage(err)
			}
			w.Seed = config.Seed
			return w.run(c, e, config)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	w.bind(f)
	e.bind(c)
	f.Lookup("output").Usage = "write to `FILE`, or for bags the run directory RUN (default standard output)"
	s.bind(f)
	inGroup(f, groupOther, "quiet", "config")
	c.Hidden = true
	return c
}

func (w *workloadFlags) bind(f *pflag.FlagSet) {
	f.Int64Var(&w.Pages, "pages", 10000, "generate `N` pages, or documents with bags")
	f.StringVar(&w.as, "as", asPages, "`FORM` of the crawl: pages (JSON Lines), warc, links (TSV with source, target, anchor, before, after) or bags (a run)")
	f.BoolVar(&w.truth, "truth", false, "print the planted pairs instead, as TSV")
	f.StringVar(&w.check, "check", "", "print how many of the planted pairs of pages or bags the finished run `RUN` stores, by similarity; for bags beside the prediction")
	f.StringVar(&w.part, "part", "1/1", "generate part `I/N` only; each part of a table of links begins with the names of the columns")
	f.Float64Var(&w.Planted, "planted", 0.05, "this share of the pages is planted")
	f.BoolVar(&w.Closed, "closed", false, "nearly all links go to pages of the crawl, at most 30 on a page; not for bags")
	f.Int64Var(&w.Hub, "hub", 0, "add `N` pages that link to one target")
	f.Int64Var(&w.Template, "template", 0, "add `N` pages of one host that differ in ten words, or documents whose bags differ in a few terms")
	f.Int64Var(&w.Long, "long", 0, "add a page of `N` words")
	f.BoolVar(&w.Common, "common", false, "put one sentence into every page, or one term with a third of the sum into every bag")
	counting(f, 0, "pages", "hub", "template")
	inRange(f, "long", 0, workload.MostWords)
	inRange(f, "planted", 0, workload.MostPlanted)
}

// run generates what the flags say.
func (w *workloadFlags) run(c *cobra.Command, e *engine, config config.Config) error {
	if all := []string{asPages, asWARC, asLinks, asBags}; !slices.Contains(all, w.as) {
		return usage(fmt.Errorf("--as %s: must be one of %s", w.as, strings.Join(all, ", ")))
	}
	part, of, err := parsePart(w.part)
	if err != nil {
		return usage(fmt.Errorf("--part: %w", err))
	}
	world, err := workload.New(w.Config)
	if err != nil {
		return usage(err)
	}
	if w.check != "" {
		switch w.as {
		case asBags:
			return w.checkRun(printed, world, w.check)
		case asLinks:
			return usage(errors.New("--check needs --as pages, warc or bags"))
		}
		return w.checkPages(printed, world, w.check)
	}
	if w.as == asBags && !w.truth {
		return workloadRun(c, e, world, config)
	}
	out, done, err := workloadOutput(e.out)
	if err != nil {
		return err
	}
	if w.truth {
		return errors.Join(w.pairs(out, world, config), done())
	}
	write := map[string]func(context.Context, io.Writer, int64, int64) error{asPages: world.WritePages, asWARC: world.WriteWARC, asLinks: world.WriteLinks}[w.as]
	from, to := world.Part(part, of)
	return errors.Join(write(c.Context(), out, from, to), done())
}

// pairs prints the planted pairs.
func (w *workloadFlags) pairs(out io.Writer, world *workload.World, config config.Config) error {
	switch w.as {
	case asLinks:
		return workload.WritePairs(out, world.LinkPairs())
	case asBags:
		bags, err := world.Bags(config.Sum)
		if err != nil {
			return usage(err)
		}
		return workload.WritePairs(out, bags.BagPairs())
	}
	return workload.WritePairs(out, world.PagePairs(config.Shingles()))
}

// workloadOutput returns standard output, or a new file.
func workloadOutput(name string) (out io.Writer, done func() error, err error) {
	if name == "" {
		return printed, func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

// parsePart parses part I of N, written I/N.
func parsePart(s string) (i, n int, err error) {
	a, b, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if !ok || errI != nil || errN != nil || i < 1 || i > n || n > mostNumber {
		return 0, 0, fmt.Errorf("%q is not I/N with 1 ≤ I ≤ N", s)
	}
	return i, n, nil
}

// workloadRun builds a run from bags.
func workloadRun(c *cobra.Command, e *engine, world *workload.World, settings config.Config) error {
	if e.out == "" {
		return usage(errors.New("name the run directory with -o RUN"))
	}
	if err := enoughMemory(e.memory); err != nil {
		return err
	}
	settings.Views = []string{config.Topical}
	bags, err := world.Bags(settings.Sum)
	if err != nil {
		return usage(err)
	}
	limitMemory(int64(e.memory))
	building.Store(true)
	stop, err := e.startProfile()
	if err != nil {
		return err
	}
	defer stop()
	progress, done := newProgress(e.out, e.quiet)
	r, err := pipeline.ClusterBags(c.Context(), e.out, bags, settings, pipeline.Options{
		Workers: pipeline.WorkersFor(e.workers, int64(e.memory)), Memory: int64(e.memory), Disk: int64(e.disk), Progress: progress, Version: version(),
	})
	done()
	if err != nil {
		return err
	}
	return told(e, r)
}
