package run

import "time"

// Timer measures one stage. The stages of a process run one after the other, so
// the whole process is what is measured.
type Timer struct {
	name   string
	start  time.Time
	cpu    float64
	memory func() Peak
}

// StartStage begins to measure the stage name. Stats or Stop ends it.
func StartStage(name string) *Timer {
	return &Timer{name, time.Now(), cpuSeconds(), WatchMemory()}
}

// Stop ends the measuring of a stage that failed.
func (t *Timer) Stop() { t.memory() }

// Stats ends the measuring and returns what the stage took, with the counts that the caller
// knows.
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
