package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fullDisk accepts a number of bytes and then fails. It can also fail to sync.
type fullDisk struct {
	f    *os.File // not embedded: its ReadFrom would bypass Write
	left *int
	sync error
}

func (f fullDisk) Write(b []byte) (int, error) {
	if *f.left -= len(b); *f.left < 0 {
		return 0, syscall.ENOSPC
	}
	return f.f.Write(b)
}

func (f fullDisk) Close() error { return f.f.Close() }

func (f fullDisk) Sync() error { return errors.Join(f.sync, f.f.Sync()) }

// onDisk returns a function that creates files that fail after a number of bytes together, or when they are synced.
func onDisk(left int, sync error) func(path string) (file, error) {
	return func(path string) (file, error) {
		f, err := os.Create(path)
		return fullDisk{f, &left, sync}, err
	}
}

func TestDiskFullState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	buildPages(t, d)
	d.create = onDisk(10, nil)
	if err := d.Finish("more", StageStats{}); !errors.Is(err, syscall.ENOSPC) || d.Done("more") {
		t.Errorf("Finish on a full disk: %v", err)
	}
	if err := d.Publish(t.Context(), new(Manifest)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Publish on a full disk: %v", err)
	}
	d.Close()
	if _, err := Open(path); !errors.Is(err, ErrUnfinished) {
		t.Errorf("half published: %v", err)
	}
	if diff := cmp.Diff([]string{"state.json"}, names(t, filepath.Join(path, "work"))); diff != "" {
		t.Error(diff)
	}
}

// TestUnsyncedState checks that a stage that was not synced is not done.
func TestUnsyncedState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	defer d.Close()
	buildPages(t, d)
	d.create = onDisk(1<<40, syscall.EIO)
	if err := d.Finish("more", StageStats{}); !errors.Is(err, syscall.EIO) || d.Done("more") {
		t.Errorf("Finish: %v", err)
	}
	if err := d.Publish(t.Context(), new(Manifest)); !errors.Is(err, syscall.EIO) {
		t.Errorf("Publish: %v", err)
	}
	if _, err := Open(path); !errors.Is(err, ErrUnfinished) {
		t.Errorf("half published: %v", err)
	}
}

func TestDiskFullTable(t *testing.T) {
	rows := pairRows(rowGroupRows / 2)
	for _, left := range []int{0, 1000, 2 << 20} {
		dir := t.TempDir()
		w, err := createTable[TopicalPairRow](filepath.Join(dir, "x.parquet"), onDisk(left, nil))
		must(t, err)
		for range 4 {
			if err := w.Write(rows...); err != nil {
				break
			}
		}
		if err := w.Close(); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "x.parquet") {
			t.Errorf("error is %v", err)
		}
		if n := names(t, dir); len(n) > 0 {
			t.Errorf("left behind: %v", n)
		}
	}
}
