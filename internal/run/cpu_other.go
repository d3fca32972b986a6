//go:build !unix

package run

// cpuSeconds returns 0, because this system does not report it.
func cpuSeconds() float64 { return 0 }
