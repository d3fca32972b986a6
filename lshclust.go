// Package lshclust finds the pages of a crawl that belong together. It builds runs from crawls and opens them; package
// [github.com/lshclust/lshclust/ask] asks them. The command lshclust does the same on a terminal.
//
// A run contains two views of the same documents. The topical view compares the words around the links that point at
// a page and finds related pages, even for URLs that were never crawled ([ask.Related]). The syntactic view compares
// the texts of the pages by their shingles and finds near-duplicates ([ask.Duplicates]). Hashing only finds
// candidates: every similarity in an answer is exact, unless the run keeps sketches.
//
//	run, err := lshclust.Cluster(ctx, "crawl.run", []string{"crawl.warc.gz"}, lshclust.Options{})
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	related, err := ask.Defaults(ask.Related{URL: "https://www.sqlite.org/"}).Ask(ctx, run)
//
// [Cluster] builds a run, or continues a stopped one, and [Open] opens a finished one. A finished run never changes,
// and the same inputs and settings always yield the same tables.
//
// Programs with documents of their own can use the packages that implement the steps of the papers: shingles and
// resemble for resemblance and containment; bags, minhash, lsh and center for bags of words. Start with their
// examples.
package lshclust

import (
	"context"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/dedup"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
)

type (
	// Run is a finished run that is open for questions.
	Run = ask.Run
	// Config holds the settings of a run; [Preset] returns those of a preset.
	Config = config.Config
	// Progress receives the progress of a run.
	Progress = pipeline.Progress
	// StageStats are the figures of a stage that has ended.
	StageStats = run.StageStats
)

// Errors of Cluster.
var (
	ErrFinished = run.ErrFinished     // the directory contains a finished run
	ErrNoSpace  = pipeline.ErrNoSpace // the disk is full
)

// Preset returns the settings of the named preset: web, paper2000 or paper2002.
func Preset(name string) (Config, error) { return config.Preset(name) }

// Options holds the options of Cluster. The zero value is right for most callers.
type Options struct {
	// Config holds the settings of the run. Nil means those of the default preset, web.
	Config *Config
	// Workers is the number of goroutines that work at the same time. 0 means one for each processor.
	Workers int
	// Memory is the limit of the anonymous memory of the process, in bytes. 0 means 1 GiB.
	Memory int64
	// Progress receives the progress of the run unless it is nil.
	Progress Progress
}

// Cluster reads the inputs, writes the run directory dir, and opens it. An input is a file or a folder of any format
// that package crawl reads. If dir contains a stopped run with the same inputs and settings, Cluster continues it; if
// dir contains such a run that is finished, Cluster opens it. If it is of other inputs or settings, the error wraps
// [ErrFinished]. After an error that wraps [ErrNoSpace] or
// [context.Canceled], a second call continues where the first one stopped.
func Cluster(ctx context.Context, dir string, inputs []string, o Options) (*Run, error) {
	c := o.Config
	if c == nil {
		preset, err := config.Preset(config.DefaultPreset)
		if err != nil {
			return nil, err
		}
		c = &preset
	}
	_, err := pipeline.Cluster(ctx, dir, inputs, *c, pipeline.Options{Workers: o.Workers, Memory: o.Memory, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	return Open(dir)
}

// DedupOptions are the options of [Dedup].
type DedupOptions = dedup.Options

// DedupReport says what [Dedup] kept and removed.
type DedupReport = dedup.Report

// Dedup writes files of texts to the folder out without near-duplicates: with the same names, formats and compression, and
// the kept records byte for byte. See package dedup.
func Dedup(ctx context.Context, out string, inputs []string, o DedupOptions) (*DedupReport, error) {
	return dedup.Run(ctx, out, inputs, o)
}

// Open opens a finished run. It maps the tables into memory, which takes milliseconds for tables of any size.
func Open(dir string) (*Run, error) { return runs.Open(dir) }
