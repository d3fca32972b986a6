// Package mapped writes and reads the binary tables of a run directory. A table is a few named arrays of numbers or
// bytes in one file, which package runs maps into memory and uses without decoding.
//
// A [Writer] writes the sections one after the other under a temporary name. Close writes the footer and renames the
// file, so a file under its final name is complete unless the machine fails. Opening a [File] checks the header, the
// footer and all bounds, in a time that hardly depends on the size of the file. Sections are checked in blocks of 64
// KiB: a [Column] or [Strings] checks a block when it first returns a part of it. [File.Verify] checks all remaining
// blocks.
//
// A column returns memory of the file: do not use it after [File.Close], do not write to it, and do not change or
// truncate the file while it is open. Truncating a mapped file kills the process with SIGBUS; this cannot happen to
// the tables of a finished run, which never changes. A column returns no errors: it returns a block with a wrong
// checksum as it is, and from then on [File.Err] returns an error. So an answer is valid only if Err is nil after the
// table was last used. Err may be called after Close.
package mapped

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Sizes of the fixed parts of the format, in bytes. The comment at the head of reader.go describes the format.
const (
	headerSize  = 24
	entrySize   = 48
	trailerSize = 24
	nameSize    = 24
	kindSize    = 8
	alignment   = 8
	sumSize     = 4 // checksum of a block

	blockShift = 16
	blockSize  = 1 << blockShift

	// Versions of the container:
	//
	//	1  a checksum for each section; only in runs of formats 1 and 2
	//	2  a checksum for each block of 64 KiB, so that a block can be checked when it is read
	//	3  offsets, such as the places of strings, are stored as differences
	containerVersion = 3
	headMagic        = "LSHC"
	tailMagic        = "LSHC-END"
	maxSections      = 1 << 12
)

// Errors of Open, Verify and Err are a *FormatError that wraps one of these.
var (
	ErrMagic     = errors.New("not a mapped table")
	ErrContainer = errors.New("unknown version of the container")
	ErrKind      = errors.New("another kind of table")
	ErrVersion   = errors.New("unknown version of the table")
	ErrTruncated = errors.New("truncated file")
	ErrChecksum  = errors.New("checksum does not match")
	ErrBounds    = errors.New("section out of bounds")
	ErrIndex     = errors.New("number out of range")
	ErrNoSection = errors.New("no such section")
	ErrElement   = errors.New("wrong element size")
	ErrClosed    = errors.New("file is closed")
)

// FormatError is the error for a malformed file, with the place and the problem. It unwraps to one of the sentinel
// errors of this package.
type FormatError struct {
	File   string
	Offset int64  // bytes from the start of the file
	What   string // the part or section, and what is wrong with it
	Err    error
}

// Error names the file, the offset and the reason.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s: %v", e.File, e.Offset, e.What, e.Err)
}

// Unwrap returns the sentinel error.
func (e *FormatError) Unwrap() error { return e.Err }

// Info describes one section of a file.
type Info struct {
	Name     string
	Offset   int64  // offset of its first byte in the file, a multiple of 8
	Length   int64  // in bytes, a multiple of ElemSize
	ElemSize int    // bytes per element
	CRC      uint32 // CRC-32C of the checksums of its blocks

	sums int64 // offset of these checksums in the file
}

// blocks returns the number of blocks. The last block may be short.
func (i Info) blocks() int64 { return (i.Length + blockSize - 1) >> blockShift }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func align(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// header encodes the first 24 bytes of a file.
func header(kind string, version uint32) []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, headMagic...)
	b = binary.LittleEndian.AppendUint32(b, containerVersion)
	b = append(b, kind...)
	b = append(b, make([]byte, kindSize-len(kind))...)
	b = binary.LittleEndian.AppendUint32(b, version)
	return binary.LittleEndian.AppendUint32(b, 0)
}

// appendEntry encodes one entry of the section table.
func appendEntry(b []byte, s Info) []byte {
	b = append(b, s.Name...)
	b = append(b, make([]byte, nameSize-len(s.Name))...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Length))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.ElemSize))
	return binary.LittleEndian.AppendUint32(b, s.CRC)
}

// footer encodes the section table and the trailer. head is the header of the file.
func footer(head []byte, sections []Info) []byte {
	var b []byte
	for _, s := range sections {
		b = appendEntry(b, s)
	}
	length := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sections)))
	b = binary.LittleEndian.AppendUint64(b, uint64(length))
	crc := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, b)
	b = binary.LittleEndian.AppendUint32(b, crc)
	return append(b, tailMagic...)
}

// checkName reports whether a name fits its field: 1 to max bytes of printable ASCII without a space.
func checkName(what, name string, limit int) error {
	if len(name) == 0 || len(name) > limit {
		return fmt.Errorf("mapped: %s %q: need 1 to %d bytes", what, name, limit)
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return fmt.Errorf("mapped: %s %q: must be printable ASCII without spaces", what, name)
		}
	}
	return nil
}
