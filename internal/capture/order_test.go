package capture

import (
	"bytes"
	"cmp"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"pgregory.net/rapid"
)

// Numbers of records stay within those of their input: the last one that fits is accepted, one more is refused.
func TestNumberRecords(t *testing.T) {
	const most = 1 << placeBits
	for _, c := range []struct {
		nth, n uint64
		ok     bool
	}{{0, 1, true}, {most - 1, 1, true}, {most - 8, 8, true}, {most - 8, 9, false}, {most, 1, false}, {1<<64 - 1, 2, false}, {0, 1<<64 - 1, false}} {
		got, err := NumberRecords(3, c.nth, c.n)
		if (err == nil) != c.ok {
			t.Errorf("%d records from %d on: %v", c.n, c.nth, err)
		}
		if err == nil && (got.Input() != 3 || (got+Number(c.n)-1).Input() != 3) {
			t.Errorf("%d records from %d on are of inputs %d to %d", c.n, c.nth, got.Input(), (got + Number(c.n) - 1).Input())
		}
	}
}

// Encoded orders sort as Compare does, and decode to the original.
func TestOrderEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millis := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-1<<60, 1<<60))
		draw := func(name string) Order {
			o := Order{millis.Draw(t, name+" millis"), Number(rapid.Uint64Range(0, 1<<62).Draw(t, name+" record"))}
			if rapid.Bool().Draw(t, name+" rendered") {
				o = o.OfRendered(rapid.SampledFrom([]crawl.Rendering{record.RenderedLoaded, record.RenderedFinal}).Draw(t, name+" at"))
			}
			return o
		}
		a, b := draw("a"), draw("b")
		if got := DecodeOrder(a.Append(nil)); got != a {
			t.Fatalf("%v decodes to %v", a, got)
		}
		if got, want := bytes.Compare(a.Append(nil), b.Append(nil)), a.Compare(b); got != want {
			t.Fatalf("%v and %v: bytes compare %d, orders %d", a, b, got, want)
		}
	})
}

// The newest capture wins, then the last one in the inputs; rendered text never wins.
func TestOrderCompare(t *testing.T) {
	ascending := []Order{{2000, 1}, {1000, 7}, {1000, 3}, {0, 9}, Order{2000, 8}.OfRendered(record.RenderedFinal), Order{3000, 8}.OfRendered(record.RenderedLoaded), Order{0, 99}.OfRendered(record.RenderedLoaded)}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := a.Compare(b); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v compare %d", a, b, got)
			}
		}
	}
}
