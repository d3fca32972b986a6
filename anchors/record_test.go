package anchors

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
	"pgregory.net/rapid"
)

var drawBytes = rapid.SliceOfN(rapid.Byte(), 0, 20)

func drawTerms(t *rapid.T) []bags.Weighted {
	var terms []bags.Weighted
	for _, x := range rapid.SliceOfN(rapid.Uint64(), 0, 8).Draw(t, "terms") {
		terms = append(terms, bags.Weighted{Term: bags.Term(x), Weight: rapid.Uint64().Draw(t, "weight")})
	}
	return terms
}

func drawRecord(t *rapid.T) Record {
	u64 := rapid.Uint64()
	r := Record{
		TargetHash: u64.Draw(t, "target hash"), Kind: rapid.SampledFrom([]Kind{OfPage, OfLink}).Draw(t, "kind"),
		Capture: u64.Draw(t, "capture"), Source: u64.Draw(t, "source"), Host: u64.Draw(t, "host"),
		Target: drawBytes.Draw(t, "target"), Before: drawBytes.Draw(t, "before"), Anchor: drawBytes.Draw(t, "anchor"),
		After: drawBytes.Draw(t, "after"), Terms: drawTerms(t),
	}
	if r.Kind == OfPage {
		r.Page = Page{
			Title: drawBytes.Draw(t, "title"), Time: rapid.Int64().Draw(t, "time"), Digest: u64.Draw(t, "digest"),
			Tokens: u64.Draw(t, "tokens"), Bytes: u64.Draw(t, "bytes"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "likely") {
			r.Likely = append(r.Likely, Likely{rapid.Uint8().Draw(t, "language"), drawTerms(t), drawTerms(t)})
		}
	}
	return r
}

func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []Record
		var bucket []byte
		for range rapid.IntRange(1, 4).Draw(t, "records") {
			r := drawRecord(t)
			want, bucket = append(want, r), r.Append(bucket)
		}
		var got []Record
		for {
			body, rest, err := codec.Next(bucket)
			if err != nil {
				t.Fatal(err)
			}
			if body == nil {
				break
			}
			r := Record{Page: Page{Tokens: 7}} // of the previous record
			if err := r.Decode(body); err != nil {
				t.Fatal(err)
			}
			if TargetHash(body) != r.TargetHash {
				t.Fatalf("hash %x, decoded %x", TargetHash(body), r.TargetHash)
			}
			got, bucket = append(got, r), rest
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

// TestCutRecord: a record cut off anywhere is an error, and nothing is read after an error.
func TestCutRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord(t)
		whole := r.Append(nil)
		n := rapid.IntRange(1, len(whole)-1).Draw(t, "length")
		if _, _, err := codec.Next(whole[:n]); !errors.Is(err, ErrRecord) {
			t.Fatalf("%d of %d bytes: error %v", n, len(whole), err)
		}
		body, _, _ := codec.Next(whole)
		n = rapid.IntRange(0, len(body)-1).Draw(t, "of the body")
		if err := new(Record).Decode(body[:n]); !errors.Is(err, ErrRecord) {
			t.Fatalf("%d of %d bytes of the body: error %v", n, len(body), err)
		}
		d := codec.Decoder{B: body, Err: ErrRecord}
		if d.U8() != 0 || d.U64() != 0 || d.Uvarint() != 0 || d.Bytes() != nil {
			t.Fatalf("something was read after an error: %+v", d)
		}
	})
}

// FuzzGroups: hostile bytes cause no panic, and a record that can be read survives a round trip.
func FuzzGroups(f *testing.F) {
	page := Record{Kind: OfPage, TargetHash: 1, Target: []byte("x"), Terms: []bags.Weighted{{Term: 1, Weight: 2}, {Term: 3, Weight: 400}}, Page: Page{Title: []byte("t"), Tokens: 300}}
	link := Record{Kind: OfLink, TargetHash: 1, Source: 5, Target: []byte("x"), Before: []byte("b"), Anchor: []byte("a")}
	f.Add(link.Append(page.Append(nil)))
	f.Add(append([]byte{34}, make([]byte, 34)...))
	f.Add(append([]byte{40}, "\xff\xff\xff\xff\xff\xff\xff\xff\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"...))
	f.Fuzz(func(t *testing.T, bucket []byte) {
		err := Grouping{Superseded: func(c uint64) bool { return c == 3 }, Redirected: func(h uint64, _ []byte) bool { return h == 7 }}.Groups(bucket, func(g *Group) error {
			if len(g.Evidence) > MaxEvidence || g.InHosts > g.InLinks {
				t.Fatalf("%d quotes, %d hosts of %d links", len(g.Evidence), g.InHosts, g.InLinks)
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrRecord) {
			t.Fatalf("error %v", err)
		}
		var r, again Record
		body, _, err := codec.Next(bucket)
		if err != nil || body == nil || r.Decode(body) != nil {
			return
		}
		body, rest, err := codec.Next(r.Append(nil))
		if err := errors.Join(err, again.Decode(body)); err != nil || len(rest) > 0 {
			t.Fatalf("%+v: error %v, %d bytes left", r, err, len(rest))
		}
		if d := cmp.Diff(r, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}
