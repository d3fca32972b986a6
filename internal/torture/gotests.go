package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const (
	promiseWorlds  = "worlds of ties: the same bytes with 1, 2, 3, 8 and 16 workers"
	promiseStrings = "no control or bidirectional character from the input reaches a terminal"
)

// drawing runs TestWorlds of package pipeline; each of its subtests is a world.
var drawing = suite{name: "worlds", promises: []string{promiseWorlds}, trials: 1, alone: true, try: func(t *trial) error {
	worlds := max(1, int(200*t.share))
	return t.goTest(worlds, "./pipeline", "^TestWorlds$", fmt.Sprintf("LSHCLUST_WORLDS=%d", worlds))
}}

// hostility runs the tests that feed hostile strings through every verb.
var hostility = suite{name: "strings", promises: []string{promiseStrings}, trials: 1, alone: true, try: func(t *trial) error {
	return t.goTest(0, "./cmd/lshclust", "Hostile")
}}

// goTest runs tests of this module and counts their subtests.
func (t *trial) goTest(want int, pkg, pattern string, environment ...string) error {
	c := exec.Command("go", "test", "-count=1", "-v", "-timeout", "2h", "-run", pattern, pkg)
	c.Env = append(os.Environ(), environment...)
	var err error
	if c.Dir, err = moduleDir(); err != nil {
		return err
	}
	out, err := c.CombinedOutput()
	passed, broken := strings.Count(string(out), "    --- PASS: "), strings.Count(string(out), "    --- FAIL: ")
	t.trials, t.failures = passed+broken, broken
	switch {
	case err != nil:
		return fmt.Errorf("go test %s -run %s: %w\n%.6000s", pkg, pattern, err, out)
	case passed == 0 || passed < want:
		return fmt.Errorf("go test %s -run %s: %d tests, want %d\n%.2000s", pkg, pattern, passed, max(1, want), out)
	}
	return nil
}
