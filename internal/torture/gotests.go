package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

const (
	promiseWorlds  = "worlds of ties: the same bytes with 1, 2, 3, 8 and 16 workers"
	promiseBombs   = "input that is designed to cost more than it holds is bounded and counted"
	promiseText    = "no control or bidirectional character from outside reaches a terminal, from any verb in any format"
	promiseNumbers = "every flag refuses impossible numbers and names itself"
)

// These suites are tests of other packages. They run here so that the table includes them.
var (
	drawing = suite{name: "worlds", promises: []string{promiseWorlds}, trials: 1, alone: true, try: func(t *trial) error {
		worlds := max(1, int(200*t.share))
		return t.goTest(worlds, "./pipeline", "Worlds", fmt.Sprintf("LSHCLUST_WORLDS=%d", worlds))
	}}
	bombing = suite{name: "bombs", promises: []string{promiseBombs}, trials: 1, alone: true, try: func(t *trial) error {
		return t.goTest(1, "./cmd/lshclust", "Hostile")
	}}
	writingEvil = suite{name: "text", promises: []string{promiseText}, trials: 1, alone: true, try: func(t *trial) error {
		return t.goTest(1, "./cmd/lshclust", "HostileText")
	}}
	misnumbering = suite{name: "numbers", promises: []string{promiseNumbers}, trials: 1, alone: true, try: func(t *trial) error {
		return t.goTest(1, "./cmd/lshclust", "HostileNumbers")
	}}
)

// tried matches a line that a test logs for every command that it ran, with the exit code.
var tried = regexp.MustCompile(`_test\.go:\d+: \d+ \[`)

// goTest runs a test of this module. It counts its subtests or the commands that it ran, and compares their number with
// want.
func (t *trial) goTest(want int, pkg, name string, environment ...string) error {
	c := exec.Command("go", "test", "-count=1", "-v", "-timeout", "4h", "-run", "^Test(Long)?"+name+"$", pkg)
	c.Env = append(os.Environ(), environment...)
	var err error
	if c.Dir, err = moduleDir(); err != nil {
		return err
	}
	b, err := c.CombinedOutput()
	out := string(b)
	broken := strings.Count(out, "    --- FAIL: ")
	t.trials = max(len(tried.FindAllString(out, -1)), broken+strings.Count(out, "    --- PASS: "), strings.Count(out, "--- PASS: "))
	t.failures = broken
	switch {
	case err != nil:
		return fmt.Errorf("go test %s -run %s: %w\n%s", pkg, name, err, out[max(0, len(out)-6000):])
	case t.trials < want:
		return fmt.Errorf("go test %s -run %s: %d trials, want %d\n%.2000s", pkg, name, t.trials, want, out)
	}
	return nil
}
