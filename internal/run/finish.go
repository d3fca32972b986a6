package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var errClosed = errors.New("the run directory is closed")

// Finish syncs the files of a stage and records the stage as done. outputs are the names of the files, as passed to
// Temp and Path. Finish renames those that still have their temporary names; the others must already be at Path. It
// forgets the parts of the stage that have other files, and removes these files. A stage may be recorded only once.
func (d *Dir) Finish(name string, stats StageStats, outputs ...string) error {
	if d.lock == nil {
		return fmt.Errorf("%s: stage %s: %w", d.path, name, errClosed)
	}
	if d.Done(name) {
		return fmt.Errorf("%s: stage %s is already done", d.path, name)
	}
	s := stage{StageStats: stats}
	s.Name = name
	if s.StageStats.Finished.IsZero() {
		s.StageStats.Finished = time.Now().UTC()
	}
	var others []string // outputs that no part has recorded
	for _, o := range outputs {
		d.parting.Lock()
		out, ok := d.ofPart(name, o)
		d.parting.Unlock()
		if !ok {
			var err error
			if out, err = d.describe(o); err != nil {
				return fmt.Errorf("stage %s: %w", name, err)
			}
			others = append(others, o)
		}
		s.Outputs = append(s.Outputs, out)
	}
	d.parting.Lock()
	defer d.parting.Unlock()
	d.unsynced = append(d.unsynced, others...)
	if err := d.syncParts(func(file string) bool { return slices.Contains(outputs, file) }); err != nil {
		return err
	}
	d.state.Stages = append(d.state.Stages, s)
	if err := d.saveState(); err != nil {
		d.state.Stages = d.state.Stages[:len(d.state.Stages)-1]
		return err
	}
	return d.endParts()
}

// describe renames a file to its final name and describes it.
func (d *place) describe(name string) (output, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == ManifestName {
		return output{}, fmt.Errorf("%q is not a valid name for an output", name)
	}
	final := d.Path(name)
	if temp := d.Temp(name); exists(temp) {
		if err := os.Rename(temp, final); err != nil {
			return output{}, err
		}
	}
	is, err := DigestFile(context.Background(), final) // usually still cached by the system
	if err != nil {
		return output{}, err
	}
	return output{name, is.Bytes, is.Digest}, nil
}

func (d *place) syncDirs() error {
	return errors.Join(d.sync(d.path), d.sync(filepath.Join(d.path, workName)))
}

// Publish finishes the run. It fills in what the directory knows (format, inputs, configuration, stages, times, and
// the tables with their rows, sizes and digests), writes run.json as the last file, removes the intermediate files
// and releases the lock. The caller fills in the rest of m.
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
	if err := d.writeFile(ManifestName, b); err != nil {
		return err
	}
	return errors.Join(removeWork(d.path), d.Close())
}

// tables describes the outputs that are not intermediate files, sorted by name.
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

func (d *place) table(o output) (t Table, err error) {
	t = Table{Name: o.Name, Kind: kindOf(o.Name), Bytes: o.Bytes, Digest: o.Digest}
	if t.Kind == kindParquet {
		t.Rows, err = CountRows(d.Path(o.Name))
	}
	return t, err
}

// Kinds of tables, recognized by the suffix of the name.
const (
	kindParquet = "parquet"
	kindMapped  = "mapped"
	kindOther   = "other"
)

// MappedSuffix is the suffix of the names of mapped tables (package internal/mapped).
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

// A run under construction removes intermediate files that no later stage reads. It records that in the state first,
// so that a stopped run does not miss them. If a stage is done again because of damage and needs such a file, the
// stage that wrote the file must be done again first: see Freed and Forget.

// Free removes files of finished stages, and forgets the parts that wrote them. The stages stay finished.
func (d *Dir) Free(names ...string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	freed := map[string]bool{}
	for i := range d.state.Stages {
		s := &d.state.Stages[i]
		for _, o := range s.Outputs {
			if slices.Contains(names, o.Name) && !slices.Contains(s.Freed, o.Name) {
				s.Freed, freed[o.Name] = append(s.Freed, o.Name), true
			}
		}
	}
	if len(freed) == 0 {
		return nil
	}
	if err := d.saveState(); err != nil {
		return err
	}
	err := d.keepParts(func(p part) bool {
		return !slices.ContainsFunc(p.Files, func(f output) bool { return freed[f.Name] })
	})
	for name := range freed {
		if gone := os.Remove(d.Path(name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// Freed returns the stage that wrote a file that Free has removed, or "" if the file was not removed.
func (s *state) Freed(name string) (stage string) {
	for _, done := range s.Stages {
		if slices.Contains(done.Freed, name) {
			return done.Name
		}
	}
	return ""
}

// left returns the outputs of a stage that were not removed.
func (s stage) left() []output {
	return slices.DeleteFunc(slices.Clone(s.Outputs), func(o output) bool { return slices.Contains(s.Freed, o.Name) })
}
