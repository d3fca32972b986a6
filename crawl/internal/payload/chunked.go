package payload

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Dechunk undoes chunked transfer encoding. A body that does not begin with a chunk is returned unchanged and without
// an error, because some crawlers store bodies that they have already dechunked. If a later chunk is malformed, Dechunk
// keeps the rest of the body unchanged and returns an error. It drops trailers.
func (m *Room) Dechunk(b []byte) ([]byte, error) {
	size, data, ok := chunkSize(b)
	if !ok || size > 0 && len(data) == 0 {
		return b, nil
	}
	if size <= len(data) && isLastChunk(data[size:]) {
		return data[:size:size], nil // one chunk: no copy is needed
	}
	out := m.Grow(nil, len(b))
	for {
		if size == 0 {
			return out, nil
		}
		if size > len(data) {
			return append(out, data...), fmt.Errorf("chunk of %d bytes has %d", size, len(data))
		}
		out = append(out, data[:size]...)
		rest := bytes.TrimPrefix(bytes.TrimPrefix(data[size:], []byte("\r")), []byte("\n"))
		if len(rest) == 0 {
			return out, errors.New("no last chunk")
		}
		if size, data, ok = chunkSize(rest); !ok {
			return append(out, rest...), fmt.Errorf("no chunk after %d bytes", len(out))
		}
	}
}

func isLastChunk(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\r\n0\r\n"))
}

// maxChunkDigits keeps chunk sizes in the range of int.
const maxChunkDigits = 8

// chunkSize parses a line such as "1a2b;extension\r\n".
func chunkSize(b []byte) (size int, data []byte, ok bool) {
	i, digits := 0, 0
	for ; i < len(b) && ascii.Unhex(b[i]) < 16; i++ {
		if size = size<<4 | int(ascii.Unhex(b[i])); size > 0 {
			digits++
		}
		if digits > maxChunkDigits {
			return 0, nil, false
		}
	}
	if i == 0 {
		return 0, nil, false
	}
	line, data, found := CutLine(b[i:])
	line = bytes.TrimLeft(line, " \t")
	return size, data, (found || size == 0) && (len(line) == 0 || line[0] == ';')
}

// CutLine cuts b after the next line ending, which is CRLF or LF. ok is false if there is none.
func CutLine(b []byte) (line, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.TrimRight(b, "\r"), nil, false
	}
	return bytes.TrimRight(b[:i], "\r"), b[i+1:], true
}
