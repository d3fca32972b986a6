package score

import "testing"

// TestHalf: halves hold whole lists, together all of them, and are about equal over many lists.
func TestHalf(t *testing.T) {
	d, _, _ := random(1, 2000, 20)
	of := map[string]Half{}
	dev := 0
	for i := range d.Len() {
		h := d.Half(i)
		if before, ok := of[d.List(i)]; ok && before != h || h == All {
			t.Errorf("list %s is in halves %s and %s", d.List(i), before, h)
		}
		of[d.List(i)] = h
		if d.In(Dev)(i) == d.In(Test)(i) {
			t.Errorf("target %d is in both halves or in none", i)
		}
		if h == Dev {
			dev++
		}
	}
	if dev < d.Len()*2/5 || dev > d.Len()*3/5 {
		t.Errorf("%d of %d targets in the half for development", dev, d.Len())
	}
	// The split is fixed: figures of a half would change with it.
	if got := [3]Half{halfOf("Food/Fruit"), halfOf("Cars/Parts"), halfOf("Theory/Awesome Osint")}; got != [3]Half{Dev, Test, Dev} {
		t.Errorf("the halves have changed: %v", got)
	}
}
