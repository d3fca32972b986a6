package rice

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func padded(b []byte) []byte { return append(b, make([]byte, Padding)...) }

// TestCodes checks that numbers of any size are read as they were written, one after another.
func TestCodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(0, Most).Draw(t, "k")
		values := rapid.SliceOf(rapid.Custom(func(t *rapid.T) uint64 {
			v := rapid.Uint64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift")
			return v & (1<<min(k+9, 63) - 1)
		})).Draw(t, "values")
		var w Writer
		for i, v := range values {
			w.Bits(v>>8, Most)
			w.Gamma(v>>8 + 1)
			w.Codes(values[i:], k)
		}
		w.End()
		r := Read(padded(w.Bytes))
		for i, v := range values {
			if got := r.Bits(Most); got != v>>8 {
				t.Fatalf("bits of %d: %d", v>>8, got)
			}
			if got := r.Gamma(); got != v>>8+1 {
				t.Fatalf("gamma code of %d: %d", v>>8+1, got)
			}
			got := make([]uint64, len(values)-i)
			if Codes(&r, got, k); !slices.Equal(got, values[i:]) {
				t.Fatalf("codes of %d: %d", values[i:], got)
			}
		}
		if r.Bad() || (r.at+7)/8 != len(w.Bytes) {
			t.Fatal("the codes do not end where they should")
		}
	})
}

// TestAscending checks that ascending numbers of any size are read as they were written, and that what follows them is
// found.
func TestAscending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := uint64(1)<<rapid.IntRange(1, 63).Draw(t, "bits") - 1
		values := rapid.SliceOfNDistinct(rapid.Uint64Range(0, most*2+1), 0, 50, rapid.ID).Draw(t, "values")
		slices.Sort(values)
		packed := append(AppendAscending(nil, values), 7, 8)
		got, rest, ok := Ascending([]uint64{1}, padded(packed))
		if !ok || !slices.Equal(got[1:], values) || len(rest) != 2+Padding || rest[0] != 7 {
			t.Fatalf("%v, %d bytes left, %v; want %v", got, len(rest), ok, values)
		}
		for n := range len(packed) - 2 {
			if len(values) == 0 {
				break
			}
			if got, _, ok := Ascending[uint64](nil, padded(packed[:n])); ok && slices.Equal(got, values) {
				t.Fatalf("%d of %d bytes hold all of %v", n, len(packed)-2, values)
			}
		}
	})
}

// TestParameter checks that no parameter gives shorter codes.
func TestParameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Uint64Range(0, 1<<rapid.IntRange(1, 60).Draw(t, "bits")), 1, 40).Draw(t, "values")
		k := parameter(values)
		for other := range Most + 1 {
			if size(values, other) < size(values, k) {
				t.Fatalf("%v: %d bits with parameter %d, %d with %d", values, size(values, k), k, size(values, other), other)
			}
		}
	})
}

// FuzzAscending checks that any bytes are read without a panic, and that what is read is in order.
func FuzzAscending(f *testing.F) {
	f.Add(AppendAscending(nil, []uint64{3, 9, 1 << 40}))
	f.Add(binary.AppendUvarint(nil, 1<<40))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, _, ok := Ascending[uint32](nil, padded(data))
		if ok && !slices.IsSorted(values) {
			t.Fatal(values)
		}
		r := Read(data)
		for !r.Bad() {
			_ = r.Gamma()
			Codes(&r, make([]uint16, 3), 3)
		}
	})
}

// BenchmarkAscending reads lists of a hundred numbers below a million.
func BenchmarkAscending(b *testing.B) {
	var values []uint64
	for i := range uint64(100) {
		values = append(values, i*10_000+i*i*7919%10_000)
	}
	packed := padded(AppendAscending(nil, values))
	var got []uint32
	for b.Loop() {
		got, _, _ = Ascending(got[:0], packed)
	}
	b.ReportMetric(float64(b.N*len(values))/b.Elapsed().Seconds()/1e6, "M/s")
}

// BenchmarkList reads lists of a hundred numbers like the counts of a bag.
func BenchmarkList(b *testing.B) {
	var w Writer
	values := make([]uint64, 100)
	for i := range values {
		values[i] = uint64(i * i % 7 / 4)
	}
	w.List(values)
	packed, got := padded(w.Bytes), make([]uint16, len(values))
	for b.Loop() {
		List(got, packed)
	}
	b.ReportMetric(float64(b.N*len(values))/b.Elapsed().Seconds()/1e6, "M/s")
}
