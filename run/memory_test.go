package run

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A peak is found though the memory is given back before the end.
func TestWatchMemory(t *testing.T) {
	const size = 64 << 20
	end := WatchMemory()
	b := bytes.Repeat([]byte{1}, size)
	time.Sleep(5 * samplingInterval)
	runtime.KeepAlive(b)
	peak := end()
	if peak.Anon < size || peak.Anon > size+512<<20 {
		t.Errorf("peak of %d bytes of anonymous memory beside %d that were in use", peak.Anon, size)
	}
	if again := end(); again != peak {
		t.Errorf("%v, then %v", peak, again)
	}
}

// The kernel's own peak, which getrusage and time(1) report, is not reset by a stage.
func TestStageLeavesKernelPeak(t *testing.T) {
	peak := func() int64 {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Skip("no /proc here")
		}
		n, ok := statusLine(status, "VmHWM:")
		if !ok {
			t.Skip("no VmHWM in /proc/self/status")
		}
		return n
	}
	b := bytes.Repeat([]byte{1}, 64<<20)
	runtime.KeepAlive(b)
	before := peak()
	debug.FreeOSMemory()
	StartStage("first").Stats(0, 0, nil)
	if after := peak(); after < before-16<<20 { // the kernel's figures are exact to some pages of each processor
		t.Errorf("the peak was %d bytes, and is %d after a stage began", before, after)
	}
}

func statusLine(status []byte, name string) (n int64, ok bool) {
	_, rest, ok := bytes.Cut(status, []byte(name))
	for _, c := range bytes.TrimLeft(rest, " \t") {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int64(c-'0')
	}
	return n << 10, ok
}
