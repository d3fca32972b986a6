package mapped

import (
	"encoding/binary"
	"unsafe"
)

// Number is an element type of a section.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32
}

// littleEndian reports whether memory has the byte order of the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// View returns a section of elements of the size of T, without copying. A section of any element size can be viewed as
// bytes.
func View[T Number](f *File, name string) (c Column[T], err error) {
	s, err := f.Info(name)
	if err == nil {
		err = f.checkSums(s)
	}
	if err != nil {
		return c, err
	}
	size := int(unsafe.Sizeof(*new(T)))
	if s.ElemSize != size && size > 1 {
		return c, f.wrong(s.Offset, ErrElement, "section %q: elements of %d bytes, not %d", name, s.ElemSize, size)
	}
	b := f.data[s.Offset : s.Offset+s.Length : s.Offset+s.Length]
	switch {
	case len(b) == 0:
		return c, nil
	case littleEndian || size == 1: // sections begin at multiples of 8, so the pointer is aligned
		c.data = unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size)
	default:
		c.data = swapped[T](b, size)
	}
	c.guard = &f.guards[f.byName[name]]
	return c, nil
}

// Info returns the description of a section, or an error that wraps ErrNoSection.
func (f *File) Info(name string) (Info, error) {
	if f.unmap == nil {
		return Info{}, f.wrong(0, ErrClosed, "section %q", name)
	}
	i, ok := f.byName[name]
	if !ok {
		return Info{}, f.wrong(0, ErrNoSection, "section %q", name)
	}
	return f.sections[i], nil
}

// swapped copies little-endian numbers in the byte order of a big-endian machine.
func swapped[T Number](b []byte, size int) []T {
	out := make([]T, len(b)/size)
	for i := range out {
		p := unsafe.Pointer(&out[i])
		switch size {
		case 2:
			*(*uint16)(p) = binary.LittleEndian.Uint16(b[i*2:])
		case 4:
			*(*uint32)(p) = binary.LittleEndian.Uint32(b[i*4:])
		default:
			*(*uint64)(p) = binary.LittleEndian.Uint64(b[i*8:])
		}
	}
	return out
}
