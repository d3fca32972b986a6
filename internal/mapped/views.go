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

// U16 returns a section of 2-byte elements as uint16, without copying.
func (f *File) U16(name string) (Column[uint16], error) { return view[uint16](f, name) }

// U32 returns a section of 4-byte elements as uint32, without copying.
func (f *File) U32(name string) (Column[uint32], error) { return view[uint32](f, name) }

// U64 returns a section of 8-byte elements as uint64, without copying.
func (f *File) U64(name string) (Column[uint64], error) { return view[uint64](f, name) }

// F32 returns a section of 4-byte elements as float32, without copying.
func (f *File) F32(name string) (Column[float32], error) { return view[float32](f, name) }

// Bytes returns a section of any element size, without copying.
func (f *File) Bytes(name string) (Column[byte], error) {
	b, g, err := f.section(name)
	if err != nil || len(b) == 0 {
		return Column[byte]{}, err
	}
	return Column[byte]{b, g}, nil
}

// section returns the bytes of a section without checking them, and the guard that checks them.
func (f *File) section(name string) ([]byte, *guard, error) {
	s, err := f.Info(name)
	if err == nil {
		err = f.checkSums(s)
	}
	if err != nil {
		return nil, nil, err
	}
	end := s.Offset + s.Length
	return f.data[s.Offset:end:end], &f.guards[f.byName[name]], nil
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

func view[T Number](f *File, name string) (c Column[T], err error) {
	b, g, err := f.section(name)
	if err != nil {
		return c, err
	}
	size := int(unsafe.Sizeof(*new(T)))
	if g.info.ElemSize != size {
		return c, f.wrong(g.info.Offset, ErrElement, "section %q: elements of %d bytes, not %d", name, g.info.ElemSize, size)
	}
	if len(b) == 0 {
		return c, nil
	}
	if littleEndian { // sections begin at multiples of 8, so the pointer is aligned
		return Column[T]{unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size), g}, nil
	}
	return Column[T]{swapped[T](b, size), g}, nil
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
