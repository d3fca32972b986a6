package mapped

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNumbers checks that writing many numbers at once makes the same file as writing them one by one, even if a
// buffer ends between them.
func TestNumbers(t *testing.T) {
	const n = bufferSize/2 + 7
	write := func(name string, fill func(odd, wide *Section)) []byte {
		path := filepath.Join(t.TempDir(), name)
		w := Create(path, "numbers", 1)
		fill(w.Side("odd", 2), w.Section("wide", 8))
		must(t, w.Close())
		data, err := os.ReadFile(path)
		must(t, err)
		return data
	}
	var wide []uint64
	for i := range uint64(n) {
		wide = append(wide, i*0x9e3779b97f4a7c15)
	}
	one := write("one", func(odd, c *Section) {
		put(odd, uint16(1))
		for _, x := range wide {
			c.U64(x)
		}
	})
	all := write("all", func(odd, c *Section) {
		put(odd, uint16(1))
		putAll(c, wide[:1])
		putAll(c, wide[1:])
	})
	if string(one) != string(all) {
		t.Error("other bytes")
	}
}
