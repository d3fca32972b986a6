package mapped

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// fullDisk accepts a number of bytes and then fails.
type fullDisk struct {
	*os.File
	left *int
}

func (f fullDisk) Write(b []byte) (int, error) {
	if *f.left -= len(b); *f.left < 0 {
		return 0, syscall.ENOSPC
	}
	return f.File.Write(b)
}

func TestDiskFull(t *testing.T) {
	for _, left := range []int{0, 1 << 20, 2 << 20, 3 << 20, 5<<20 + 50} {
		dir := t.TempDir()
		create := func(path string) (io.WriteCloser, error) {
			f, err := os.Create(path)
			return fullDisk{f, &left}, err
		}
		w := newWriter(filepath.Join(dir, "x"), "kind", 1, create)
		side, s := w.Side("side", 8), w.Section("s", 8)
		for i := range uint64(1 << 18) { // 2 MiB in each: 2 + 2 for the copy of the side file
			s.U64(i)
			side.U64(i)
		}
		if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes left: %v", left, err)
		}
		if list, _ := os.ReadDir(dir); len(list) > 0 {
			t.Errorf("left behind %v", list)
		}
	}
}
