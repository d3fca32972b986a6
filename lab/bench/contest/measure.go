package contest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Usage is what a program and the programs that it started have used.
type Usage struct {
	CPU  time.Duration // user and system
	Wall time.Duration
	Peak int64 // bytes of anonymous memory at one time, as sampled
}

// sampling is the time between two samples of the memory.
const sampling = 20 * time.Millisecond

// Measure runs a program to its end. If it fails, the error has the end of what it printed.
func Measure(ctx context.Context, command []string, env []string) (Usage, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Usage{}, err
	}
	peak, stop := make(chan int64), make(chan struct{})
	go func() { peak <- watch(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	u := Usage{Wall: time.Since(began), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	close(stop)
	u.Peak = <-peak
	if err != nil {
		text := printed.Bytes()
		return u, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, text[max(0, len(text)-2000):])
	}
	return u, nil
}

// watch returns the largest sum of the anonymous memory of a process and its descendants until stop is closed.
func watch(pid int, stop <-chan struct{}) (peak int64) {
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return peak
		case <-tick.C:
			peak = max(peak, sample(pid, peak))
		}
	}
}

// sample returns the anonymous memory of a process and its descendants. Pages that they share count once. What it
// returns is too large only if it is no more than the peak anyway.
func sample(pid int, peak int64) (bytes int64) {
	tree := descendants([]int{pid}, pid)
	for _, p := range tree {
		bytes += field(p, "status", "RssAnon:")
	}
	if len(tree) == 1 || bytes <= peak {
		return bytes
	}
	bytes = 0
	for _, p := range tree {
		bytes += field(p, "smaps_rollup", "Pss_Anon:")
	}
	return bytes
}

// descendants adds the children of a process and their children to tree.
func descendants(tree []int, pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list) // a thread that has ended has none
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				tree = descendants(append(tree, n), n)
			}
		}
	}
	return tree
}

// field returns a figure of a process in bytes, from a line such as "RssAnon:	    1234 kB". It is 0 for a process that
// has ended.
func field(pid int, file, name string) int64 {
	content, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	_, rest, _ := strings.Cut(string(content), "\n"+name)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
	return kilobytes << 10
}
