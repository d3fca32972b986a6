// Package mapped writes and reads the flat binary tables of a run directory: a
// few named arrays of fixed-size numbers or bytes in one file that package query
// maps into memory and uses in place, without decoding.
//
// A [Writer] streams the sections one after the other under a temporary name and
// publishes the file with Close: footer, fsync, rename, fsync of the folder. So a
// file under its final name is a whole file. A [File] checks the header, the
// footer and every bound when it is opened, in time that hardly depends on the size
// of the file. A section is checked block by block, each block of 64 KiB when it is
// first touched: a [Column] and [Strings] look at the checksums of what they hand
// out. [File.Verify] checks all that is left.
//
// There are two rules. What a column hands out is memory of the file: it must not
// be used after [File.Close], must not be written to, and the file must not be
// changed or cut while it is open (a mapped file that shrinks kills the process
// with SIGBUS; a finished run is never changed, so this cannot happen to its
// tables). And a column has no errors: a block whose checksum is wrong is handed
// out as it is, and [File.Err] tells from then on. So an answer holds only if Err
// is nil after the last look at the table, which may be after Close.
package mapped

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Sizes of the fixed parts of the format, in bytes. The format itself is
// described at the head of reader.go.
const (
	headerSize  = 24
	entrySize   = 48
	trailerSize = 24
	nameSize    = 24
	kindSize    = 8
	alignment   = 8
	sumSize     = 4 // of the checksum of a block

	blockShift = 16
	blockSize  = 1 << blockShift

	// Versions of the container:
	//
	//	1  a checksum for each section; only in runs of formats 1 and 2
	//	2  a checksum for each block of 64 KiB, so that what is read can be checked when it is read
	containerVersion = 2
	headMagic        = "LSHC"
	tailMagic        = "LSHC-END"
	maxSections      = 1 << 12
)

// What can be wrong with a file. Errors of Open, Verify and Err are a *FormatError
// that wraps one of these.
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

// FormatError says which file is wrong, where, and how. It unwraps to one of the
// sentinel errors of this package.
type FormatError struct {
	File   string
	Offset int64  // bytes from the start of the file
	What   string // the part or the section, and what was found there
	Err    error
}

// Error names file, offset and reason.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s: %v", e.File, e.Offset, e.What, e.Err)
}

// Unwrap returns the sentinel error.
func (e *FormatError) Unwrap() error { return e.Err }

// Info describes one section of a file.
type Info struct {
	Name     string
	Offset   int64  // of its first byte in the file, a multiple of 8
	Length   int64  // bytes, a multiple of ElemSize
	ElemSize int    // bytes an element
	CRC      uint32 // CRC-32C of the checksums of its blocks

	sums int64 // where these begin in the file
}

// Len returns the number of elements.
func (i Info) Len() int64 { return i.Length / int64(i.ElemSize) }

// blocks returns the number of blocks, the last of which may be short.
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

// appendEntry encodes one line of the section table.
func appendEntry(b []byte, s Info) []byte {
	b = append(b, s.Name...)
	b = append(b, make([]byte, nameSize-len(s.Name))...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Length))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.ElemSize))
	return binary.LittleEndian.AppendUint32(b, s.CRC)
}

// footer encodes section table and trailer; head is the file's header.
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

// checkName reports whether a name fits its field: 1 to max bytes of printable
// ASCII without a space.
func checkName(what, name string, limit int) error {
	if len(name) == 0 || len(name) > limit {
		return fmt.Errorf("mapped: %s %q: need 1 to %d bytes", what, name, limit)
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return fmt.Errorf("mapped: %s %q: only printable ASCII without spaces", what, name)
		}
	}
	return nil
}
