package run

import (
	"bytes"
	"runtime"
	"testing"
	"time"
)

// TestWatchMemory checks that the peak is found even if the memory is released before the end.
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
