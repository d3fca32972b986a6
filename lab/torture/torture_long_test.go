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
