// Package peak is for tests of limits on memory.
package peak

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Of returns the largest memory, in bytes, that the objects of the process took while work ran, beyond what they took
// before. It measures by running the garbage collector often. Nothing else may run at the same time. Garbage does not
// count, because its amount also depends on how busy the machine is.
func Of(work func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := objects()
	done, most := make(chan struct{}), make(chan int64)
	go func() {
		peak := before
		for {
			select {
			case <-done:
				most <- peak
				return
			case <-time.After(time.Millisecond):
				peak = max(peak, objects())
			}
		}
	}()
	work()
	close(done)
	return <-most - before
}

func objects() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// Page returns the HTML of a page of about size bytes that links to as many targets as possible: links take the most memory
// for their bytes.
func Page(size int) []byte {
	b := []byte("<p>")
	for i := 0; len(b) < size; i++ {
		b = fmt.Appendf(b, "<a href=%x>x</a>", i)
	}
	return b
}
