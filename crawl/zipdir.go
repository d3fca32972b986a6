package crawl

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// Package archive/zip reads the whole list of the files in an archive into memory.

const (
	zipTail = 22 + 20 + 56 + 1<<16 // the end of a list, with that of large archives, and the longest comment
	zipGrow = 12                   // bytes of memory that a byte of the list takes: 46 and the name become 512 and the name, twice
)

// zipFits returns a *MemoryError if the list of the files does not fit into memory.
func zipFits(o *record.Options, in *stream.Input) error {
	at, ok := in.ReaderAt()
	if !ok || o.Memory <= 0 {
		return nil
	}
	begin, end := zipDirectory(at, in.Size())
	return o.Needs(zipGrow*(end-begin), record.Position{File: in.Name()}, "the list of the files in a zip archive, %d bytes", end-begin)
}

// zipDirectory returns where the list of the files is, or an empty range if it cannot find the list.
func zipDirectory(at io.ReaderAt, size int64) (begin, end int64) {
	from := max(0, size-zipTail)
	tail := make([]byte, size-from)
	if n, _ := at.ReadAt(tail, from); n < len(tail) {
		return 0, 0
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < 22 {
		return 0, 0
	}
	length := int64(binary.LittleEndian.Uint32(tail[i+12:]))
	if j := bytes.LastIndex(tail[:i], []byte("PK\x06\x06")); j >= 0 && i-j >= 56 { // a large archive (zip64)
		i, length = j, int64(binary.LittleEndian.Uint64(tail[j+40:]))
	}
	end = from + int64(i)
	if length < 0 || length > end {
		return 0, end // the list cannot be longer, whatever the archive says
	}
	return end - length, end
}
