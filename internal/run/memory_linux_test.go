package run

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestStageLeavesKernelPeak checks that a stage does not reset the kernel's own peak, which getrusage and time(1)
// report.
func TestStageLeavesKernelPeak(t *testing.T) {
	peak := func() int64 {
		status, err := os.ReadFile("/proc/self/status")
		must(t, err)
		n, ok := statusField(status, "VmHWM:")
		if !ok {
			t.Fatal("no VmHWM in /proc/self/status")
		}
		return n
	}
	b := bytes.Repeat([]byte{1}, 64<<20)
	runtime.KeepAlive(b)
	before := peak()
	debug.FreeOSMemory()
	StartStage("first").Stats(0, 0, nil)
	if after := peak(); after < before-16<<20 { // the kernel's figures are off by a few pages for each processor
		t.Errorf("the peak was %d bytes, and is %d after a stage began", before, after)
	}
}
