package mapped

import (
	"fmt"
	"io"
	"unsafe"
)

// readFile reads the whole file path on systems without mapping. The memory is aligned to 8 bytes, as the views
// require.
func readFile(path string) ([]byte, func() error, error) {
	r, size, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	done := func() error { return nil }
	if size == 0 {
		return nil, done, nil
	}
	words := make([]uint64, (size+7)/8)
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	if n, err := io.ReadFull(r, data); err != nil {
		return nil, nil, fmt.Errorf("%s at byte %d: %w", path, n, err)
	}
	return data, done, nil
}
