package crawl

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// Package archive/zip reads the whole list of the files in an archive into memory. zipFits computes in advance how much
// memory that takes by scanning the list.

const (
	zipTail      = 22 + 20 + 56 + 1<<16 // the end of a list, with that of large archives, and the longest comment
	zipHead      = 46                   // bytes of an entry before its name
	zipFileBytes = 512                  // bytes of memory that an entry takes in addition to its name and other variable fields
)

// zipFits returns a *MemoryError if the list of the files does not fit into memory.
func zipFits(o *record.Options, in *stream.Input) error {
	at, ok := in.ReaderAt()
	if !ok || o.Memory <= 0 {
		return nil
	}
	begin, end := zipDirectory(at, in.Size())
	r := bufio.NewReaderSize(io.NewSectionReader(at, begin, end-begin), stream.BufferSize)
	files, names := int64(0), int64(0)
	for {
		head, err := r.Peek(zipHead)
		if err != nil || !bytes.HasPrefix(head, []byte("PK\x01\x02")) {
			break
		}
		n := int64(binary.LittleEndian.Uint16(head[28:])) + int64(binary.LittleEndian.Uint16(head[30:])) + int64(binary.LittleEndian.Uint16(head[32:]))
		files, names = files+1, names+n
		if _, err := io.CopyN(io.Discard, r, zipHead+n); err != nil {
			break
		}
	}
	return o.Needs(2*(names+zipFileBytes*files), record.Position{File: in.Name()}, "a zip archive of %d files", files)
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
