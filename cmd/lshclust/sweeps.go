package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/resemble"
)

// withSweeps opens two runs, of the older and of the newer crawl, or files of sketches in their place, and calls ask with
// them. The error for runs that cannot be compared says how to make them alike, or that they are in the wrong order
// unless force is set.
func withSweeps(ctx context.Context, older, newer string, force bool, ask func(*query.Sweeps) error) error {
	a, err := openEither(older)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := openEither(newer)
	if err != nil {
		return err
	}
	defer b.Close()
	var s *query.Sweeps
	x, y := a, b
	if a.SketchFile() != "" || b.SketchFile() != "" {
		x, y, err = query.Alike(ctx, a, b, resemble.Resources{})
	}
	if err == nil {
		s, err = query.NewSweeps(x, y)
	}
	var settings *query.SettingsError
	switch {
	case errors.As(err, &settings):
		return alike(err, settings, b)
	case err != nil:
		return err
	}
	if err := s.CheckOrder(); err != nil && !force {
		return fmt.Errorf("%w; give the run of the older crawl first, or --force to compare them in this order", err)
	}
	return ask(s)
}

// alike returns the error for runs with different settings, with the command that makes the run of the newer crawl like
// the other one.
func alike(err error, settings *query.SettingsError, newer *query.Run) error {
	if newer.SketchFile() == "" {
		return fmt.Errorf("%w; make them alike with: lshclust cluster -o NEWRUN %s%s", err, strings.Join(settings.Flags(), " "), inputsOf(newer))
	}
	if settings.SketchesOnly() {
		return fmt.Errorf("%w; make them alike with: lshclust export RUN sketches %s -o FILE, of a run with --keep shingles", err, strings.Join(settings.Flags(), " "))
	}
	return fmt.Errorf("%w; make them alike with: lshclust cluster -o NEWRUN %s INPUT… && lshclust export NEWRUN sketches -o FILE", err, strings.Join(settings.Flags(), " "))
}

// inputsOf returns the first inputs of a run for a command line.
func inputsOf(r *query.Run) string {
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
