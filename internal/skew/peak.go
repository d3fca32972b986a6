package skew

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Peak returns the largest memory, in bytes, that the objects of the process took while work ran, beyond what they took
// before. It makes the garbage collector run often, so that hardly any garbage is included. Nothing else may run at the
// same time.
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
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
