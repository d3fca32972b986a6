package workload

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// generator is what the flags say.
type generator struct {
	Config
	as, part, check, out, preset string
	truth                        bool
	memory                       int64
}

// Command generates a crawl, or looks up its planted pairs in a run.
func Command(args []string) error {
	var g generator
	f := flag.NewFlagSet("workload", flag.ContinueOnError)
	g.bind(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := bufio.NewWriter(os.Stdout)
	return errors.Join(g.run(ctx, out), out.Flush())
}

func (g *generator) bind(f *flag.FlagSet) {
	f.Int64Var(&g.Pages, "pages", 10000, "generate `N` pages, or documents with bags")
	f.StringVar(&g.as, "as", "pages", "`FORM` of the crawl: pages (JSON Lines), warc, links (TSV with source, target, anchor, before, after) or bags (a run)")
	f.BoolVar(&g.truth, "truth", false, "print the planted pairs instead, as TSV")
	f.StringVar(&g.check, "check", "", "print how many of the planted pairs of pages or bags the finished run `RUN` stores, by similarity; for bags with the prediction")
	f.StringVar(&g.part, "part", "1/1", "generate part `I/N` only; each part of a table of links begins with the names of the columns")
	f.Float64Var(&g.Planted, "planted", 0.05, "this share of the pages is planted")
	f.Uint64Var(&g.Seed, "seed", 1, "another seed makes another crawl")
	f.BoolVar(&g.Closed, "closed", false, "nearly all links go to pages of the crawl, at most 30 on a page; not for bags")
	f.Int64Var(&g.Hub, "hub", 0, "add `N` pages that link to one target")
	f.Int64Var(&g.Template, "template", 0, "add `N` pages of one host that differ in ten words, or documents whose bags differ in a few terms")
	f.Int64Var(&g.Long, "long", 0, "add a page of `N` words")
	f.BoolVar(&g.Common, "common", false, "put one sentence into every page, or one term with a third of the sum into every bag")
	f.StringVar(&g.preset, "preset", config.DefaultPreset, "settings of the run from bags, and of the shingles of -truth")
	f.StringVar(&g.out, "o", "", "run directory to build from bags")
	f.Int64Var(&g.memory, "memory", pipeline.DefaultMemory>>20, "`MIB` of memory for the run from bags")
}

// run generates what the flags say.
func (g *generator) run(ctx context.Context, out io.Writer) error {
	world, err := New(g.Config)
	if err != nil {
		return err
	}
	c, err := config.Preset(g.preset)
	if err != nil {
		return err
	}
	c.Seed = g.Seed
	switch {
	case g.check != "" && g.as == "bags":
		return checkBags(out, world, g.check)
	case g.check != "" && g.as == "links":
		return errors.New("-check needs pages, warc or bags")
	case g.check != "":
		return checkPages(out, world, g.check)
	case g.truth && g.as == "links":
		return WritePairs(out, world.LinkPairs())
	case g.truth && g.as != "bags":
		return WritePairs(out, world.PagePairs(c.Shingles()))
	}
	from, to, err := g.partOf(world)
	if err != nil {
		return err
	}
	switch g.as {
	case "pages":
		return world.WritePages(ctx, out, from, to)
	case "warc":
		return world.WriteWARC(ctx, out, from, to)
	case "links":
		return world.WriteLinks(ctx, out, from, to)
	case "bags":
	default:
		return fmt.Errorf("-as %s: must be pages, warc, links or bags", g.as)
	}
	bags, err := world.Bags(c.Sum)
	switch {
	case err != nil:
		return err
	case g.truth:
		return WritePairs(out, bags.BagPairs())
	case g.out == "":
		return errors.New("name the run directory with -o RUN")
	}
	c.Views, c.Bags = []string{config.Topical}, config.FromLinks
	return bags.Cluster(ctx, g.out, c, pipeline.Options{Workers: runtime.GOMAXPROCS(0), Memory: g.memory << 20})
}

// partOf returns the pages of part I of N, written I/N.
func (g *generator) partOf(w *World) (from, to int64, err error) {
	a, b, _ := strings.Cut(g.part, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if errI != nil || errN != nil || i < 1 || i > n {
		return 0, 0, fmt.Errorf("-part %q is not I/N with 1 ≤ I ≤ N", g.part)
	}
	from, to = w.Part(i, n)
	return from, to, nil
}
