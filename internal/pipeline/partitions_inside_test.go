package pipeline

import (
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/run"
)

// TestPartitionsFor checks that the number of partitions grows with the inputs.
func TestPartitionsFor(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		bytes []int64
		want  int
	}{{nil, 4}, {[]int64{mib}, 4}, {[]int64{mib, 1}, 16}, {[]int64{64 * mib}, 16}, {[]int64{64 * mib, 1}, 64}, {[]int64{128 * mib, 128 * mib}, 64}, {[]int64{256*mib + 1}, 256}} {
		var inputs []run.Input
		for _, n := range c.bytes {
			inputs = append(inputs, run.Input{Path: "a", Bytes: n, Digest: "1"})
		}
		if got := partitionsFor(inputs); got != c.want {
			t.Errorf("%d bytes: %d partitions, want %d", c.bytes, got, c.want)
		}
	}
	if got := partitionsFor([]run.Input{{Path: "-"}}); got != 256 {
		t.Errorf("a stream: %d partitions, want 256", got)
	}
}

// TestPartitionsOfStopped checks that a run keeps the number of partitions with which it began.
func TestPartitionsOfStopped(t *testing.T) {
	inputs := []run.Input{{Path: "a", Bytes: 100 << 20, Digest: "1"}}
	for _, c := range []struct {
		recorded map[string]int64
		want     int
	}{{nil, 64}, {map[string]int64{"steps": 2, "partitions": 64}, 64}, {map[string]int64{"steps": 2, "partitions": 16}, 16}, {map[string]int64{"steps": 2}, 64}} {
		d, err := run.Create(filepath.Join(t.TempDir(), "run"), 1, inputs)
		if err != nil {
			t.Fatal(err)
		}
		if c.recorded != nil {
			if _, _, err := d.SetSizes(c.recorded, "read"); err != nil {
				t.Fatal(err)
			}
		}
		if got := partitionsOf(d); got != c.want {
			t.Errorf("%v: %d partitions, want %d", c.recorded, got, c.want)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
