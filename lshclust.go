// Package lshclust finds the pages of a crawl that belong together. It builds a run from a crawl and answers
// questions about the run, and is the package that most programs need. The command lshclust does the same on a
// terminal.
//
// A run contains two views of the same documents. The topical view compares the words around the links that point at
// a page and finds related pages, even for URLs that were never crawled ([Run.Related]). The syntactic view compares
// the texts of the pages by their shingles and finds near-duplicates ([Run.Duplicates]). Hashing only finds
// candidates: every similarity in an answer is exact, unless the run keeps sketches.
//
//	run, err := lshclust.Cluster(ctx, "crawl.run", []string{"crawl.warc.gz"}, lshclust.Options{})
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	related, err := run.Related(ctx, "https://www.sqlite.org/", 10)
//
// [Cluster] builds a run, or continues a stopped one, and [Open] opens a finished one. A finished run never changes,
// and the same inputs and settings always yield the same tables. [Run.Query] gives access to everything else in a
// run: clusters, bags, signatures, captures and the comparison of both views.
//
// Programs with documents of their own can use the packages that implement the steps of the papers: shingles and
// resemble for resemblance and containment; bags, minhash, lsh and center for bags of words. Start with their
// examples.
package lshclust

import (
	"context"
	"errors"
	"math"

	"github.com/lshclust/lshclust/ask"
	read "github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/dedup"
	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
)

// These types belong to the answers and settings of a run.
type (
	// Config holds the settings of a run; [Preset] returns those of a preset.
	Config = config.Config
	// Progress receives the progress of a run.
	Progress = pipeline.Progress
	// Neighbour is a related page.
	Neighbour = query.Neighbour
	// Duplicate is a page that resembles another one, contains it or is contained in it.
	Duplicate = query.Duplicate
	// Holders are the pages that contain a document or a part of it.
	Holders = answer.QueryAnswer
	// WhoOptions are the options of [Run.Who].
	WhoOptions = query.WhoOptions
	// Folded is a ranked list in which near-copies are folded.
	Folded = answer.FoldAnswer
	// FoldOptions are the options of [Run.Fold].
	FoldOptions = query.FoldOptions
	// Explanation says why two documents match.
	Explanation = answer.ExplainAnswer
)

// Errors of Cluster and Run.
var (
	ErrFinished = run.ErrFinished     // the directory contains a finished run
	ErrNoSpace  = pipeline.ErrNoSpace // the disk is full
	ErrUnknown  = query.ErrUnknown    // the run has no document of that URL
)

// DefaultWho holds options of [Run.Who] that suit most documents.
var DefaultWho = ask.Defaults(query.WhoOptions{By: "host", Passages: 2})

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

// Run is a finished run.
type Run struct {
	run *query.Run
}

// Open opens a finished run. It maps the tables into memory, which takes milliseconds for tables of any size.
func Open(dir string) (*Run, error) {
	r, err := query.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Run{r}, nil
}

// Close closes the run.
func (r *Run) Close() error { return r.run.Close() }

// Query returns the run for use with package query, which can do everything that Run has no method for. Closing
// either closes both.
func (r *Run) Query() *query.Run { return r.run }

// Related returns at most limit documents whose bags are most similar to the bag of url, most related first. The URL
// need not have been crawled. Related searches the stored neighbours and their neighbours. The error wraps
// [ErrUnknown] if the run has no document with that URL.
func (r *Run) Related(ctx context.Context, url string, limit int) ([]Neighbour, error) {
	related, err := answer.Related{URL: url, Window: ask.Window{Limit: limit}}.Ask(ctx, r.run)
	if err := errors.Join(err, r.run.Err()); err != nil {
		return nil, err
	}
	return related.Items, nil
}

// Duplicates returns the pages that equal the page at url, resemble it, contain it or are contained in it, most
// similar first. The error wraps [ErrUnknown] if the page was not crawled.
func (r *Run) Duplicates(url string) ([]Duplicate, error) {
	duplicates, err := answer.Duplicates{URL: url, Window: ask.Window{Limit: math.MaxInt}}.Ask(context.Background(), r.run)
	if err := errors.Join(err, r.run.Err()); err != nil {
		return nil, err
	}
	return duplicates.Items, nil
}

// Who returns the pages that contain a version of a document or a part of it, by host. The document is HTML or plain
// text and need not be in the run; [DefaultWho] is a good choice of options.
func (r *Run) Who(document []byte, o WhoOptions) (*Holders, error) {
	given := read.Document(document)
	who, err := answer.QueryText{Document: &given, WhoOptions: o, Passages: o.Passages}.Ask(context.Background(), r.run)
	return who, errors.Join(err, r.run.Err())
}

// Fold folds near-copies in a ranked list of URLs under the best of them. The result contains all URLs: each one that
// stays, followed by those folded under it. URLs that the run does not know stay.
func (r *Run) Fold(urls []string, o FoldOptions) (*Folded, error) {
	return answer.Fold{URLs: urls, FoldOptions: o}.Ask(context.Background(), r.run)
}

// Explain says why two documents match or not: their terms and weights, signatures and keys, the sentences with the
// links to them, and how similar their texts are.
func (r *Run) Explain(ctx context.Context, a, b string) (*Explanation, error) {
	explanation, err := answer.Explain{A: a, B: b, Terms: math.MaxInt}.Ask(ctx, r.run)
	return explanation, errors.Join(err, r.run.Err())
}
