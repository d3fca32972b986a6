package capture

import "testing"

// Numbers of records stay within those of their input: the last one that fits does, one more is refused.
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
