package torture

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const promiseCalls = "when a system call fails, a run says so or has the same bytes, and the same command then gives the same bytes"

// failing lists the system calls that are made to fail, with an error that disks and limits give.
var failing = []struct{ call, errno string }{
	{"openat", "EMFILE"}, {"read", "EIO"}, {"pread64", "EIO"}, {"write", "ENOSPC"}, {"pwrite64", "EIO"}, {"fsync", "EIO"},
	{"fdatasync", "EIO"}, {"sync_file_range", "EIO"}, {"renameat", "EIO"}, {"renameat2", "EIO"}, {"unlinkat", "EACCES"},
	{"fallocate", "ENOSPC"}, {"ftruncate", "EIO"}, {"mkdirat", "EACCES"}, {"getdents64", "EIO"}, {"close", "EIO"},
	{"fstat", "EIO"}, {"newfstatat", "EIO"}, {"flock", "ENOLCK"}, {"statfs", "EIO"},
}

// injection makes the n-th call of each thread fail.
type injection struct {
	call, errno string
	n           int
}

func (i injection) String() string {
	return fmt.Sprintf("%s number %d fails with %s", i.call, i.n, i.errno)
}

// injections are all that a run of the world can meet, counted once.
var injections struct {
	sync.Mutex
	all []injection
}

var calling = suite{name: "calls", promises: []string{promiseCalls}, trials: 200, prepare: needCalls, try: func(t *trial) error {
	all := injections.all
	// A stride that is prime to most numbers spreads a share of the trials over all calls.
	fault := all[t.number*7919%len(all)]
	t.tell("%v", fault)
	args := t.world.cluster("--workers", "2", "-q")
	p := t.traced("-e", "trace="+fault.call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", fault.call, fault.errno, fault.n), args)
	r, err := p.run()
	switch {
	case ownFault.MatchString(r.said):
		return errSkipped{"calls of the Go runtime itself failed"}
	case err != nil:
		return err
	case r.code == t.world.code:
		t.table.remark(promiseCalls, "went on", 1)
		return t.sameOrCounted()
	case r.said == "":
		return r.unexpected("a message")
	}
	t.table.remark(promiseCalls, "ended with an error", 1)
	if r, err = t.run(args...); err != nil {
		return err
	}
	if r.code != t.world.code {
		return r.unexpected(fmt.Sprint(t.world.code))
	}
	return t.sameOrCounted()
}}

// sameOrCounted returns an error unless the run has the same bytes, or lists what the disk did not give.
func (t *trial) sameOrCounted() error {
	err := t.same()
	if err != nil && t.counted() {
		t.table.remark(promiseCalls, "counted an input as unreadable", 1)
		return nil
	}
	return err
}

// counted reports whether the run lists an input, or a part of one, that the operating system could not read.
func (t *trial) counted() bool {
	var ledger struct{ Dropped []struct{ Reason string } }
	b, err := os.ReadFile(filepath.Join(t.dir, "run", "run.json"))
	if err != nil || json.Unmarshal(b, &ledger) != nil {
		return false
	}
	return slices.ContainsFunc(ledger.Dropped, func(d struct{ Reason string }) bool { return d.Reason == "unreadable-file" })
}

// ownFault is what the Go runtime says when one of its own calls fails, which no program survives.
var ownFault = regexp.MustCompile(`netpollBreak|runtime: .*(pipe|eventfd|epoll)`)

// traced returns the command that runs lshclust under strace.
func (t *trial) traced(flags ...any) *process {
	words := []string{"-f", "-qq"}
	for _, f := range flags[:len(flags)-1] {
		words = append(words, f.(string))
	}
	args := flags[len(flags)-1].([]string)
	p := t.command(args...)
	words = append(words, "-o", filepath.Join(t.dir, "trace"), t.binary)
	p.cmd.Path, p.cmd.Args = "strace", append(append([]string{"strace"}, words...), args...)
	if path, err := exec.LookPath("strace"); err == nil {
		p.cmd.Path = path
	}
	return p
}

var tracedCall = regexp.MustCompile(`^(\d+) +(\w+)\(`)

// needCalls counts the calls of a run that nothing disturbs: for each kind, those of the thread that makes the most.
func needCalls(b *bench) error {
	if err := needWorld(b); err != nil {
		return err
	}
	injections.Lock()
	defer injections.Unlock()
	if injections.all != nil {
		return nil
	}
	t := &trial{bench: b, dir: filepath.Join(b.home, "calls")}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	var names []string
	for _, f := range failing {
		names = append(names, f.call)
	}
	if r, err := t.traced("-e", "trace="+strings.Join(names, ","), b.world.cluster("--workers", "2", "-q")).run(); err != nil {
		return fmt.Errorf("strace is needed: %w", err)
	} else if r.code != b.world.code {
		return r.unexpected(fmt.Sprint(b.world.code))
	}
	f, err := os.Open(filepath.Join(t.dir, "trace"))
	if err != nil {
		return err
	}
	defer f.Close()
	made, most := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if m := tracedCall.FindStringSubmatch(lines.Text()); m != nil {
			made[m[1]+" "+m[2]]++
			most[m[2]] = max(most[m[2]], made[m[1]+" "+m[2]])
		}
	}
	for _, f := range failing {
		for n := range most[f.call] {
			injections.all = append(injections.all, injection{f.call, f.errno, n + 1})
		}
	}
	fmt.Fprintf(b.log, "calls: %d can fail: %v\n", len(injections.all), most)
	return lines.Err()
}
