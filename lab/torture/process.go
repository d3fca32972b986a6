package torture

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// patience ends commands that hang. On a small input, one takes less than a second.
const patience = 10 * time.Minute

// Exit codes of lshclust.
const (
	exitDone        = 0
	exitCondition   = 1
	exitUsage       = 2
	exitSkipped     = 3
	exitRefused     = 4
	exitInterrupted = 130
)

// result says how a command ended.
type result struct {
	args []string
	code int // -1 if a signal ended it
	out  string
	said string // standard error
	took time.Duration
	rss  int64
	cpu  float64 // seconds of processor time
	hung bool
}

// start starts a command in the folder of the trial. The caller waits for it with end.
func (t *trial) start(args ...string) (*process, error) {
	p := t.command(args...)
	return p, p.cmd.Start()
}

// command returns a command that has not been started, so that the caller can change it.
func (t *trial) command(args ...string) *process {
	p := &process{cmd: exec.Command(t.binary, args...), began: time.Now()}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = t.dir, &p.out, &p.said
	if t.small {
		p.cmd.Env = append(os.Environ(), "LSHCLUST_SMALL_PARTS=1")
	}
	return p
}

// process is a running command.
type process struct {
	cmd       *exec.Cmd
	out, said bytes.Buffer
	began     time.Time
}

// end waits for a process, and kills it if it takes too long.
func (p *process) end(most time.Duration) (result, error) {
	timer := time.AfterFunc(most, func() { _ = p.cmd.Process.Kill() })
	err := p.cmd.Wait()
	r := result{args: p.cmd.Args[1:], out: p.out.String(), said: p.said.String(), took: time.Since(p.began), hung: !timer.Stop()}
	var x *exec.ExitError
	if err != nil && !errors.As(err, &x) {
		return r, err
	}
	used := p.cmd.ProcessState
	r.code, r.rss, r.cpu = used.ExitCode(), peak(used), (used.UserTime() + used.SystemTime()).Seconds()
	return r, nil
}

// run runs a command to its end. An error means that it crashed or hung.
func (t *trial) run(args ...string) (result, error) { return t.command(args...).run() }

// feed runs a command with the given standard input.
func (t *trial) feed(in string, args ...string) (result, error) {
	p := t.command(args...)
	p.cmd.Stdin = strings.NewReader(in)
	return p.run()
}

func (p *process) run() (result, error) {
	if err := p.cmd.Start(); err != nil {
		return result{}, err
	}
	r, err := p.end(patience)
	if err != nil {
		return r, err
	}
	return r, r.crashed()
}

var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ |SIG[A-Z]+: |unexpected fault)`)

// crashed returns an error if a command ended in a way in which none may end.
func (r *result) crashed() error {
	switch {
	case r.hung:
		return fmt.Errorf("%s: still running after %v", r.command(), r.took.Round(time.Second))
	case crash.MatchString(r.said):
		return fmt.Errorf("%s: exit code %d and a panic:\n%.1500s", r.command(), r.code, r.said)
	case r.code < 0:
		return fmt.Errorf("%s: ended by a signal:\n%.1500s", r.command(), r.said)
	}
	return nil
}

func (r *result) command() string { return fmt.Sprintf("lshclust %.100s", strings.Join(r.args, " ")) }

// unexpected returns the error of a command that ended with a wrong exit code.
func (r *result) unexpected(want string) error {
	return fmt.Errorf("%s: exit code %d, want %s:\n%.1500s", r.command(), r.code, want, r.said)
}
