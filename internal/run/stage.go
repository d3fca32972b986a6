package run

import "time"

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
