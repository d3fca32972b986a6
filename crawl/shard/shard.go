package shard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

// Options describe how files are read.
type Options struct {
	record.Options
	Columns []string // further columns, or members of objects as paths with dots, whose values a Record has
}

// File is a file of records.
type File struct {
	Path    string
	Format  string // "jsonl", "csv", "parquet", "warc", "arc" or "text", which is one record; "" if nothing in it can be read
	Why     error  // why nothing can be read
	Size    int64
	Damaged bool // Copy must not copy the bytes as they are
	packing stream.Compression
	options *record.Options
	columns []string
}

// Record is a record of a file. Its bytes are valid until the function that receives it returns.
type Record struct {
	Range
	Number  int64     // of the line, row or record in its part, from 1
	Name    []byte    // URL or id; nil if it has none
	Text    []byte    // the text, or nil
	Escaped bool      // Text is what stands between the quotes of a JSON string
	HTML    []byte    // the markup, if the record has no plain text
	Columns [][]byte  // values of Options.Columns; nil for those that are missing
	Time    time.Time // of a capture in an archive
	Skip    *record.Skip
}

// Range is the place of a record: bytes of the uncompressed stream, rows of Parquet, or bytes of an archive as it is.
// Length 0 means that there is nothing that could be removed.
type Range struct{ Offset, Length int64 }

// Open finds out what a file is. Only an error of the file system is an error.
func Open(path string, o Options) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	opts := *o.Options.WithDefaults()
	opts.TextsOnly, opts.Columns = true, o.Columns
	f := &File{Path: path, Size: info.Size(), options: &opts, columns: o.Columns}
	in, err := stream.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer in.Close()
	m, err := stream.NewMembers(in, opts.Memory)
	if err != nil {
		return nil, err
	}
	head, err := m.Head(sniffed)
	f.packing = m.Kind
	if kind, _ := stream.KindOfName(path); m.Kind == stream.Plain && kind == stream.Brotli {
		f.packing = kind
	}
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		f.Why = m.Damaged(err)
		return f, nil
	}
	f.recognise(head)
	return f, nil
}

// sniffed is the number of bytes by which a file is recognized.
const sniffed = 4096

// recognise sets the format of a file by its first bytes, and by a name that says that it is one text.
func (f *File) recognise(head []byte) {
	start := bytes.TrimLeft(head, " \t\r\n\ufeff")
	line, _, whole := bytes.Cut(start, []byte("\n"))
	named := hasSuffix(f.Path, "txt", "text", "md", "markdown", "rst", "tex")
	switch {
	case len(start) > 0 && start[0] == '{' && table.SniffJSONL(head) && (!named || !whole || json.Valid(line)):
		f.Format = "jsonl"
	case named && payload.NotText(head) == "" && !bytes.HasPrefix(head, []byte("WARC/")):
		f.Format = "text"
	default:
		f.recogniseOthers(head)
	}
}

// recogniseOthers is recognise for files that crawl opens.
func (f *File) recogniseOthers(head []byte) {
	src, err := crawl.Open(f.Path, *f.options)
	if err == nil {
		f.Format = src.Format()
		src.Close()
	}
	named := hasSuffix(f.Path, "csv", "tsv", "tab")
	isText := bytes.IndexByte(head, 0) < 0 && payload.NotText(head) == "" && !named &&
		!hasSuffix(f.Path, "json", "jsonl", "ndjson", "parquet", "warc", "wet", "arc")
	switch {
	case f.Format == "parquet" && f.packing != stream.Plain:
		f.Format, f.Why = "", errors.New("a Parquet file in another compression: decompress it first")
	case f.Format == "parquet":
		if f.Why = f.checkParquet(); f.Why != nil {
			f.Format = ""
		}
	case f.Format == "warc", f.Format == "arc", f.Format == "csv" && named && utf8.Valid(whole(head)):
	case f.Format == "html", isText && (f.Format == "" || f.Format == "csv"):
		f.Format = "text"
	case f.Format == "json":
		f.Format, f.Why = "", errors.New("JSON, but no JSON Lines: jq -c '.[]' makes these of an array")
	case f.Format != "":
		f.Format, f.Why = "", fmt.Errorf("%s holds no records that could be removed", f.Format)
	default:
		f.Why = cmp.Or(err, errors.New("not a format that is read"))
	}
}

// whole returns head without a character that is cut at its end.
func whole(head []byte) []byte {
	for i := len(head) - 1; i >= max(0, len(head)-utf8.UTFMax); i-- {
		if utf8.RuneStart(head[i]) {
			if !utf8.FullRune(head[i:]) {
				return head[:i]
			}
			break
		}
	}
	return head
}

// hasSuffix reports whether a file name has one of the extensions, perhaps before that of a compression.
func hasSuffix(path string, extensions ...string) bool {
	_, name := stream.KindOfName(path)
	return slices.Contains(extensions, strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), "."))
}

// Part is a part of a file that is read by itself.
type Part struct {
	From, To int64 // bytes of a plain file of lines; To is 0 for the whole file
}

// Divides reports whether parts of the file can be read by themselves.
func (f *File) Divides() bool { return f.Format == "jsonl" && f.packing == stream.Plain }

// Divide returns the parts, of a size, of a file that divides.
func Divide(length, size int64) (parts []Part) {
	for from := int64(0); from < length; from += size {
		parts = append(parts, Part{from, min(from+size, length)})
	}
	return parts
}

// Read calls yield with each record of a part, in their order. It returns the number of lines or records that the part
// has, blank ones included, for the numbers of the next part.
func (f *File) Read(ctx context.Context, p Part, yield func(*Record) error) (lines int64, err error) {
	switch f.Format {
	case "":
		return 0, nil
	case "jsonl":
		return f.readLines(ctx, p, yield)
	case "text":
		return 1, f.readWhole(yield)
	}
	return 0, f.readPages(ctx, yield)
}

// Packing returns the suffix of the compression in which Copy writes the file, and whether it is that of the file.
func (f *File) Packing() (suffix string, same bool) {
	if f.packing == stream.Bzip2 || f.packing == stream.Xz {
		return ".gz", false
	}
	return "", true
}

// Repacks reports whether files with an extension may be written in another compression.
func Repacks(extension string) bool { return extension == ".bz2" || extension == ".xz" }
