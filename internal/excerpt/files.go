package excerpt

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// every returns the distance of the files to take from a list, so that they have about budget bytes of total.
func every(total, budget int64) int {
	if total <= budget {
		return 1
	}
	return int((total + budget - 1) / budget)
}

// ofFolder links to some of the files of a folder. A sitemap is always among them, because URLs come from it.
func ofFolder(dir, root string, budget int64) (Excerpt, error) {
	var names []string
	var sizes []int64
	total := int64(0)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // the reader of the folder reports it
		}
		if info, err := d.Info(); err == nil {
			names, sizes, total = append(names, path), append(sizes, info.Size()), total+info.Size()
		}
		return nil
	})
	step := every(total, budget)
	if err != nil || step == 1 {
		return whole(root), err
	}
	full, err := filepath.Abs(root)
	if err != nil {
		return Excerpt{}, err
	}
	top, taken := filepath.Join(dir, filepath.Base(full)), int64(0)
	for i, name := range names {
		if i%step != 0 && !strings.Contains(filepath.Base(name), "sitemap") {
			continue
		}
		below, err := filepath.Rel(root, name)
		if err != nil {
			return Excerpt{}, err
		}
		to := filepath.Join(top, below)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Symlink(filepath.Join(full, below), to)); err != nil {
			return Excerpt{}, err
		}
		taken += sizes[i]
	}
	return Excerpt{top, float64(taken) / float64(total), 1}, nil
}

// ofZip copies some of the files of a zip archive, as they are compressed.
func (in *input) ofZip() (Excerpt, error) {
	z, err := zip.NewReader(in, in.size)
	if err != nil {
		return whole(in.Name()), nil //nolint:nilerr // the reader of the input reports it
	}
	content, packed := int64(0), int64(0)
	for _, f := range z.File {
		content += int64(f.UncompressedSize64)
		packed += int64(f.CompressedSize64)
	}
	step := every(content, in.budget)
	if step == 1 || len(z.File) < 2*step {
		return whole(in.Name()), nil
	}
	taken := int64(0)
	err = in.write(func(w io.Writer) error {
		out := zip.NewWriter(w)
		for i, f := range z.File {
			if i%step != 0 {
				continue
			}
			if err := out.Copy(f); err != nil {
				return err
			}
			taken += int64(f.CompressedSize64)
		}
		return out.Close()
	})
	return Excerpt{in.name, float64(taken) / float64(max(packed, 1)), 1}, err
}

// ofParquet copies rows from all over a Parquet file.
func (in *input) ofParquet() (Excerpt, error) {
	f, err := parquet.OpenFile(in, in.size)
	if err != nil {
		return whole(in.Name()), nil //nolint:nilerr // the reader of the input reports it
	}
	content := int64(0)
	for _, g := range f.Metadata().RowGroups {
		content += g.TotalByteSize
	}
	rows := f.NumRows()
	wanted := int64(float64(rows) * float64(in.budget) / float64(max(content, 1)))
	if wanted >= rows || wanted == 0 {
		return whole(in.Name()), nil
	}
	taken := int64(0)
	err = in.write(func(w io.Writer) error {
		out := parquet.NewGenericWriter[any](w, f.Schema(), parquet.Compression(&parquet.Snappy))
		for _, g := range f.RowGroups() {
			n := max(1, wanted*g.NumRows()/rows)
			got, err := copyRows(out, g, n)
			if taken += got; err != nil {
				return err
			}
		}
		return out.Close()
	})
	if err != nil {
		return whole(in.Name()), nil //nolint:nilerr // something that this library cannot copy
	}
	return Excerpt{in.name, float64(taken) / float64(rows), 1}, nil
}

// copyRows copies n rows of a group in up to eight pieces.
func copyRows(out parquet.RowWriter, g parquet.RowGroup, n int64) (taken int64, err error) {
	rows := g.Rows()
	defer rows.Close()
	parts := min(8, n)
	for i := range parts {
		if err := rows.SeekToRow(i * g.NumRows() / parts); err != nil {
			return taken, err
		}
		buf := make([]parquet.Row, n/parts)
		got, err := rows.ReadRows(buf)
		if err != nil && !errors.Is(err, io.EOF) {
			return taken, err
		}
		if _, err := out.WriteRows(buf[:got]); err != nil {
			return taken, err
		}
		taken += int64(got)
	}
	return taken, nil
}
