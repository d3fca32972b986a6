package mapped

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// writeLong writes a file with a section of several blocks. The last block is short.
func writeLong(t testing.TB) (path string, n int) {
	path, n = filepath.Join(t.TempDir(), "long.lsh"), 3*blockSize/4+5
	w := Create(path, "long", 1)
	s, side := w.Section("s", 4), w.Side("side", 4)
	for i := range n {
		s.U32(uint32(i))
		side.U32(uint32(i))
	}
	must(t, w.Close())
	return path, n
}

// TestTouchedBlocks checks that a flipped bit does not matter to callers that do not touch its block, and that Err
// reports it to every caller that does, in whatever way, at once or after Close.
func TestTouchedBlocks(t *testing.T) {
	path, n := writeLong(t)
	good, err := os.ReadFile(path)
	must(t, err)
	for block := range 4 {
		for name, touch := range map[string]func(c Column[uint32], first, last int){
			"At":    func(c Column[uint32], first, _ int) { c.At(first) },
			"last":  func(c Column[uint32], _, last int) { c.At(last) },
			"Slice": func(c Column[uint32], _, last int) { c.Slice(last, last+1) },
			"part":  func(c Column[uint32], first, _ int) { c.Slice(max(0, first-1), first+1) },
			"All":   func(c Column[uint32], _, _ int) { c.All() },
		} {
			for _, section := range []string{"s", "side"} {
				f, c := openFlipped(t, path, good, section, block)
				for b := range 4 {
					if b != block {
						first, last := b*blockSize/4, min(n, (b+1)*blockSize/4)-1
						c.At(first)
						c.Slice(first, last+1)
					}
				}
				if err := f.Err(); err != nil {
					t.Errorf("block %d of %s was not touched: %v", block, section, err)
				}
				touch(c, block*blockSize/4, min(n, (block+1)*blockSize/4)-1)
				var e *FormatError
				if err := errors.Join(f.Close(), f.Err()); !errors.Is(err, ErrChecksum) || !errors.As(err, &e) || e.Offset%blockSize == 0 {
					t.Errorf("%s of block %d of %s: %v", name, block, section, err)
				}
			}
		}
	}
}

func openFlipped(t *testing.T, path string, good []byte, section string, block int) (*File, Column[uint32]) {
	t.Helper()
	f, err := Open(path, "long", 1)
	must(t, err)
	info, _ := f.Info(section)
	f.Close()
	bad := append([]byte(nil), good...)
	bad[info.Offset+int64(block)*blockSize+2] ^= 8
	name := filepath.Join(t.TempDir(), "bad.lsh")
	must(t, os.WriteFile(name, bad, 0o666))
	if f, err = Open(name, "long", 1); err != nil {
		t.Fatal(err)
	}
	c, err := View[uint32](f, section)
	must(t, err)
	return f, c
}

// TestTouchedAtOnce checks that several goroutines that touch blocks for the first time all read what is there.
func TestTouchedAtOnce(t *testing.T) {
	path, n := writeLong(t)
	f, err := Open(path, "long", 1)
	must(t, err)
	defer f.Close()
	c, err := View[uint32](f, "s")
	must(t, err)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := w; i < n; i += 1000 {
				if got := c.At(i); got != uint32(i) {
					t.Errorf("element %d is %d", i, got)
				}
			}
			if len(c.All()) != n {
				t.Error("not all")
			}
		})
	}
	wg.Wait()
	if err := errors.Join(f.Err(), f.Verify()); err != nil {
		t.Error(err)
	}
}

// TestReport checks that Err returns the first error that a caller reports.
func TestReport(t *testing.T) {
	path, _ := writeLong(t)
	f, err := Open(path, "long", 1)
	must(t, err)
	f.Report("s", 2, "node %d of %d", 7, 5)
	f.Report("s", 3, "another")
	want := path + ` at byte 32: section "s": node 7 of 5: number out of range`
	if err := errors.Join(f.Close(), f.Err()); !errors.Is(err, ErrIndex) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}
