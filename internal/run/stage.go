package run

import (
	"os"
	"runtime/metrics"
	"sync"
	"time"
)

// Timer measures one stage. It measures the whole process, because stages run one after the other.
type Timer struct {
	name   string
	start  time.Time
	cpu    float64
	memory func() Peak
}

// StartStage starts to measure the named stage. Call Stats or Stop to end it.
func StartStage(name string) *Timer {
	return &Timer{name, time.Now(), cpuSeconds(), WatchMemory()}
}

// Stop ends the measurement of a stage that failed.
func (t *Timer) Stop() { t.memory() }

// Stats ends the measurement and returns the cost of the stage, with the counts of the caller.
func (t *Timer) Stats(in, out int64, dropped map[string]int64) StageStats {
	peak := t.memory()
	return StageStats{
		Name: t.name, In: in, Out: out, Dropped: dropped,
		WallSeconds: time.Since(t.start).Seconds(),
		CPUSeconds:  cpuSeconds() - t.cpu,
		PeakAnon:    peak.Anon,
		PeakFile:    peak.File,
		Finished:    time.Now().UTC(),
	}
}

// Peak is the largest amount of memory, in bytes, that a process used during some time. Memory is sampled, so it may
// miss allocations that live for a few milliseconds.
type Peak struct {
	Anon int64 // anonymous memory: heap, stacks and buffers; this is what a memory limit applies to
	File int64 // pages of mapped files in memory, which the kernel may drop at any time; 0 if unknown
}

// samplingInterval is the time between two samples.
const samplingInterval = 10 * time.Millisecond

// sampler watches the memory of this process. It does not reset the kernel's own peaks through /proc/self/clear_refs,
// because getrusage and time(1) would then report only the peak of the last stage.
type sampler struct {
	status *os.File // /proc/self/status
	buf    []byte
	peak   Peak
}

// WatchMemory starts to sample the memory of this process. The returned function stops sampling and returns the peak;
// later calls return the same peak.
func WatchMemory() (end func() Peak) {
	s, stop := &sampler{}, make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(samplingInterval)
		defer tick.Stop()
		for {
			s.sample()
			select {
			case <-tick.C:
			case <-stop:
				s.sample()
				s.status.Close()
				return
			}
		}
	})
	return sync.OnceValue(func() Peak {
		close(stop)
		ended.Wait()
		return s.peak
	})
}

func (s *sampler) sample() {
	anon, file := s.memoryInUse()
	s.peak.Anon, s.peak.File = max(s.peak.Anon, anon), max(s.peak.File, file)
}

// allocated returns the memory that the Go runtime holds.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
