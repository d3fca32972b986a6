package shingles

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestEncodingRoundTrip(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := k.empty(), k.zero()
				a.AddAll(drawValues(t, "values"))
				data, err := a.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if err := b.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(a.Values(), b.Values()) {
					t.Fatalf("%v, want %v", b.Values(), a.Values())
				}
				more := drawValues(t, "more") // a sketch that was read can go on
				a.AddAll(more)
				b.AddAll(more)
				if !slices.Equal(a.Values(), b.Values()) {
					t.Fatalf("after more: %v, want %v", b.Values(), a.Values())
				}
				for cut := range data {
					if err := b.UnmarshalBinary(data[:cut]); !errors.Is(err, ErrEncoding) {
						t.Fatalf("%d of %d bytes: %v", cut, len(data), err)
					}
				}
				if !slices.Equal(a.Values(), b.Values()) {
					t.Fatal("a failed reading changed the sketch")
				}
			})
		})
	}
}

func TestGroupsRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		a, b := NewGroupedMinima(3, 4), new(GroupedMinima)
		a.AddAll(randomValues(1, 0, n))
		data, _ := a.MarshalBinary()
		if err := b.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		b.AddAll(randomValues(2, 0, 50))
		a.AddAll(randomValues(2, 0, 50))
		if !slices.Equal(a.Minima(), b.Minima()) {
			t.Errorf("%d values: minima differ", n)
		}
	}
}

func TestEncodingIsFixed(t *testing.T) {
	for _, c := range []struct {
		sketch interface {
			Sink
			encoding.BinaryMarshaler
		}
		want string
	}{
		{NewModSketch(5), "4d010506" + "0000000110f001"},
		{NewMinSketch(3), "6d010303" + "000404"},
		{NewTreeMinSketch(3), "6d010303" + "000404"},
		{NewMinModSketch(5, 2), "7801050202" + "0000"},
		{NewVarSketch(150), "56010107" + "04" + "0004048405"},
	} {
		c.sketch.AddAll([]uint64{5, 0, 20, 10, 1310, 15 * 7, 0})
		got, err := c.sketch.MarshalBinary()
		if err != nil || hex.EncodeToString(got) != c.want {
			t.Errorf("%T: %x, %v, want %s", c.sketch, got, err, c.want)
		}
	}
}

func TestHostileEncodings(t *testing.T) {
	for what, c := range map[string]struct {
		into encoding.BinaryUnmarshaler
		data string
	}{
		"nothing":                 {new(ModSketch), ""},
		"another kind":            {new(ModSketch), "m\x01\x05\x00"},
		"another version":         {new(ModSketch), "M\x02\x05\x00"},
		"m of 0":                  {new(ModSketch), "M\x01\x00\x00"},
		"no count":                {new(ModSketch), "M\x01\x05"},
		"more values than bytes":  {new(ModSketch), "M\x01\x05\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x00"},
		"bytes left over":         {new(ModSketch), "M\x01\x05\x01\x00\x00"},
		"a long zero":             {new(ModSketch), "M\x01\x05\x01\x80\x00"},
		"a number over 64 bits":   {new(ModSketch), "M\x01\x05\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"},
		"a multiple over 64 bits": {new(ModSketch), "M\x01\x05\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f"},
		"a sum over 64 bits":      {new(ModSketch), "M\x01\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"},
		"more than s":             {new(MinSketch), "m\x01\x01\x02\x00\x00"},
		"s of 0":                  {new(MinSketch), "m\x01\x00\x00"},
		"s without bound":         {new(TreeMinSketch), "m\x01\xff\xff\xff\xff\x7f\x00"},
		"level 64":                {new(VarSketch), "V\x01\x40\x00\x00"},
		"level too fine":          {new(VarSketch), "V\x01\x00\x64\x00"},
		"no groups":               {new(GroupedMinima), "G\x01\x00\x01\x00"},
		"too many minima":         {new(GroupedMinima), "G\x01\xff\xff\x03\x02\x00"},
		"some minima":             {new(GroupedMinima), "G\x01\x02\x01\x0112345678"},
		"minima cut short":        {new(GroupedMinima), "G\x01\x01\x01\x011234567"},
	} {
		if err := c.into.UnmarshalBinary([]byte(c.data)); !errors.Is(err, ErrEncoding) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, k := range kinds {
		s := k.empty()
		s.AddAll(randomValues(1, 0, 100))
		data, _ := s.MarshalBinary()
		f.Add(data)
	}
	g := NewGroupedMinima(2, 2)
	g.AddAll([]uint64{1, 2})
	data, _ := g.MarshalBinary()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range []interface {
			encoding.BinaryMarshaler
			encoding.BinaryUnmarshaler
			Sink
		}{new(ModSketch), new(MinSketch), new(TreeMinSketch), new(MinModSketch), new(VarSketch), new(GroupedMinima)} {
			if err := s.UnmarshalBinary(data); err != nil {
				continue
			}
			again, _ := s.MarshalBinary()
			if !bytes.Equal(data, again) {
				t.Fatalf("%T: %x became %x", s, data, again)
			}
			s.AddAll([]uint64{0, 1, 3600, ^uint64(0)}) // must not panic
		}
	})
}
