package shard

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/table"
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

// recognise sets the format of a file by its first bytes.
func (f *File) recognise(head []byte) {
	switch {
	case len(head) == 0 && f.Size == 0:
		f.Format = "text"
	case table.SniffJSONL(head) && strings.TrimLeft(string(head[:min(len(head), 64)]), " \t\r\n\ufeff")[0] == '{':
		f.Format = "jsonl"
	default:
		src, err := crawl.Open(f.Path, *f.options)
		if err != nil {
			f.Why = err
		} else {
			f.Format = src.Format()
			src.Close()
		}
	}
	isTable := f.Format == "csv" && (hasSuffix(f.Path, "csv", "tsv", "tab") || f.packing == stream.Plain && filepath.Ext(f.Path) == "")
	switch f.Format {
	case "jsonl", "parquet", "warc", "arc":
		return
	case "csv":
		if isTable && utf8.Valid(head[:max(0, len(head)-utf8.UTFMax)]) {
			return
		}
	case "html":
		f.Format = "text"
		return
	}
	if f.Format == "json" || f.Format == "har" || f.Format == "zip" || f.Format == "tar" || f.Format == "cdx" || f.Format == "wacz" || f.Format == "mhtml" {
		f.Why = errors.New("a " + f.Format + " file has no records that could be removed; JSON must be JSON Lines (jq -c '.[]' makes it)")
		f.Format = ""
		return
	}
	if f.Format = ""; stream.IsText(head) && !hasSuffix(f.Path, "json", "jsonl", "ndjson", "csv", "tsv") {
		f.Format, f.Why = "text", nil
	}
	f.Why = cmp.Or(f.Why, errors.New("not a format that dedup reads"))
	if f.Format != "" {
		f.Why = nil
	}
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

// Parts divides a file into parts of about the given size. Only plain JSON Lines have several.
func (f *File) Parts(size int64) []Part {
	if f.Format != "jsonl" || f.packing != stream.Plain || f.Size <= size {
		return []Part{{}}
	}
	var parts []Part
	for from := int64(0); from < f.Size; from += size {
		parts = append(parts, Part{from, min(from+size, f.Size)})
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
	switch f.packing {
	case stream.Bzip2, stream.Xz:
		return ".gz", false
	}
	return "", true
}
