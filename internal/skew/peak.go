package skew

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Peak returns the largest memory, in bytes, that the objects of the process took while work ran, beyond what they took
// before, as the garbage collector finds it, which runs often. Nothing else may run at the same time. Garbage does not
// count: how much there is also depends on how busy the machine is.
func Peak(work func()) int64 {
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
