package mappedtest

import (
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/mapped"
)

// A forged table is complete, and differs only by the change.
func TestForge(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	const n = 40_000 // three blocks
	w := mapped.Create(from, "forge", 3)
	names, s := w.Strings("names", ""), w.Section("s", 4)
	for i := range n {
		s.U32(uint32(i))
	}
	names.Add("x")
	w.Section("empty", 8)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	err := Forge(from, to, func(section string, b []byte) {
		if section == "s" {
			b[4*(n-1)] ^= 0xff
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := mapped.Open(to, "forge", 3)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := mapped.View[uint32](f, "s")
	if err != nil || f.Verify() != nil {
		t.Fatal(err, f.Verify())
	}
	if c.At(n-1) != (n-1)^0xff || c.At(n-2) != n-2 || c.Len() != n {
		t.Errorf("%d numbers, the last are %d and %d", c.Len(), c.At(n-2), c.At(n-1))
	}
	list, lengths, err := Sections(to)
	if err != nil || len(list) != 4 || list[0] != "s" || lengths[0] != 4*n {
		t.Errorf("%v %v %v", list, lengths, err)
	}
}
