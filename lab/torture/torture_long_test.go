package torture

import "testing"

// TestLongTorture makes more trials than TestTorture.
func TestLongTorture(t *testing.T) {
	b := newTestBench(t)
	for suite, trials := range map[string]int{
		"kills": 6, "interrupts": 2, "rivals": 2, "disks": 1, "flips": 30, "tears": 8, "finished": 16, "outputs": 26, "mutants": 25,
	} {
		t.Run(suite, func(t *testing.T) {
			b.sound(t, suite, options{trial: -1, trials: trials, jobs: 2})
		})
	}
}

// TestLongFakes tries commands that break a promise.
func TestLongFakes(t *testing.T) {
	b := newTestBench(t)
	for _, f := range fakes {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			b.foundOut(t, f)
		})
	}
}
