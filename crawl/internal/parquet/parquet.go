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
	"math"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"

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
			for rec, err := range record.Iterate(ctx, group.next) {
				if !yield(rec, err) || ctx.Err() != nil {
					group.close()
					return
				}
				if err != nil && group.broken {
					break
				}
			}
			row += t.groups[g].NumRows()
			group.close()
			t.useful = t.useful || group.broken
			if g == len(t.groups)-1 && row > 0 && !t.useful {
				yield(nil, t.layout.Useless(s.position(), row))
			}
		}
	}
}

// parquetTable is an open file with its layout.
type parquetTable struct {
	s      *parquetSource
	layout table.Layout
	groups []parquet.RowGroup
	meta   []parquetformat.RowGroup
	leaves [table.NumFields]*leaf
	inside []*leaf // the columns of layout.Inside
	others []*leaf // Options.Columns; nil for those that are missing
	places []int64 // of the row groups, for positions
	useful bool    // a row had all that a page or a link needs
}

// leaf is a column of values.
type leaf struct {
	table.Column
	column *parquet.Column
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
	if err := s.checkFooter(); err != nil {
		if little := (*record.MemoryError)(nil); errors.As(err, &little) {
			return nil, little
		}
		return nil, s.Skip(record.ReasonBadParquet, err)
	}
	f, err := parquet.OpenFile(s.file, s.size, onlyFooter...)
	if err != nil {
		if strings.Contains(err.Error(), "signed footer") {
			return nil, s.Skip(record.ReasonUnsupportedFormat,
				errors.New("this is an encrypted Parquet file: decrypt it, that is, write it again without encryption"))
		}
		return nil, s.Skip(record.ReasonBadParquet, err)
	}
	t = &parquetTable{s: s, meta: f.Metadata().RowGroups}
	if f, err = withoutCodecs(*f.Metadata()); err != nil {
		return nil, s.Skip(record.ReasonBadParquet, err)
	}
	t.groups = f.RowGroups()
	leaves := leavesOf(f.Root())
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
	return t, nil
}

var onlyFooter = []parquet.FileOption{parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)}

// withoutCodecs opens the footer of a file as that of one without compression. The pages of each chunk come from a
// pageWalk.
func withoutCodecs(m parquetformat.FileMetaData) (*parquet.File, error) {
	m.RowGroups = slices.Clone(m.RowGroups)
	for i := range m.RowGroups {
		columns := slices.Clone(m.RowGroups[i].Columns)
		for j := range columns {
			c := &columns[j].MetaData
			c.Codec, c.DataPageOffset, c.DictionaryPageOffset, c.TotalCompressedSize = parquetformat.Uncompressed, 0, 0, math.MaxInt64
		}
		m.RowGroups[i].Columns = columns
	}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, m)
	if err != nil {
		return nil, err
	}
	b := slices.Concat([]byte("PAR1"), footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte("PAR1"))
	return parquet.OpenFile(bytes.NewReader(b), int64(len(b)), onlyFooter...)
}

// listBytes is the approximate memory of an element of a list in the footer.
const listBytes = 256

// checkFooter checks the length of the footer and the lists in it before memory is allocated for them.
func (s *parquetSource) checkFooter() error {
	const magic, tail = 4, 8
	var b [tail]byte
	if s.size < magic+tail {
		return fmt.Errorf("%d bytes are not a Parquet file", s.size)
	}
	if _, err := s.file.ReadAt(b[:], s.size-tail); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(b[:]))
	if n > s.size-magic-tail {
		return fmt.Errorf("a footer of %d bytes in a file of %d", n, s.size)
	}
	if err := s.opts.Needs(4*n, s.position(), "a footer of %d bytes", n); err != nil {
		return err
	}
	footer := make([]byte, n)
	if _, err := s.file.ReadAt(footer, s.size-tail-n); err != nil {
		return err
	}
	_, elements, err := structLen(footer)
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return s.opts.Needs(4*n+listBytes*elements, s.position(), "a footer of %d bytes with %d parts", n, elements)
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

// leavesOf lists the columns of values below a column. The groups that wrap a list are not part of a path.
func leavesOf(c *parquet.Column) (out []leaf) {
	for _, below := range c.Columns() {
		out = append(out, leavesOf(below)...)
	}
	if !c.Leaf() || c.MaxRepetitionLevel() > 1 {
		return out
	}
	name, list := slices.Clone(c.Path()), c.MaxRepetitionLevel() > 0
	for list && len(name) > 1 && isListWrapper(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	return append(out, leaf{table.Column{Path: strings.Join(name, "."), List: list}, c})
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
