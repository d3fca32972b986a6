package scratch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGrow(t *testing.T) {
	dir := t.TempDir()
	pool := New(dir, minShare).Pool()
	var numbers []uint64
	var bytes []byte
	for i := range 300_000 {
		numbers = Append(pool, numbers, uint64(i))
		bytes = Append(pool, bytes, byte(i))
	}
	for i := range numbers {
		if numbers[i] != uint64(i) || bytes[i] != byte(i) {
			t.Fatalf("element %d is %d and %d", i, numbers[i], bytes[i])
		}
	}
	if !pool.Large() {
		t.Error("no file beyond the share")
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files have names", len(left))
	}
	if pool.Free(); pool.Large() {
		t.Error("not freed")
	}
}

func TestSmallIsMemory(t *testing.T) {
	pool := New(filepath.Join(t.TempDir(), "none"), 1<<20).Pool()
	if Grow(pool, []byte(nil), 1<<20); pool.Large() {
		t.Error("a file within the share")
	}
	b := Grow(pool, []byte(nil), 1<<20+1) // the directory does not exist
	if cap(b) <= 1<<20 || pool.Large() {
		t.Errorf("room for %d, file %v", cap(b), pool.Large())
	}
	var none *Pool
	if b := Grow(none, []byte(nil), 1<<21); cap(b) < 1<<21 || none.Large() {
		t.Error("no pool gives no memory")
	}
	none.Free()
}
