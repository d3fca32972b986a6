//go:build !unix

package run

// cpuSeconds returns 0, since this system does not tell.
func cpuSeconds() float64 { return 0 }
