package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
)

// Intermediate files are mapped files. Most have one section, which contains records preceded by their lengths,
// records of a fixed size, or JSON.

const (
	workKind    = "work"
	workVersion = 1
)

// createColumns starts an intermediate file with some columns; see mapped.Writer.Declare.
func createColumns(path string, columns any) *mapped.Writer {
	w := mapped.Create(path, workKind, workVersion)
	w.Declare("", columns)
	return w
}

// openColumns opens an intermediate file with some columns.
func openColumns(path string, columns any) (*mapped.File, error) {
	f, err := mapped.Open(path, workKind, workVersion)
	if err != nil {
		return nil, err
	}
	if err := f.Load("", columns); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// work is an open intermediate file with some columns.
type work[C any] struct {
	*mapped.File
	of C
}

func openWork[C any](path string) (w work[C], err error) {
	w.File, err = openColumns(path, &w.of)
	return w, err
}

// stepFiles opens the only file of each part of a step.
func stepFiles[T tables.Table](from *opened, stage, step string, open func(path string) (T, error)) (files []T) {
	for _, p := range from.b.partsOfStep(stage, from.b.stage(stage).index(step)) {
		files = append(files, workFile(from, p.Files[0], open))
	}
	return files
}

// create writes an intermediate file.
func create(path string, write func(w io.Writer) error) error {
	return createAll([]string{path}, func(w []io.Writer) error { return write(w[0]) })
}

// createAll writes several intermediate files.
func createAll(paths []string, write func(w []io.Writer) error) error {
	files, sections := make([]*mapped.Writer, len(paths)), make([]io.Writer, len(paths))
	for i, path := range paths {
		files[i] = mapped.Create(path, workKind, workVersion)
		defer files[i].Abort()
		sections[i] = files[i].Section("data", 1)
	}
	if err := write(sections); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// dataColumn is the section that most intermediate files have alone.
type dataColumn struct {
	data mapped.Numbers[byte] `lsh:"data,stream"`
}

// readWork calls do with the verified contents of an intermediate file.
func readWork(ctx context.Context, path string, do func(data []byte) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := openWork[dataColumn](path)
	if err != nil {
		return err
	}
	defer f.Close()
	data := f.of.data.All()
	if err := f.Err(); err != nil {
		return err
	}
	if err := do(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// eachFile calls do with the contents of the files of a kind that the parts of a step wrote, in order.
func (b *build) eachFile(ctx context.Context, stage, step, kind string, do func(data []byte) error) error {
	for _, p := range b.partsOfStep(stage, b.stage(stage).index(step)) {
		if err := readWork(ctx, b.dir.Path(stepFile(step, kind, p.Number%stepParts)), do); err != nil {
			return err
		}
	}
	return nil
}

// writeRecord writes a record, preceded by its length.
func writeRecord(w io.Writer, body []byte) error {
	var head [binary.MaxVarintLen64]byte
	if _, err := w.Write(binary.AppendUvarint(head[:0], uint64(len(body)))); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// bodies returns a function that calls do with the body of each record that writeRecord wrote.
func bodies(ctx context.Context, do func(body []byte) error) func(data []byte) error {
	return func(data []byte) error {
		for n := 0; len(data) > 0; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			body, rest, err := codec.Next(data)
			if err == nil {
				err = do(body)
			}
			if err != nil {
				return err
			}
			data = rest
		}
		return nil
	}
}

func writeJSON(path string, v any) error {
	return create(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

func readJSON(path string, v any) error {
	return readWork(context.Background(), path, func(data []byte) error { return json.Unmarshal(data, v) })
}
