package parquet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/table"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// parquetSource reads Parquet files of pages or links. It reads the row groups one after another, but only the columns
// that have a meaning, page by page. Damage affects the rest of its row group.
//
// The offset of a position is that of the row group in the file, or of the damaged page. The record number is the
// number of the row in the file, from 1.
type parquetSource struct {
	*stream.Members
	opts  *record.Options
	file  io.ReaderAt
	size  int64
	spool *os.File // temporary copy of compressed or piped input, because Parquet is read from the end
}

// maxSpool bounds the temporary copy of a Parquet file that cannot be read in place.
const maxSpool = 64 << 30

// Sniff reports whether head is the beginning of a Parquet file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// Open reads the members as a Parquet file.
func Open(m *stream.Members, o *record.Options) record.Source {
	s := &parquetSource{Members: m, opts: o, size: m.Size()}
	if at, ok := m.ReaderAt(); ok && m.Kind == stream.Plain {
		s.file = at
	}
	return s
}

// position returns the position of the file.
func (s *parquetSource) position() record.Position { return record.Position{File: s.Name()} }

// Offset implements record.Source. It is limited to the size of the file, because parts of the file are read twice.
func (s *parquetSource) Offset() int64 { return min(s.Members.Offset(), max(s.Members.Size(), 0)) }

func (s *parquetSource) Format() string { return "parquet" }

// Close closes the file and removes the temporary copy.
func (s *parquetSource) Close() error {
	var err error
	if s.spool != nil {
		err = s.spool.Close()
	}
	return errors.Join(err, s.Members.Close())
}

// Records implements record.Source.
func (s *parquetSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		t, err := s.open(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for row, g := int64(0), 0; g < len(t.groups); g++ {
			group := t.group(g, row)
			for {
				if err := ctx.Err(); err != nil {
					yield(nil, err)
					return
				}
				rec, err := group.next()
				if errors.Is(err, io.EOF) {
					break
				}
				if (rec != nil || err != nil) && !yield(rec, err) {
					group.close()
					return
				}
				if err != nil && group.broken {
					break
				}
			}
			row += t.groups[g].NumRows()
			if group.close(); group.broken {
				t.useful = true
			}
			if g == len(t.groups)-1 && row > 0 && !t.useful {
				yield(nil, t.layout.Useless(s.position(), row))
			}
		}
	}
}

// parquetTable is an open file with its layout.
type parquetTable struct {
	s       *parquetSource
	layout  table.Layout
	groups  []parquet.RowGroup
	meta    []parquetformat.RowGroup
	leaves  [table.NumFields]*leaf
	inside  []*leaf               // the columns of layout.Inside
	others  []*leaf               // Options.Columns; nil for those that are missing
	places  []int64               // of the row groups, for positions
	damaged map[[2]int]*pageError // by row group and column, where withoutLZ4 stopped
	useful  bool                  // a row had all that a page or a link needs
}

// leaf is a column of values.
type leaf struct {
	table.Column
	index int
	node  parquet.Node
}

// open reads the footer. The error is a *Skip or the error of the context.
func (s *parquetSource) open(ctx context.Context) (t *parquetTable, err error) {
	if s.file == nil {
		if err := s.copy(ctx); err != nil {
			return nil, err
		}
	}
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, s.Skip(record.ReasonBadParquet, fmt.Errorf("footer: %v", p))
		}
	}()
	if err := checkFooter(s.file, s.size); err != nil {
		return nil, s.Skip(record.ReasonBadParquet, err)
	}
	f, err := parquet.OpenFile(s.file, s.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		if strings.Contains(err.Error(), "signed footer") {
			return nil, s.Skip(record.ReasonUnsupportedFormat, errors.New("this is an encrypted Parquet file: decrypt it, that is, write it again without encryption"))
		}
		return nil, s.Skip(record.ReasonBadParquet, err)
	}
	t = &parquetTable{s: s, groups: f.RowGroups(), meta: f.Metadata().RowGroups}
	leaves := leavesOf(f.Schema())
	columns := make([]table.Column, len(leaves))
	for i, l := range leaves {
		columns[i] = l.Column
	}
	if t.layout, err = table.RecogniseTexts(columns, s.opts.Map); err != nil {
		if isIndex(columns) {
			err = errors.New("this is an index of Common Crawl: it names records (warc_filename, warc_record_offset, warc_record_length) and holds no pages; fetch these records and give the WARC files")
		}
		return nil, s.Skip(record.ReasonUnknownColumns, err)
	}
	for fld, i := range t.layout.At {
		if i >= 0 && (!columns[i].List || table.Field(fld).Joins()) {
			t.leaves[fld] = &leaves[i]
		}
	}
	for _, in := range t.layout.Inside {
		t.inside = append(t.inside, &leaves[in.At])
	}
	for _, name := range s.opts.Columns {
		t.others = append(t.others, nil)
		if i := t.layout.Index(name); i >= 0 {
			t.others[len(t.others)-1] = &leaves[i]
		}
	}
	for i := range t.meta {
		t.places = append(t.places, placeOf(&t.meta[i]))
	}
	if t.hasLZ4() {
		err = t.withoutLZ4(ctx, f.Metadata())
	}
	return t, err
}

// checkFooter checks that the length of the footer is possible before memory is allocated for it.
func checkFooter(f io.ReaderAt, size int64) error {
	const magic, tail = 4, 8
	var b [tail]byte
	if size < magic+tail {
		return fmt.Errorf("%d bytes are not a Parquet file", size)
	}
	if _, err := f.ReadAt(b[:], size-tail); err != nil {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(b[:])); n > size-magic-tail {
		return fmt.Errorf("a footer of %d bytes in a file of %d", n, size)
	}
	return nil
}

func placeOf(g *parquetformat.RowGroup) int64 {
	if len(g.Columns) == 0 {
		return 0
	}
	c := g.Columns[0].MetaData
	if c.DictionaryPageOffset > 0 {
		return min(c.DictionaryPageOffset, c.DataPageOffset)
	}
	return c.DataPageOffset
}

// copy copies an input that cannot be read in place to a temporary file.
func (s *parquetSource) copy(ctx context.Context) error {
	f, err := os.CreateTemp(s.opts.TempDir, "lshclust-*.parquet")
	if err != nil {
		return s.Skip(record.ReasonUnreadableFile, err)
	}
	s.spool, s.file = f, f
	os.Remove(f.Name()) // on close the file disappears
	if s.size, err = io.Copy(f, io.LimitReader(stream.ContextReader{Context: ctx, From: s.All()}, maxSpool)); err != nil {
		return cmp.Or(ctx.Err(), error(s.Damaged(err)))
	}
	if s.size >= maxSpool {
		return s.Skip(record.ReasonUnreadableFile, fmt.Errorf("more than %d bytes", int64(maxSpool)))
	}
	return nil
}

// leavesOf lists the columns of a schema. The groups that wrap a list are not part of a path.
func leavesOf(schema *parquet.Schema) []leaf {
	var out []leaf
	for _, path := range schema.Columns() {
		l, ok := schema.Lookup(path...)
		if !ok {
			continue
		}
		name := slices.Clone(path)
		list := l.MaxRepetitionLevel > 0
		for list && len(name) > 1 && isListWrapper(name[len(name)-1]) {
			name = name[:len(name)-1]
		}
		if l.MaxRepetitionLevel < 2 {
			out = append(out, leaf{table.Column{Path: strings.Join(name, "."), List: list}, l.ColumnIndex, l.Node})
		}
	}
	return out
}

func isListWrapper(name string) bool {
	switch name {
	case "list", "element", "array", "item", "bag", "array_element":
		return true
	}
	return false
}

// isIndex reports whether columns are those of Common Crawl's columnar index.
func isIndex(columns []table.Column) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(columns, func(c table.Column) bool { return c.Path == name })
	}
	return has("warc_filename") && has("warc_record_offset")
}
