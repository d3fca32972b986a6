package mapped

import (
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// writeOffsets writes a file with one list of offsets.
func writeOffsets(t testing.TB, values []uint64) string {
	path := filepath.Join(t.TempDir(), "o.lsh")
	w := Create(path, "offsets", 1)
	o := w.Offsets("o")
	for _, v := range values {
		o.U64(v)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOffsetsLaw checks that any numbers are read as they were written.
func TestOffsetsLaw(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		step := rapid.SampledFrom([]uint64{0, 1, 3, 300, 70_000, 1 << 33, math.MaxUint64}).Draw(r, "step")
		values := make([]uint64, rapid.IntRange(0, 200).Draw(r, "n"))
		last := rapid.Uint64().Draw(r, "first")
		for i := range values {
			values[i] = last
			last += rapid.Uint64Range(0, step).Draw(r, "gap")
		}
		f, err := Open(writeOffsets(t, values), "offsets", 1)
		if err != nil {
			r.Fatal(err)
		}
		defer f.Close()
		o, err := f.Offsets("o")
		if err != nil || o.Len() != len(values) || o.At(-1) != 0 || o.At(len(values)) != 0 {
			r.Fatal(err, o.Len())
		}
		for i, v := range values {
			if o.At(i) != v {
				r.Fatalf("offset %d is %d, not %d", i, o.At(i), v)
			}
			from, to := o.Range(i)
			if last := i == len(values)-1; !last && (from != v || to != values[i+1]) || last && (from != 0 || to != 0) {
				r.Fatalf("offsets from %d on are %d and %d", i, from, to)
			}
		}
	})
}

// TestOffsetsAreSmall checks how many bytes lists take.
func TestOffsetsAreSmall(t *testing.T) {
	for _, c := range []struct {
		step uint64
		want int64 // of the differences of 640 offsets
	}{{0, 0}, {4, 640}, {1000, 1280}, {10_000, 2560}, {1 << 40, 5120}} {
		values := make([]uint64, 640)
		for i := range values {
			values[i] = uint64(i) * c.step
		}
		f, err := Open(writeOffsets(t, values), "offsets", 1)
		if err != nil {
			t.Fatal(err)
		}
		low, err := f.Info("o.low")
		if err != nil || low.Length != c.want {
			t.Errorf("steps of %d: %d bytes, not %d (%v)", c.step, low.Length, c.want, err)
		}
		if head, err := f.Info("o"); err != nil || head.Length != 8*(2*10+1) {
			t.Errorf("steps of %d: head of %d bytes (%v)", c.step, head.Length, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForgedOffsets checks that wrong places, widths and numbers, which a checksum would have caught, are reported.
func TestForgedOffsets(t *testing.T) {
	for name, head := range map[string][]uint64{
		"number":     {7, 1, 129},
		"no number":  {},
		"block":      {7, 1},
		"far number": {7, 1, math.MaxUint64},
		"place":      {7, 5<<8 | 1, 3},
		"far place":  {7, math.MaxUint64&^0xff | 1, 3},
		"width":      {7, 3, 3},
		"wide":       {7, 255, 3},
	} {
		path := filepath.Join(t.TempDir(), "o.lsh")
		w := Create(path, "offsets", 1)
		s := w.Section("o", 8)
		for _, x := range head {
			s.U64(x)
		}
		w.Section("o.low", 1).Bytes([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:6])
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, "offsets", 1)
		if err != nil {
			t.Fatal(err)
		}
		o, err := f.Offsets("o")
		for i := range o.Len() {
			o.At(i)
		}
		if err == nil && f.Err() == nil {
			t.Errorf("%s: no error", name)
		}
		f.Close()
	}
}
