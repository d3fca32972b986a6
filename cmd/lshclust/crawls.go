package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
)

// withCrawls opens runs over crawls of the same sites, or files of sketches in their place, in order of time and
// calls ask with them. If the runs cannot be compared, the error says how to make them alike. Runs in the wrong order
// are an error unless force is set.
func withCrawls(ctx context.Context, paths []string, force bool, ask func(*crawls.Crawls) error) error {
	list, done, err := openAll(openEither, paths)
	defer done()
	if err != nil {
		return err
	}
	crawls, err := crawls.NewCrawls(ctx, list...)
	if err != nil {
		return alike(err, list)
	}
	if err := crawls.CheckOrder(); err != nil && !force {
		return fmt.Errorf("%w; give the run of the oldest crawl first, or --force to take them in this order", err)
	}
	return ask(crawls)
}

// openAll opens runs. The caller must call done at the end, even after an error.
func openAll(open func(path string) (*runs.Run, error), paths []string) (list []*runs.Run, done func(), err error) {
	done = func() {
		for _, r := range list {
			r.Close()
		}
	}
	for _, path := range paths {
		r, err := open(path)
		if err != nil {
			return list, done, err
		}
		list = append(list, r)
	}
	return list, done, nil
}

// alike improves an error about runs. If their settings differ, it adds the command that rebuilds the run of the
// newest crawl, the last one, with the settings of the others.
func alike(err error, list []*runs.Run) error {
	var settings *runs.SettingsError
	if !errors.As(err, &settings) {
		return err
	}
	newer := list[len(list)-1]
	if newer.SketchFile == "" {
		return fmt.Errorf("%w; make them alike with: %s cluster -o NEWRUN %s%s", err, invocation(), strings.Join(settings.Flags(), " "), inputsOf(newer))
	}
	if settings.SketchesOnly() {
		return fmt.Errorf("%w; make them alike with: %s export RUN sketches %s -o FILE, of a run without --set sketch", err, invocation(),
			strings.ReplaceAll(strings.Join(settings.Flags(), " "), "--set ", "--"))
	}
	return fmt.Errorf("%w; make them alike with: %[2]s cluster -o NEWRUN %[3]s INPUT… && %[2]s export NEWRUN sketches -o FILE", err,
		invocation(), strings.Join(settings.Flags(), " "))
}

// inputsOf returns the first inputs of a run as words of a command line.
func inputsOf(r *runs.Run) string {
	const most = 3
	var b strings.Builder
	for i, in := range r.Manifest.Inputs {
		if i == most {
			b.WriteString(" …")
			break
		}
		b.WriteString(" " + in.Path)
	}
	return " " + whole(b.String())
}
