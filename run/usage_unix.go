//go:build unix

package run

import (
	"bytes"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// cpuSeconds returns user and system time of the process.
func cpuSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// PeakRSS returns the peak of the process's resident memory in bytes: VmHWM of
// /proc/self/status, else getrusage, else 0.
func PeakRSS() int64 {
	if b, err := os.ReadFile("/proc/self/status"); err == nil {
		if n, ok := parseVMHWM(b); ok {
			return n
		}
	}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in KiB elsewhere
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}

// parseVMHWM finds "VmHWM:    1234 kB".
func parseVMHWM(status []byte) (int64, bool) {
	_, rest, ok := bytes.Cut(status, []byte("VmHWM:"))
	if !ok {
		return 0, false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10, err == nil
}

// resetPeakRSS sets VmHWM back to the memory in use now. Where that is not
// allowed, the peak of a stage is the peak up to its end.
func resetPeakRSS() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // only Linux has it
}
