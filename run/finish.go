package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var errClosed = errors.New("the run directory is closed")

// Finish records a stage as done. outputs are the names of its files as given to
// Temp and Path: those that are still under their temporary name are synced and
// moved, the others must be at Path already. Stages that were recorded before and
// depend on nothing else stay; a stage recorded twice is an error.
func (d *Dir) Finish(name string, stats StageStats, outputs ...string) error {
	if d.lock == nil {
		return fmt.Errorf("%s: stage %s: %w", d.path, name, errClosed)
	}
	if d.Done(name) {
		return fmt.Errorf("%s: stage %s is done already", d.path, name)
	}
	s := stage{StageStats: stats}
	s.Name = name
	if s.StageStats.Finished.IsZero() {
		s.StageStats.Finished = time.Now().UTC()
	}
	for _, o := range outputs {
		out, err := d.settle(o)
		if err != nil {
			return fmt.Errorf("stage %s: %w", name, err)
		}
		s.Outputs = append(s.Outputs, out)
	}
	if err := d.syncDirs(); err != nil {
		return err
	}
	d.state.Stages = append(d.state.Stages, s)
	if err := d.saveState(); err != nil {
		d.state.Stages = d.state.Stages[:len(d.state.Stages)-1]
		return err
	}
	return nil
}

// settle brings one output to its final name, safely on the disk, and describes
// it.
func (d *Dir) settle(name string) (output, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == ManifestName {
		return output{}, fmt.Errorf("%q is no name for an output", name)
	}
	final := d.Path(name)
	if temp := d.Temp(name); exists(temp) {
		if err := syncPath(temp); err != nil {
			return output{}, err
		}
		if err := os.Rename(temp, final); err != nil {
			return output{}, err
		}
	}
	is, err := DigestFile(context.Background(), final) // mostly still in the memory of the system
	if err != nil {
		return output{}, err
	}
	return output{name, is.Bytes, is.Digest}, nil
}

func (d *Dir) syncDirs() error {
	return errors.Join(syncPath(d.path), syncPath(filepath.Join(d.path, workName)))
}

// Publish finishes the run: it fills in what the directory knows (format, inputs,
// configuration, stages, tables with their rows, sizes and digests, times), writes
// run.json as the last file, removes the intermediate files and gives the lock
// back. The caller sets the rest of m.
func (d *Dir) Publish(ctx context.Context, m *Manifest) error {
	if d.lock == nil {
		return fmt.Errorf("%s: %w", d.path, errClosed)
	}
	tables, err := d.tables()
	if err != nil {
		return err
	}
	m.Tool = cmp.Or(m.Tool, "lshclust")
	m.Format, m.Tables, m.Stages = FormatVersion, tables, d.Stages()
	m.Config, m.ConfigDigest, m.Inputs = d.state.Config, d.state.ConfigDigest, d.state.Inputs
	m.Started, m.Finished = d.state.Started, time.Now().UTC()
	if err := d.syncDirs(); err != nil {
		return err
	}
	b, err := sealed(m, &m.Digest)
	if err != nil {
		return err
	}
	if err := writeFile(d.Path(ManifestName), b); err != nil {
		return err
	}
	return errors.Join(removeWork(d.path), d.Close())
}

// tables describes every output that is not intermediate, as Finish found it, sorted by name.
func (d *Dir) tables() ([]Table, error) {
	out := []Table{}
	for _, s := range d.state.Stages {
		for _, o := range s.Outputs {
			if strings.HasPrefix(o.Name, workName+"/") {
				continue
			}
			t, err := d.table(o)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Table) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b Table) bool { return a.Name == b.Name }), nil
}

func (d *Dir) table(o output) (t Table, err error) {
	t = Table{Name: o.Name, Kind: kindOf(o.Name), Bytes: o.Bytes, Digest: o.Digest}
	if t.Kind == kindParquet {
		t.Rows, err = CountRows(d.Path(o.Name))
	}
	return t, err
}

// Kinds of tables, told by the ending of the name.
const (
	kindParquet = "parquet"
	kindMapped  = "mapped"
	kindOther   = "other"
)

// MappedSuffix is how the names of mapped tables (package internal/mapped) end.
const MappedSuffix = ".lsh"

func kindOf(name string) string {
	switch {
	case strings.HasSuffix(name, ".parquet"):
		return kindParquet
	case strings.HasSuffix(name, MappedSuffix):
		return kindMapped
	}
	return kindOther
}
