package scratch

import "testing"

func TestHarsh(t *testing.T) {
	defer Harsh(4)()
	pool := New(t.TempDir(), 1<<20).Pool()
	kept := Append(pool, []uint64(nil), 1)
	if !pool.Large() {
		t.Fatal("eight bytes are no block")
	}
	if pool.Free(); kept[0] == 1 {
		t.Error("what was given back can be read")
	}
}
