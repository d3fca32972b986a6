package mapped

import (
	"os"
	"path/filepath"
	"testing"
)

// Many numbers at once make the same file as one after another, also where a buffer ends between them.
func TestNumbers(t *testing.T) {
	const n = bufferSize/2 + 7
	write := func(name string, fill func(narrow, middle, wide *Section)) []byte {
		path := filepath.Join(t.TempDir(), name)
		w, err := Create(path, "numbers", 1)
		if err != nil {
			t.Fatal(err)
		}
		fill(w.Side("narrow", 2), w.Side("middle", 4), w.Section("wide", 8))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var narrow []uint16
	var middle []uint32
	var wide []uint64
	for i := range uint64(n) {
		v := i * 0x9e3779b97f4a7c15
		narrow, middle, wide = append(narrow, uint16(v)), append(middle, uint32(v)), append(wide, v)
	}
	one := write("one", func(a, b, c *Section) {
		for i := range n {
			a.U16(narrow[i])
			b.U32(middle[i])
			c.U64(wide[i])
		}
	})
	all := write("all", func(a, b, c *Section) {
		a.U16s(narrow[:3])
		a.U16s(narrow[3:])
		b.U32s(middle)
		c.U64s(wide[:1])
		c.U64s(wide[1:])
	})
	if string(one) != string(all) {
		t.Error("other bytes")
	}
}
