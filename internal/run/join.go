package run

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/parquet-go/parquet-go"
)

// JoinTables writes a table of the row groups of several tables of T, one after the other. It copies them unchanged.
func JoinTables[T Row](ctx context.Context, to string, tables []string) (err error) {
	if len(tables) == 0 {
		return fmt.Errorf("%s: no tables to put together", to)
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	defer recovered(&err)
	w := parquet.NewGenericWriter[T](f, parquetOptions()...)
	for _, path := range tables {
		if err := appendGroups(ctx, w, path); err != nil {
			return err
		}
	}
	return w.Close()
}

// appendGroups writes the row groups of a table to another one.
func appendGroups[T Row](ctx context.Context, to *parquet.GenericWriter[T], path string) error {
	f, pf, err := openParquet(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := checkSchema(pf.Schema(), parquet.SchemaOf(new(T))); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, g := range pf.RowGroups() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := to.WriteRowGroup(g); err != nil {
			return err
		}
	}
	return nil
}
