package run

import (
	"os"
	"runtime/metrics"
	"sync"
	"time"
)

// Peak is the most memory that a process used over some time, in bytes. It is sampled, so that what is allocated and freed
// within milliseconds can be missed.
type Peak struct {
	Anon int64 // anonymous memory: heap, stacks and buffers, which is what a memory limit is about
	File int64 // pages of mapped files that were in memory, which the kernel may drop at any time; 0 where it is not known
}

// samplingInterval is the time between two samples.
const samplingInterval = 10 * time.Millisecond

// sampler watches the memory of this process. It leaves the kernel's own peaks alone, since resetting them, as
// /proc/self/clear_refs allows, would make getrusage and time(1) report the peak of the last stage only.
type sampler struct {
	status *os.File // /proc/self/status
	buf    []byte
	peak   Peak

	stop  chan struct{}
	ended sync.WaitGroup
	once  sync.Once
}

// WatchMemory samples the memory of this process until the function that it returns is called, which returns the peak. That
// function may be called again and returns the same then.
func WatchMemory() (end func() Peak) {
	s := &sampler{stop: make(chan struct{})}
	s.ended.Go(func() {
		tick := time.NewTicker(samplingInterval)
		defer tick.Stop()
		for {
			s.sample()
			select {
			case <-tick.C:
			case <-s.stop:
				s.sample()
				s.status.Close()
				return
			}
		}
	})
	return func() Peak {
		s.once.Do(func() { close(s.stop) })
		s.ended.Wait()
		return s.peak
	}
}

func (s *sampler) sample() {
	anon, file := s.memoryInUse()
	s.peak.Anon, s.peak.File = max(s.peak.Anon, anon), max(s.peak.File, file)
}

// allocated is the memory that the Go runtime holds.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
