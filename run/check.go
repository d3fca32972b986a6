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

// Report is the result of Check: one line for every thing looked at.
type Report struct {
	Path  string
	Items []Item
}

// Item is one thing looked at. Err is nil when it is as it should be.
type Item struct {
	Name string // file or rule
	What string // what was checked, with the figures
	Err  error
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool { return r.Err() == nil }

// Err joins all that is wrong, nil when nothing is.
func (r Report) Err() error {
	var errs []error
	for _, i := range r.Items {
		if i.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", i.Name, i.Err))
		}
	}
	return errors.Join(errs...)
}

// Checker is one more rule for Check, of a package that knows what a table means.
type Checker struct {
	Name string
	Func func(ctx context.Context, r *Run) error
}

// Check validates the finished run at path from end to end: the manifest parses,
// has the digest that it ends with, every table is there with its size and digest, Parquet footers can be read and
// say as many rows as the manifest, every CRC of the mapped tables is right, the list
// of what was dropped has as many lines as the manifest counts, no
// file is there that the manifest does not know, and then the checkers given. The
// error says that nothing could be checked; what is wrong is in the report.
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
	add(path, "no file but these", r.checkStrays())
	for _, c := range more {
		add(c.Name, "", c.Func(ctx, r))
	}
	return report, ctx.Err()
}

// checkManifest looks at what the manifest says about itself.
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

// Verify reads the file name of the run and compares it with its size and digest in
// the manifest. A mapped table checks itself when it is used; who reads another file
// calls Verify first.
func (r *Run) Verify(ctx context.Context, name string) error {
	t, ok := r.Manifest.Table(name)
	if !ok {
		return fmt.Errorf("%s: not in the manifest", r.Path(name))
	}
	if err := r.verify(ctx, t); err != nil {
		return fmt.Errorf("%s: %w; lshclust check tells more", r.Path(name), err)
	}
	return nil
}

func (r *Run) verify(ctx context.Context, t Table) error {
	if !filepath.IsLocal(filepath.FromSlash(t.Name)) {
		return errors.New("the name leads out of the run directory")
	}
	have, err := DigestFile(ctx, r.Path(t.Name))
	switch {
	case err != nil:
		return err
	case have.Bytes != t.Bytes:
		return fmt.Errorf("%d bytes, not %d", have.Bytes, t.Bytes)
	case have.Digest != t.Digest:
		return fmt.Errorf("digest %s, not %s", have.Digest, t.Digest)
	}
	return nil
}

// checkTable compares one file with its line in the manifest. Contents are taken
// apart only when the digest is right: damaged Parquet can cost any memory.
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

// checkStrays looks for files that the manifest does not list, which somebody put there.
// Intermediate files that a killed process has left are not strays: see tidy.
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
