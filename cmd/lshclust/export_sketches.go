package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// sketchesName is the word for a file of sketches among the tables of export.
const sketchesName = "sketches"

// exportingSketches holds the flags of export for a file of sketches.
type exportingSketches struct {
	path    string
	kind    string
	modulus uint64
}

// sketchFlags lists the flags that apply to sketches only.
var sketchFlags = []string{"output", "sketch", "modulus"}

func (e *exportingSketches) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&e.path, "output", "o", "", "write sketches, or topical_clusters or topical_pairs as Parquet, to `FILE`")
	f.StringVar(&e.kind, "sketch", "", "`KIND` of the sketches: mod, min, minmod or var (default that of the run if it keeps sketches, else var: at most 100 samples, 800 bytes)")
	f.Uint64Var(&e.modulus, "modulus", 0, "of mod and minmod: sample one shingle in `M` (default that of the run)")
}

// refuse returns an error if a table is exported with flags for sketches.
func (e *exportingSketches) refuse(c *cobra.Command, table string) error {
	for _, name := range sketchFlags {
		takes := table == sketchesName || name == "output" && (table == pairsName || table == clustersName)
		if c.Flags().Changed(name) && !takes {
			return usage(fmt.Errorf("--%s does not go with %s, which is written to standard output", name, table))
		}
	}
	return nil
}

// write writes a file of sketches of a run.
func (e *exportingSketches) write(ctx context.Context, path string) error {
	if e.path == "" {
		return usage(errors.New("a file of sketches is not for standard output: name it with -o FILE"))
	}
	if e.modulus > config.MaxModulus {
		return usage(fmt.Errorf("--modulus %d: must be at most %d", e.modulus, config.MaxModulus))
	}
	switch _, err := os.Lstat(e.path); {
	case err == nil:
		return fmt.Errorf("%s exists already; name a new file", whole(e.path))
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: %w; name another file with -o", whole(e.path), errors.Unwrap(err))
	}
	r, err := openRun(path)
	if err != nil {
		return err
	}
	defer r.Close()
	pages, err := runs.WriteSketches(ctx, r, e.path, runs.SketchSettings{Kind: config.Sketch(e.kind), Modulus: e.modulus})
	if err != nil {
		return err
	}
	info, err := os.Stat(e.path)
	if err != nil {
		return err
	}
	say("%s, %d bytes, %.0f a page", count(int64(pages), "page"), info.Size(), float64(info.Size())/float64(max(1, pages)))
	return nil
}
