package torture

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// peak returns the peak memory of a process in bytes, as reported to its parent.
func peak(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// processorTime returns the seconds of processor time that a process has used.
func processorTime(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64) // fields 14 and 15 of the line, in ticks
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}

// ownMounts gives the calling goroutine, and the processes that it starts, mounts that nobody else sees and that
// disappear with it. The thread of the goroutine serves no other goroutine from now on, and ends with it.
func ownMounts() error {
	runtime.LockOSThread()
	err := syscall.Unshare(syscall.CLONE_NEWNS)
	if err == nil {
		err = syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, "")
	}
	if err != nil {
		return errSkipped{fmt.Sprintf("no right to mount (%v)", err)}
	}
	return nil
}

// mountSmall mounts a file system of the given size on a folder.
func mountSmall(dir string, size int64) error {
	err := syscall.Mount("torture", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		return errSkipped{fmt.Sprintf("no right to mount (%v)", err)}
	}
	return err
}

// growSmall enlarges this file system.
func growSmall(dir string, size int64) error {
	return syscall.Mount("torture", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", size))
}
