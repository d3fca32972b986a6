package mapped

import (
	"encoding/binary"
	"unsafe"
)

// number is what a section can be viewed as.
type number interface {
	~uint16 | ~uint32 | ~uint64 | ~float32
}

// littleEndian reports whether memory and file have the same byte order.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// U16 returns a section of 2-byte elements as uint16, without copying.
func (f *File) U16(name string) ([]uint16, error) { return view[uint16](f, name) }

// U32 returns a section of 4-byte elements as uint32, without copying.
func (f *File) U32(name string) ([]uint32, error) { return view[uint32](f, name) }

// U64 returns a section of 8-byte elements as uint64, without copying.
func (f *File) U64(name string) ([]uint64, error) { return view[uint64](f, name) }

// F32 returns a section of 4-byte elements as float32, without copying.
func (f *File) F32(name string) ([]float32, error) { return view[float32](f, name) }

// Bytes returns a section of any element size, without copying.
func (f *File) Bytes(name string) ([]byte, error) {
	s, err := f.Info(name)
	if err != nil {
		return nil, err
	}
	end := s.Offset + s.Length
	return f.data[s.Offset:end:end], nil
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

func view[T number](f *File, name string) ([]T, error) {
	b, err := f.Bytes(name)
	if err != nil {
		return nil, err
	}
	size := int(unsafe.Sizeof(*new(T)))
	if s, _ := f.Info(name); s.ElemSize != size {
		return nil, f.wrong(s.Offset, ErrElement, "section %q: %d bytes an element, not %d", name, s.ElemSize, size)
	}
	if len(b) == 0 {
		return nil, nil
	}
	if littleEndian { // sections start at multiples of 8, so the pointer is aligned
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size), nil
	}
	return swapped[T](b, size), nil
}

// swapped copies little-endian numbers into the order of a big-endian machine.
func swapped[T number](b []byte, size int) []T {
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
