package pipeline_test

import "testing"

// Bits are flipped in the other kinds of files.
func TestLongDamagedWhileStopped(t *testing.T) {
	damagedWhileStopped(t, func(i int) bool { return i%16 != 8 })
}

// Bits are flipped in files of other kinds.
func TestLongDamagedWhileBuilt(t *testing.T) { damagedWhileBuilt(t, 1, 8) }
