//go:build !unix

package run

// cpuSeconds is not known here.
func cpuSeconds() float64 { return 0 }

// PeakRSS returns the peak of the process's resident memory in bytes; 0 where it
// is not known.
func PeakRSS() int64 { return 0 }

func resetPeakRSS() {}
