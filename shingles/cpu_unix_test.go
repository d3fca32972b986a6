//go:build unix

package shingles

import (
	"syscall"
	"time"
)

// cpuTime is the processor time of the process: what to divide by on a machine that others use too.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
