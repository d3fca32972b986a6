package extsort

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// fullDisk is a file that fails after a number of bytes.
type fullDisk struct {
	*os.File
	left *atomic.Int64
}

func (f fullDisk) WriteAt(b []byte, at int64) (int, error) {
	if f.left.Add(-int64(len(b))) < 0 {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, syscall.ENOSPC
	}
	return f.File.WriteAt(b, at)
}

func TestDiskFull(t *testing.T) {
	checkGoroutines(t)
	b := randomRecords(400_000, 12, 7)
	for _, left := range []int64{0, 100_000, 1 << 20, 5 << 20} { // the last fails while merging
		dir := t.TempDir()
		var space atomic.Int64
		space.Store(left)
		_, _, err := sortWith(Config{Size: 12, Memory: 1 << 20, Workers: 2, Dir: dir}, func(s *Sorter) error {
			s.layout.buffer = s.layout.round(48 << 10)
			s.layout.block = s.layout.round(32 << 10) // few blocks, so that merges go to files
			s.create = func(dir string) (spillFile, error) {
				f, err := os.CreateTemp(dir, "full")
				return fullDisk{f, &space}, err
			}
			return appendAll(s, b, 1)
		})
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%d bytes: error is %v", left, err)
		}
		if list, _ := os.ReadDir(dir); len(list) > 0 {
			t.Errorf("%d bytes: left behind %v", left, list)
		}
	}
}

func TestCannotCreate(t *testing.T) {
	b := randomRecords(400_000, 12, 8)
	_, _, err := sortAll(Config{Size: 12, Memory: 1 << 20, Dir: filepath.Join(t.TempDir(), "missing")}, b, 2)
	if !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestDamage changes or cuts the spill file between writing and reading.
func TestDamage(t *testing.T) {
	checkGoroutines(t)
	b := randomRecords(300_000, 12, 9)
	for name, damage := range map[string]func(path string, size int64) error{
		"flip": func(path string, size int64) error {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			one := make([]byte, 1)
			if _, err := f.ReadAt(one, size/2); err != nil {
				return err
			}
			one[0] ^= 4
			_, err = f.WriteAt(one, size/2)
			return err
		},
		"cut": func(path string, size int64) error { return os.Truncate(path, size-100) },
	} {
		s, _ := New(Config{Size: 12, Memory: 1 << 20, Dir: t.TempDir()})
		if err := appendAll(s, b, 1); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		for s.busy > 0 {
			s.changed.Wait()
		}
		path, size := s.files[0].f.Name(), s.files[0].size
		s.mu.Unlock()
		if err := damage(path, size); err != nil {
			t.Fatal(err)
		}
		err := s.Each(t.Context(), func([]byte) error { return nil })
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}

// TestOrderAsserted: a run that is out of order is detected although its checksum is right.
func TestOrderAsserted(t *testing.T) {
	k, _ := kernelFor(12)
	for _, records := range []string{"bbbbbbbbbbbbaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbba"} { // the second pair differs after the prefix
		m := k.merger([]source{{rest: []byte(records)}}, 0)
		if _, err := m.fill(make([]byte, 24)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", records, err)
		}
	}
}
