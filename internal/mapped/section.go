package mapped

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"unsafe"
)

// Section collects the elements of one section. Numbers are stored little-endian. The methods return no errors: the
// Writer keeps the first one, and Close returns it.
type Section struct {
	w    *Writer
	out  *sink // nil before the section begins, and once it has ended
	late bool  // whether it begins with its first element
	info Info
	sums []byte // checksums of its blocks, once it has ended
}

// Bytes appends b.
func (s *Section) Bytes(b []byte) {
	if len(b) > 0 && s.open() {
		s.w.fail(s.out.write(b))
	}
}

// Write appends b. It implements io.Writer.
func (s *Section) Write(b []byte) (int, error) {
	s.Bytes(b)
	return len(b), s.w.err
}

// String appends the bytes of v.
func (s *Section) String(v string) {
	if s.open() {
		s.w.fail(s.out.write(unsafe.Slice(unsafe.StringData(v), len(v))))
	}
}

// U32 appends one uint32.
func (s *Section) U32(v uint32) { put(s, v) }

// U64 appends one uint64.
func (s *Section) U64(v uint64) { put(s, v) }

// put appends a number.
func put[T Number](s *Section, v T) {
	if !s.open() {
		return
	}
	s.w.fail(s.out.room(8))
	switch at := unsafe.Pointer(&v); unsafe.Sizeof(v) {
	case 1:
		s.out.buf = append(s.out.buf, *(*uint8)(at))
	case 2:
		s.out.buf = binary.LittleEndian.AppendUint16(s.out.buf, *(*uint16)(at))
	case 4:
		s.out.buf = binary.LittleEndian.AppendUint32(s.out.buf, *(*uint32)(at))
	default:
		s.out.buf = binary.LittleEndian.AppendUint64(s.out.buf, *(*uint64)(at))
	}
}

// putAll appends numbers.
func putAll[T Number](s *Section, values []T) {
	b := bytesOf(values)
	if size := int(unsafe.Sizeof(*new(T))); !littleEndian && size > 1 {
		b = swapped(b, size)
	}
	s.Bytes(b)
}

// Size returns the number of bytes appended so far.
func (s *Section) Size() int64 {
	if s.out == nil {
		return s.info.Length
	}
	return s.out.offset() - s.info.Offset
}

// open reports whether elements may still be appended. Appending to a section that has ended makes the whole file fail,
// because the bytes would go to another section.
func (s *Section) open() bool {
	if s.w.err != nil {
		return false
	}
	if s.late {
		s.w.startUpTo(s)
	}
	if s.out == nil {
		s.w.fail(&FormatError{s.w.path, s.info.Offset, "section " + s.info.Name + " has ended", ErrClosed})
		return false
	}
	return true
}

// sink is a buffered file that knows its offset and the checksums of the bytes since startSums.
type sink struct {
	f       io.WriteCloser
	buf     []byte // grows up to size, so that a small file takes little memory
	size    int
	written int64
	sums    sums
	summed  int // bytes of buf that sums covers already
}

// firstSize is the initial capacity of the buffer of a sink.
const firstSize = 4 << 10

func newSink(f io.WriteCloser, size int) *sink {
	return &sink{f: f, buf: make([]byte, 0, min(size, firstSize)), size: size}
}

func (k *sink) offset() int64 { return k.written + int64(len(k.buf)) }

func (k *sink) startSums() { k.sums, k.summed = sums{}, len(k.buf) }

func (k *sink) endSums() []byte {
	k.sum()
	return k.sums.end()
}

func (k *sink) sum() {
	k.sums.add(k.buf[k.summed:])
	k.summed = len(k.buf)
}

// sums collects the checksums of blocks.
type sums struct {
	done []byte // checksums of whole blocks
	crc  uint32 // checksum of the current block so far
	n    int    // bytes in the current block so far
}

func (s *sums) add(p []byte) {
	for len(p) > 0 {
		n := min(len(p), blockSize-s.n)
		s.crc = crc32.Update(s.crc, castagnoli, p[:n])
		if s.n += n; s.n == blockSize {
			s.end()
		}
		p = p[n:]
	}
}

// end ends the current block, if there is one, and returns all checksums.
func (s *sums) end() []byte {
	if s.n > 0 {
		s.done = binary.LittleEndian.AppendUint32(s.done, s.crc)
		s.crc, s.n = 0, 0
	}
	return s.done
}

// room makes room for n bytes; n must be much smaller than firstSize.
func (k *sink) room(n int) error {
	if len(k.buf)+n <= cap(k.buf) {
		return nil
	}
	return k.enlarge()
}

// enlarge makes room in a full buffer: it grows the buffer or, if that has its full size, writes it. After a failed
// write the buffer is empty, too.
func (k *sink) enlarge() error {
	if cap(k.buf) >= k.size {
		return k.flush()
	}
	k.buf = append(make([]byte, 0, min(k.size, 4*cap(k.buf))), k.buf...)
	return nil
}

func (k *sink) flush() error {
	k.sum()
	_, err := k.f.Write(k.buf)
	k.written += int64(len(k.buf))
	k.buf, k.summed = k.buf[:0], 0
	return err
}

// Write implements io.Writer for io.Copy.
func (k *sink) Write(p []byte) (int, error) {
	if err := k.write(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (k *sink) write(p []byte) error {
	for len(p) > 0 {
		n := copy(k.buf[len(k.buf):cap(k.buf)], p)
		k.buf, p = k.buf[:len(k.buf)+n], p[n:]
		if len(k.buf) == cap(k.buf) {
			if err := k.enlarge(); err != nil {
				return err
			}
		}
	}
	return nil
}
