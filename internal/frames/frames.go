// Package frames is the form in which a task that does not see the run directory gets its input and gives its output:
// a stream of frames, each with a block of a file and a checksum. Blocks may come in any order and more than once.
//
// A stream is a header, frames, and an end frame. The header is the magic "LSHFRAME", the version (4 bytes) and zero
// (4 bytes). A frame is a prefix and a body. The prefix is the length of the body, the kind, the part that the frame is
// for, and a CRC-32C of these three and the body (4 bytes each), so that an engine can cut a stream into frames and send
// each to its part without looking into any of them. All numbers are little-endian.
//
// The body of a block is a number (4 bytes), the length of a name (2), the offset of the block (8), the size of the file
// or stream (8), the name, and the data. Files are cut into blocks of [BlockSize]; only the last one is shorter, and an
// empty file has one empty block. The body of an end frame is empty, or JSON with the number of frames and bytes of what
// was written.
package frames

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"path"
	"path/filepath"
	"strings"
)

// Kind tells what is in a frame.
type Kind uint32

// The kinds of frames.
const (
	File      Kind = 1 // a block of a file
	Fragments Kind = 2 // a block of the fragments that a part of the stage read has for a partition
	Shingles  Kind = 3 // likewise of the shingles
	Receipt   Kind = 4 // the receipt of a part
	End       Kind = 5 // the end of the stream
)

// String returns the name of a kind.
func (k Kind) String() string {
	switch k {
	case File:
		return "file"
	case Fragments:
		return "fragments"
	case Shingles:
		return "shingles"
	case Receipt:
		return "receipt"
	case End:
		return "end"
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// Driver is the part of frames that are not for one partition.
const Driver = -1

// BlockSize is the size of every block but the last one of a file. It belongs to the version.
const BlockSize = 256 << 10

const (
	magic      = "LSHFRAME"
	version    = 1
	headerSize = len(magic) + 8
	prefixSize = 16
	blockHead  = 22 // of the body of a block
	mostName   = 200
	mostSize   = 1 << 43
	mostBody   = 1<<20 + 8<<10 // of any version
)

// Frame is a frame. Number, Name, Offset and Size are those of a block.
type Frame struct {
	Kind   Kind
	Part   int32
	Number uint32 // of the part of the stage read that a stream is from
	Name   string // of a file
	Offset uint64
	Size   uint64 // of the whole file or stream
	Data   []byte

	sum uint32
}

// String names the part and the file of a frame, for errors.
func (f *Frame) String() string {
	switch f.Kind {
	case File:
		return fmt.Sprintf("file %s at byte %d", f.Name, f.Offset)
	case Fragments, Shingles:
		return fmt.Sprintf("%s of part %d of read for partition %d at byte %d", f.Kind, f.Number+1, f.Part, f.Offset)
	}
	return f.Kind.String()
}

// ErrDamaged is wrapped by every error about the contents of a stream.
var ErrDamaged = errors.New("damaged frames")

func wrong(f *Frame, what string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrDamaged, f, fmt.Sprintf(what, args...))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func header() []byte {
	b := binary.LittleEndian.AppendUint32([]byte(magic), version)
	return binary.LittleEndian.AppendUint32(b, 0)
}

func (k Kind) isBlock() bool { return k >= File && k <= Shingles }

// blocks returns the number of blocks of a file or stream of a size.
func blocks(size uint64) uint64 { return max(1, (size+BlockSize-1)/BlockSize) }

// isName reports whether a file of a run may have a name: letters, digits and a few marks, relative to the run directory
// and inside it.
func isName(name string) bool {
	strange := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.~/", c))
	}
	return name != "" && name != "." && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name)) && !strings.ContainsFunc(name, strange)
}

// append appends the frame.
func (f *Frame) append(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, prefixSize)...)
	if f.Kind.isBlock() {
		dst = binary.LittleEndian.AppendUint32(dst, f.Number)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Name)))
		dst = binary.LittleEndian.AppendUint64(dst, f.Offset)
		dst = binary.LittleEndian.AppendUint64(dst, f.Size)
		dst = append(dst, f.Name...)
	}
	dst = append(dst, f.Data...)
	prefix, body := dst[from:from+prefixSize], dst[from+prefixSize:]
	binary.LittleEndian.PutUint32(prefix, uint32(len(body)))
	binary.LittleEndian.PutUint32(prefix[4:], uint32(f.Kind))
	binary.LittleEndian.PutUint32(prefix[8:], uint32(f.Part))
	f.sum = frameSum(prefix, body)
	binary.LittleEndian.PutUint32(prefix[12:], f.sum)
	return dst
}

func frameSum(prefix, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(prefix[:12], castagnoli), castagnoli, body)
}

// parse returns the frame with a prefix and a body, whose bytes it keeps.
func parse(prefix, body []byte) (f Frame, err error) {
	f.Kind, f.Part = Kind(binary.LittleEndian.Uint32(prefix[4:])), int32(binary.LittleEndian.Uint32(prefix[8:]))
	f.sum = binary.LittleEndian.Uint32(prefix[12:])
	if frameSum(prefix, body) != f.sum {
		return f, fmt.Errorf("%w: the checksum of a frame does not match", ErrDamaged)
	}
	f.Data = body
	if !f.Kind.isBlock() {
		if f.Kind != Receipt && f.Kind != End {
			return f, fmt.Errorf("%w: a frame of unknown %s", ErrDamaged, f.Kind)
		}
		return f, nil
	}
	if len(body) < blockHead {
		return f, wrong(&f, "it is too short")
	}
	n := int(binary.LittleEndian.Uint16(body[4:]))
	if n > mostName || len(body) < blockHead+n {
		return f, wrong(&f, "it is too short for its name")
	}
	f.Number, f.Offset, f.Size = binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint64(body[6:]), binary.LittleEndian.Uint64(body[14:])
	f.Name, f.Data = string(body[blockHead:blockHead+n]), body[blockHead+n:]
	if (f.Kind == File) != isName(f.Name) || f.Kind != File && (f.Part < 0 || f.Name != "") || f.Size > mostSize {
		return f, fmt.Errorf("%w: a frame with a wrong name %q, part or size", ErrDamaged, f.Name)
	}
	if at := f.Offset / BlockSize; f.Offset%BlockSize != 0 || at >= blocks(f.Size) || uint64(len(f.Data)) != min(BlockSize, f.Size-f.Offset) {
		return f, wrong(&f, "%d bytes there are no block of %d", len(f.Data), f.Size)
	}
	return f, nil
}
