package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

// Report is the result of Check: one item for each thing that was checked.
type Report struct {
	Path  string
	Items []Item
}

// Item is one thing that was checked. Err is nil if it is intact.
type Item struct {
	Name string // file or rule
	What string // what was checked, with figures
	Err  error
}

// OK reports whether everything is in order.
func (r Report) OK() bool { return r.Err() == nil }

// Err joins all errors. It is nil if everything is in order.
func (r Report) Err() error {
	var errs []error
	for _, i := range r.Items {
		if i.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", i.Name, i.Err))
		}
	}
	return errors.Join(errs...)
}

// Checker is an additional check from a package that knows the meaning of a table.
type Checker struct {
	Name string
	Func func(ctx context.Context, r *Run) error
}

// Check validates the finished run at path: the manifest matches its digest, every table has its size and digest,
// Parquet footers can be read and have the number of rows that the manifest states, every checksum in the mapped
// tables is right, the list of dropped input has as many lines as the manifest counts, and the directory contains no
// file that the manifest does not list. Then Check applies the checkers. An error means that nothing could be
// checked; the report lists what is wrong.
func Check(ctx context.Context, path string, more ...Checker) (Report, error) {
	report := Report{Path: path}
	r, err := Open(path)
	if err != nil {
		return report, err
	}
	add := func(name, what string, err error) {
		report.Items = append(report.Items, Item{name, what, err})
	}
	m := r.Manifest
	add(ManifestName, fmt.Sprintf("%d stages, %d tables, digest %s", len(m.Stages), len(m.Tables), m.Digest), checkManifest(m))
	for _, t := range m.Tables {
		what := fmt.Sprintf("%s, %d bytes", t.Kind, t.Bytes)
		if t.Kind == kindParquet {
			what = fmt.Sprintf("%s, %d rows, %d bytes", t.Kind, t.Rows, t.Bytes)
		}
		add(t.Name, what, r.checkTable(ctx, t))
	}
	if _, ok := m.Table(DroppedList); ok {
		what, err := r.checkDropped(ctx)
		add("what was dropped", what, err)
	}
	add(path, "no other files", r.checkStrays())
	for _, c := range more {
		add(c.Name, "", c.Func(ctx, r))
	}
	return report, ctx.Err()
}

// checkManifest checks the fields of the manifest that describe itself.
func checkManifest(m *Manifest) error {
	_, digest, err := DigestJSON(m.Config)
	if err != nil {
		return err
	}
	if digest != m.ConfigDigest {
		return fmt.Errorf("configuration has digest %s, not %s", digest, m.ConfigDigest)
	}
	seen := map[string]bool{}
	for _, t := range m.Tables {
		if seen[t.Name] {
			return fmt.Errorf("table %q is listed twice", t.Name)
		}
		seen[t.Name] = true
	}
	return nil
}

// Verify reads the named file of the run and compares it with its size and digest in the manifest. Mapped tables
// verify themselves while they are used; call Verify before reading any other file.
func (r *Run) Verify(ctx context.Context, name string) error {
	t, ok := r.Manifest.Table(name)
	if !ok {
		return fmt.Errorf("%s: not in the manifest", r.Path(name))
	}
	if err := r.verify(ctx, t); err != nil {
		return fmt.Errorf("%s: %w; lshclust info --check tells more", r.Path(name), err)
	}
	return nil
}

func (r *Run) verify(ctx context.Context, t Table) error {
	if !filepath.IsLocal(filepath.FromSlash(t.Name)) {
		return errors.New("the name points outside the run directory")
	}
	return output{t.Name, t.Bytes, t.Digest}.compare(ctx, r.Path(t.Name))
}

// checkTable compares a file with its entry in the manifest. It decodes the contents only if the digest is right,
// because decoding damaged Parquet can take any amount of memory.
func (r *Run) checkTable(ctx context.Context, t Table) error {
	err := r.verify(ctx, t)
	switch {
	case err != nil:
		return err
	case kindOf(t.Name) != t.Kind:
		return fmt.Errorf("kind %s, not %s", kindOf(t.Name), t.Kind)
	case t.Kind == kindMapped:
		return verifyMapped(r.Path(t.Name))
	case t.Kind == kindParquet:
		return checkRows(r.Path(t.Name), t.Rows)
	}
	return nil
}

func checkRows(path string, want int64) error {
	n, err := CountRows(path)
	if err == nil && n != want {
		err = fmt.Errorf("%d rows, not %d", n, want)
	}
	return err
}

func verifyMapped(path string) error {
	f, err := mapped.OpenAny(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Verify(), f.Close())
}

// checkStrays looks for files that the manifest does not list. Intermediate files left by a killed process do not
// count; see tidy.
func (r *Run) checkStrays() error {
	known := map[string]bool{ManifestName: true}
	for _, t := range r.Manifest.Tables {
		known[t.Name] = true
	}
	list, err := os.ReadDir(r.path)
	if err != nil {
		return err
	}
	var strays []string
	for _, e := range list {
		if !e.IsDir() && !known[e.Name()] {
			strays = append(strays, e.Name())
		}
		if e.IsDir() && e.Name() == workName && !leftBehind(r.path) {
			strays = append(strays, workName+"/ (may be removed)")
		}
	}
	if len(strays) > 0 {
		return fmt.Errorf("not in the manifest: %s", strings.Join(strays, ", "))
	}
	return nil
}
