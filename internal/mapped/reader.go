package mapped

// The format, all numbers little-endian:
//
//	header   4  "LSHC"
//	         4  version of this container, 3
//	         8  kind of table, ASCII, zero bytes behind it
//	         4  version of the table, which its owner counts
//	         4  zero
//	section  its bytes, then zero bytes up to a multiple of 8   (for every section)
//	sums     4  CRC-32C of 64 KiB of the section; the last block may be shorter
//	                                            (for every block of every section)
//	            zero bytes up to a multiple of 8
//	footer   24 name, ASCII, zero bytes behind it               (for every section)
//	         8  offset of its first byte
//	         8  length in bytes, without the padding
//	         4  bytes an element
//	         4  CRC-32C of the sums of its blocks
//	trailer  4  number of sections
//	         8  length in bytes of the footer, 48 times that number
//	         4  CRC-32C of header, footer and the 12 bytes before this
//	         8  "LSHC-END"
//
// Sections follow one another in the order of the footer. The first is at byte 24, and the checksums follow the last in
// the same order. There are no other bytes in the file, so the footer alone is enough to check every bound. Every
// flipped bit is found: by the CRC of the footer, by that of the sums, by that of a block, or, in the padding, by
// Verify.
//
// Example: kind "ids", version 2, with one section "id" that holds the uint32 7 and 258:
//
//	  0  4c 53 48 43  03 00 00 00           "LSHC", container 3
//	  8  69 64 73 00  00 00 00 00           "ids"
//	 16  02 00 00 00  00 00 00 00           table version 2
//	 24  07 00 00 00  02 01 00 00           the section; it needs no padding
//	 32  71 06 57 6c  00 00 00 00           CRC of its one block; padding
//	 40  69 64 00 .. (24 bytes)             "id"
//	 64  18 00 00 00  00 00 00 00           offset 24
//	 72  08 00 00 00  00 00 00 00           length 8
//	 80  04 00 00 00  4b 4f 4e 47           4 bytes an element; CRC of the CRC
//	 88  01 00 00 00                        one section
//	 92  30 00 00 00  00 00 00 00           48 bytes of footer
//	100  3f 47 11 ed                        CRC
//	104  4c 53 48 43  2d 45 4e 44           "LSHC-END"
//
// The reader trusts nothing. It reads the trailer, checks that the footer fits and has its CRC, and then that every
// section begins where the one before it ends. It checks the sums of a section when the section is first used, and each
// block when the block is first used.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync/atomic"
)

// File is an open table. Several goroutines may call its methods at the same time, but not during or after Close.
type File struct {
	path     string
	kind     string
	version  uint32
	data     []byte
	unmap    func() error
	sections []Info
	byName   map[string]int
	guards   []guard                     // one for each section
	damage   atomic.Pointer[FormatError] // the first damage found
}

// Open maps the file path, which must have the given kind and version. Errors about the contents are a *FormatError.
// Version 0 stands for any version.
func Open(path, kind string, version uint32) (*File, error) {
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, data: data, unmap: unmap}
	if err := f.parse(kind, version); err != nil {
		return nil, errors.Join(err, unmap())
	}
	return f, nil
}

// OpenAny maps the file path, which may have any kind. It is for checks, and for commands that show what a file is.
func OpenAny(path string) (*File, error) { return Open(path, "", 0) }

func (f *File) wrong(offset int64, err error, what string, args ...any) error {
	return &FormatError{f.path, offset, fmt.Sprintf(what, args...), err}
}

func (f *File) parse(kind string, version uint32) error {
	if len(f.data) < headerSize+trailerSize {
		return f.wrong(int64(len(f.data)), ErrTruncated, "%d bytes", len(f.data))
	}
	if err := f.parseHeader(kind, version); err != nil {
		return err
	}
	table, err := f.footer()
	if err != nil {
		return err
	}
	return f.parseTable(table)
}

func (f *File) parseHeader(kind string, version uint32) error {
	h := f.data[:headerSize]
	if string(h[:4]) != headMagic {
		return f.wrong(0, ErrMagic, "first bytes %q", h[:4])
	}
	if v := binary.LittleEndian.Uint32(h[4:]); v != containerVersion {
		return f.wrong(4, ErrContainer, "version %d, not %d", v, containerVersion)
	}
	f.kind = string(bytes.TrimRight(h[8:16], "\x00"))
	f.version = binary.LittleEndian.Uint32(h[16:])
	if kind != "" && f.kind != kind {
		return f.wrong(8, ErrKind, "kind %q, not %q", f.kind, kind)
	}
	if version != 0 && f.version != version {
		return f.wrong(16, ErrVersion, "version %d, not %d", f.version, version)
	}
	if binary.LittleEndian.Uint32(h[20:]) != 0 {
		return f.wrong(20, ErrContainer, "reserved bytes are in use")
	}
	return nil
}

// footer checks the trailer and returns the section table.
func (f *File) footer() ([]byte, error) {
	size := int64(len(f.data))
	t := f.data[size-trailerSize:]
	if string(t[16:]) != tailMagic {
		return nil, f.wrong(size-8, ErrTruncated, "last bytes %q", t[16:])
	}
	n, length := int64(binary.LittleEndian.Uint32(t)), binary.LittleEndian.Uint64(t[4:])
	if n > maxSections || length != uint64(n*entrySize) || int64(length) > size-headerSize-trailerSize {
		return nil, f.wrong(size-trailerSize, ErrBounds, "%d sections, footer of %d bytes", n, length)
	}
	table := f.data[size-trailerSize-int64(length) : size-trailerSize]
	crc := crc32.Checksum(f.data[:headerSize], castagnoli)
	crc = crc32.Update(crc, castagnoli, table)
	crc = crc32.Update(crc, castagnoli, t[:12])
	if crc != binary.LittleEndian.Uint32(t[12:]) {
		return nil, f.wrong(size-trailerSize+12, ErrChecksum, "footer")
	}
	return table, nil
}

// parseTable reads the entries of the footer. A section must begin where the one before it ends, and the last must end
// where the footer begins.
func (f *File) parseTable(table []byte) error {
	at := int64(len(f.data)) - trailerSize - int64(len(table))
	end, limit := int64(headerSize), at
	f.byName = make(map[string]int, len(table)/entrySize)
	for ; len(table) > 0; table, at = table[entrySize:], at+entrySize {
		s := Info{
			Name:     string(bytes.TrimRight(table[:nameSize], "\x00")),
			Offset:   int64(binary.LittleEndian.Uint64(table[24:])),
			Length:   int64(binary.LittleEndian.Uint64(table[32:])),
			ElemSize: int(binary.LittleEndian.Uint32(table[40:])),
			CRC:      binary.LittleEndian.Uint32(table[44:]),
		}
		if s.Offset != end || s.Length < 0 || s.Length > limit-s.Offset {
			return f.wrong(at, ErrBounds, "section %q: offset %d, length %d", s.Name, s.Offset, s.Length)
		}
		if s.ElemSize < 1 || s.Length%int64(s.ElemSize) != 0 {
			return f.wrong(at, ErrElement, "section %q: %d bytes of %d-byte elements", s.Name, s.Length, s.ElemSize)
		}
		if _, twice := f.byName[s.Name]; twice || s.Name == "" {
			return f.wrong(at, ErrBounds, "section name %q empty or used twice", s.Name)
		}
		f.byName[s.Name] = len(f.sections)
		f.sections = append(f.sections, s)
		end = align(s.Offset + s.Length)
	}
	return f.placeSums(end, limit)
}

// placeSums finds the sums of every section. Together they must fill the space between the sections and the footer.
func (f *File) placeSums(at, limit int64) error {
	f.guards = make([]guard, len(f.sections))
	for i := range f.sections {
		s := &f.sections[i]
		s.sums = at
		at += sumSize * s.blocks()
		f.guards[i].init(f, *s)
	}
	if at = align(at); at != limit {
		return f.wrong(at, ErrBounds, "sections and their sums end here, the footer starts at %d", limit)
	}
	return nil
}

// Kind returns the kind of table.
func (f *File) Kind() string { return f.kind }

// Version returns the version of the table's format.
func (f *File) Version() uint32 { return f.version }

// Sections lists the sections in the order of the file.
func (f *File) Sections() []Info { return f.sections }

// Has reports whether the file has the section.
func (f *File) Has(name string) bool {
	_, ok := f.byName[name]
	return ok
}

// Verify reads the whole file. It checks all blocks that were not checked before, the sums, and that the padding is
// zero.
func (f *File) Verify() error {
	if f.unmap == nil {
		return f.wrong(0, ErrClosed, "verify")
	}
	end := int64(headerSize)
	for i, s := range f.sections {
		if err := f.checkSums(s); err != nil {
			return err
		}
		f.guards[i].check(0, s.Length)
		end = s.Offset + s.Length
		if err := f.padding(end, "section "+s.Name); err != nil {
			return err
		}
	}
	if n := len(f.sections); n > 0 {
		last := f.sections[n-1]
		end = last.sums + sumSize*last.blocks()
	}
	if err := f.padding(end, "the sums"); err != nil {
		return err
	}
	return f.Err()
}

// padding checks that there are only zeros between the end and the next multiple of 8.
func (f *File) padding(end int64, after string) error {
	for _, b := range f.data[end:align(end)] {
		if b != 0 {
			return f.wrong(end, ErrChecksum, "padding after %s", after)
		}
	}
	return nil
}

// Err returns the first damage that was found in what the file has returned, or that was passed to Report. It may be
// called after Close.
func (f *File) Err() error {
	if f == nil {
		return nil
	}
	if e := f.damage.Load(); e != nil {
		return e
	}
	return nil
}

// Report records that element i of a section is out of range. From then on Err returns this error, unless it already
// has one.
func (f *File) Report(section string, i int, what string, args ...any) {
	offset := int64(0)
	if s, err := f.Info(section); err == nil {
		offset = s.Offset + int64(i)*int64(s.ElemSize)
	}
	f.damaged(&FormatError{f.path, offset, fmt.Sprintf("section %q: ", section) + fmt.Sprintf(what, args...), ErrIndex})
}

func (f *File) damaged(e *FormatError) { f.damage.CompareAndSwap(nil, e) }

// Scattered tells the kernel whether the file is read in random order from now on, so that it need not read ahead.
func (f *File) Scattered(on bool) { adviseScattered(f.data, on) }

// Close unmaps the file. No view may be used afterwards. Closing a nil File, which a failed Open returns, does nothing.
func (f *File) Close() error {
	if f == nil || f.unmap == nil {
		return nil
	}
	unmap := f.unmap
	f.unmap, f.data, f.sections, f.byName = nil, nil, nil, nil
	return unmap()
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("too large for this machine")
)

// openRegular opens path for reading and returns its size, which must fit an int.
func openRegular(path string) (*os.File, int, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	st, err := r.Stat()
	switch {
	case err != nil:
	case !st.Mode().IsRegular():
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	case int64(int(st.Size())) != st.Size():
		err = &fs.PathError{Op: "open", Path: path, Err: errTooLarge}
	}
	if err != nil {
		r.Close()
		return nil, 0, err
	}
	return r, int(st.Size()), nil
}
