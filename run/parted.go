package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A parted run is a finished run for engines that read tables in parts: the folder of each Parquet table holds files of
// consecutive rows, so of ranges of ids, and the folder run holds the other files. The row groups are those of the
// table, so that Collect puts together the same bytes.

const (
	partedName   = "parts.json"
	partedFormat = 1
	partedRun    = "run" // folder of the files that are no Parquet tables
)

// groupsOfPart is the number of row groups of a part, of up to 131,072 rows each. Tests set it.
var groupsOfPart = 8

// parted is the contents of parts.json, which is written last.
type parted struct {
	Format int           `json:"format"`
	Run    string        `json:"run"` // digest in run.json
	Tables []partedTable `json:"tables"`
	Files  []File        `json:"files"`  // that are no Parquet tables
	Digest string        `json:"digest"` // see sealed
}

type partedTable struct {
	Name  string     `json:"name"`
	Parts []partFile `json:"parts"` // in the order of the rows
}

type partFile struct {
	File
	First int64 `json:"first_row"`
	Rows  int64 `json:"rows"`
}

// ErrIncomplete is wrapped by the error for a parted run that lacks a file or has another one in its place.
var ErrIncomplete = errors.New("the parts of the run are not complete")

// WriteParts writes the run in parts to the folder to. If the folder holds them already, WriteParts does nothing. If an
// earlier call was stopped, it begins anew.
func (r *Run) WriteParts(ctx context.Context, to string) error {
	switch p, err := readParted(to); {
	case err == nil && p.Run == r.Manifest.Digest:
		return nil
	case err == nil:
		return fmt.Errorf("%s: it holds the parts of another run", to)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := checkOutside(to); err != nil {
		return err
	}
	p := parted{Format: partedFormat, Run: r.Manifest.Digest}
	names := []string{ManifestName}
	for _, t := range r.Manifest.Tables {
		if err := r.Verify(ctx, t.Name); err != nil {
			return err
		}
		if t.Kind != kindParquet {
			names = append(names, t.Name)
			continue
		}
		parts, err := r.partTable(ctx, t.Name, to)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		p.Tables = append(p.Tables, partedTable{t.Name, parts})
	}
	for _, name := range names {
		at := path.Join(partedRun, name)
		if err := copyFile(ctx, r.Path(name), filepath.Join(to, filepath.FromSlash(at))); err != nil {
			return err
		}
		f, err := describeFile(ctx, to, at)
		if err != nil {
			return err
		}
		p.Files = append(p.Files, f)
	}
	b, err := sealed(&p, &p.Digest)
	return cmp.Or(err, writeFile(filepath.Join(to, partedName), b))
}

// partTable writes the parts of a Parquet table.
func (r *Run) partTable(ctx context.Context, name, to string) (parts []partFile, err error) {
	f, pf, err := openParquet(r.Path(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	folder, first := strings.TrimSuffix(name, ".parquet"), int64(0)
	if err := os.MkdirAll(filepath.Join(to, folder), 0o777); err != nil {
		return nil, err
	}
	groups := pf.RowGroups()
	for i := 0; i == 0 || i < len(groups); i += groupsOfPart {
		some := groups[i:min(i+groupsOfPart, len(groups))]
		p := partFile{First: first}
		at := path.Join(folder, fmt.Sprintf("part-%05d.parquet", i/groupsOfPart))
		err := writeGroups(pf, filepath.Join(to, filepath.FromSlash(at)), func(yield func(parquet.RowGroup, error) bool) {
			for _, g := range some {
				p.Rows += g.NumRows()
				if !yield(g, ctx.Err()) {
					return
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if p.File, err = describeFile(ctx, to, at); err != nil {
			return nil, err
		}
		first += p.Rows
		parts = append(parts, p)
	}
	return parts, nil
}

func describeFile(ctx context.Context, dir, name string) (File, error) {
	is, err := DigestFile(ctx, filepath.Join(dir, filepath.FromSlash(name)))
	return File{name, is.Bytes, is.Digest}, err
}

// copyFile copies a file and syncs the copy.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	out, err := createFile(to)
	if err != nil {
		return err
	}
	_, err = copyContext(ctx, out, in)
	return errors.Join(cmp.Or(err, out.Sync()), out.Close())
}

// writeGroups writes a table of row groups of tables of this package, the first of which is like.
func writeGroups(like *parquet.File, to string, groups iter.Seq2[parquet.RowGroup, error]) error {
	for _, write := range []func(*parquet.File, string, iter.Seq2[parquet.RowGroup, error]) (bool, error){
		groupsOf[PageRow], groupsOf[RedirectRow], groupsOf[TopicalPairRow], groupsOf[TopicalClusterRow], groupsOf[TopicalTreeRow],
		groupsOf[SyntacticPairRow], groupsOf[SyntacticClusterRow], groupsOf[SyntacticEstimateRow],
	} {
		if is, err := write(like, to, groups); is || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w: no table has its columns", to, ErrFormat)
}

// groupsOf writes a table of row groups if their columns are those of T.
func groupsOf[T Row](like *parquet.File, to string, groups iter.Seq2[parquet.RowGroup, error]) (is bool, err error) {
	if checkSchema(like.Schema(), parquet.SchemaOf(new(T))) != nil {
		return false, nil
	}
	f, err := createFile(to)
	if err != nil {
		return true, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	defer recovered(&err)
	w := parquet.NewGenericWriter[T](f, options[T]{}.parquetOptions()...)
	for g, err := range groups {
		if err == nil {
			_, err = w.WriteRowGroup(g)
		}
		if err != nil {
			return true, err
		}
	}
	return true, cmp.Or(w.Close(), f.Sync())
}

// JoinTables writes a table of the row groups of tables with its columns, one after the other. It copies them unchanged.
func JoinTables(ctx context.Context, to string, tables []string) error {
	if len(tables) == 0 {
		return fmt.Errorf("%s: no tables to put together", to)
	}
	f, like, err := openParquet(tables[0])
	if err != nil {
		return err
	}
	defer f.Close()
	return writeGroups(like, to, groupsIn(ctx, tables))
}

// groupsIn returns the row groups of some tables.
func groupsIn(ctx context.Context, tables []string) iter.Seq2[parquet.RowGroup, error] {
	return func(yield func(parquet.RowGroup, error) bool) {
		for _, path := range tables {
			more, err := eachGroup(path, func(g parquet.RowGroup) bool { return yield(g, ctx.Err()) })
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// readParted reads parts.json.
func readParted(dir string) (p parted, err error) {
	at := filepath.Join(dir, partedName)
	b, err := readSmall(at)
	if err != nil {
		return p, err
	}
	if err := checkSeal(b); err != nil {
		return p, fmt.Errorf("%s: %w: it is damaged", at, ErrIncomplete)
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("%s: %w", at, err)
	}
	if p.Format != partedFormat {
		return p, fmt.Errorf("%s: %w: version %d, and this program reads version %d", at, ErrFormat, p.Format, partedFormat)
	}
	return p, nil
}
