package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Collect puts the parts of a run in the folder parts together to the run directory out, which must not exist or be
// empty. The tables have the bytes that they had when the run was finished. out appears when all of it is verified.
//
// Errors are ErrIncomplete, which names what is missing, ErrFormat, ErrManifest, ErrInside, or an error of the file
// system.
func Collect(ctx context.Context, parts, out string) error {
	p, err := readParted(parts)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: it has no %s", parts, ErrIncomplete, partedName)
	}
	if err != nil {
		return err
	}
	if err := p.missing(parts); err != nil {
		return err
	}
	m, err := readManifest(filepath.Join(parts, partedRun, ManifestName))
	if err != nil {
		return err
	}
	if m.Digest != p.Run {
		return fmt.Errorf("%s: %w: its %s is that of another run", parts, ErrIncomplete, ManifestName)
	}
	if err := checkOutside(out); err != nil {
		return err
	}
	if list, err := os.ReadDir(out); err == nil && len(list) > 0 {
		return fmt.Errorf("%s: %w: it holds %q; choose another output directory (-o)", out, fs.ErrExist, list[0].Name())
	}
	building := filepath.Clean(out) + ".collecting"
	if err := errors.Join(os.RemoveAll(building), os.MkdirAll(building, 0o777)); err != nil {
		return err
	}
	defer os.RemoveAll(building)
	if err := p.collect(ctx, m, parts, building); err != nil {
		return err
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(os.Rename(building, out), syncPath(filepath.Dir(filepath.Clean(out))))
}

// missing returns an error that names the files that are missing or have other sizes.
func (p parted) missing(dir string) error {
	files := p.Files
	for _, t := range p.Tables {
		for _, f := range t.Parts {
			files = append(files, f.File)
		}
	}
	var lacks []string
	for _, f := range files {
		name := filepath.FromSlash(f.Name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s: %w: %q points outside", dir, ErrIncomplete, f.Name)
		}
		switch st, err := os.Stat(filepath.Join(dir, name)); {
		case errors.Is(err, fs.ErrNotExist):
			lacks = append(lacks, f.Name)
		case err != nil:
			return err
		case st.Size() != f.Bytes:
			lacks = append(lacks, fmt.Sprintf("%s (it has %d bytes, not %d)", f.Name, st.Size(), f.Bytes))
		}
	}
	if n := len(lacks) - maxDiffs; n > 0 {
		lacks = append(lacks[:maxDiffs], fmt.Sprintf("and %d more", n))
	}
	if len(lacks) > 0 {
		return fmt.Errorf("%s: %w: what is missing: %s", dir, ErrIncomplete, strings.Join(lacks, ", "))
	}
	return nil
}

// collect writes the files of a run and verifies them.
func (p parted) collect(ctx context.Context, m *Manifest, parts, to string) error {
	tables := map[string][]partFile{}
	for _, t := range p.Tables {
		tables[t.Name] = t.Parts
	}
	for _, t := range m.Tables {
		if !filepath.IsLocal(filepath.FromSlash(t.Name)) {
			return fmt.Errorf("%s: %w: %q points outside", parts, ErrManifest, t.Name)
		}
		var err error
		at := filepath.Join(to, filepath.FromSlash(t.Name))
		if t.Kind == kindParquet {
			err = joinTable(ctx, tables[t.Name], parts, at)
		} else {
			err = copyFile(ctx, filepath.Join(parts, filepath.FromSlash(path.Join(partedRun, t.Name))), at)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		if err := (&Run{to, m}).verify(ctx, t); err != nil {
			return fmt.Errorf("%s: %w: the parts make another table: %w", t.Name, ErrIncomplete, err)
		}
	}
	return copyFile(ctx, filepath.Join(parts, partedRun, ManifestName), filepath.Join(to, ManifestName))
}

// joinTable writes a Parquet table from its parts. It decodes a part only if its digest is right.
func joinTable(ctx context.Context, of []partFile, dir, to string) error {
	if len(of) == 0 {
		return fmt.Errorf("%w: it has no parts", ErrIncomplete)
	}
	paths := make([]string, len(of))
	for i, part := range of {
		paths[i] = filepath.Join(dir, filepath.FromSlash(part.Name))
		switch is, err := describeFile(ctx, dir, part.Name); {
		case err != nil:
			return err
		case is != part.File:
			return fmt.Errorf("%w: %s has digest %s, not %s", ErrIncomplete, part.Name, is.Digest, part.Digest)
		}
	}
	return JoinTables(ctx, to, paths)
}

// eachGroup calls do with the row groups of a table until it returns false.
func eachGroup(path string, do func(g parquet.RowGroup) bool) (more bool, err error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for _, g := range pf.RowGroups() {
		if !do(g) {
			return false, nil
		}
	}
	return true, nil
}
