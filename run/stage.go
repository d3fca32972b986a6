package run

import "time"

// Timer measures one stage. The stages of a process run one after the other, so
// the whole process is what is measured.
type Timer struct {
	name  string
	start time.Time
	cpu   float64
}

// StartStage begins to measure the stage name and, where the system allows it,
// resets the peak of the process's memory.
func StartStage(name string) *Timer {
	resetPeakRSS()
	return &Timer{name, time.Now(), cpuSeconds()}
}

// Stats returns what the stage took so far, with the counts that the caller
// knows.
func (t *Timer) Stats(in, out int64, dropped map[string]int64) StageStats {
	return StageStats{
		Name: t.name, In: in, Out: out, Dropped: dropped,
		WallSeconds: time.Since(t.start).Seconds(),
		CPUSeconds:  cpuSeconds() - t.cpu,
		PeakRSS:     PeakRSS(),
		Finished:    time.Now().UTC(),
	}
}
