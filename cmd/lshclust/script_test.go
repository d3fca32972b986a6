package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/sample"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(inMemory{m}, map[string]func(){"lshclust": main})
}

// inMemory runs tests with their files in memory if there are some gigabytes for them: a third of the time of small runs is
// fsync, and no test of this package is about what a disk keeps.
type inMemory struct{ *testing.M }

func (m inMemory) Run() int {
	const shared = "/dev/shm"
	if free, ok := freeSpace(shared); ok && free > 2<<30 && there(shared) && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", shared)
	}
	return m.M.Run()
}

// TestScript runs the command line as a user does. Beside the commands of testscript there are
//
//	code N PROGRAM ARG...              run it; it must exit with N
//	interrupt FILE RUN PROGRAM ARG...  feed it FILE without an end, interrupt it once RUN is begun; it must exit with 130
//	sample RUN FLAG...                 copy a run of the sample by cluster, its pages and its gold
//	stopafter REGEXP RUN PROGRAM ARG...  interrupt it when a line of its stderr matches; it must exit with 130
//	head PROGRAM ARG...                read one line of its stdout, then close the pipe
//	flip FILE OFFSET                   invert a byte
//	cut FILE BYTES                     shorten a file by so many bytes
//	gz FILE...                         write FILE.gz
//	warc OUT URL=FILE...               write pages as WARC responses
//	suggested ARG...                   cluster into new, with the flags that the line "use:" of stdout has
//	addsup                             the explanation (JSON) in stdout adds up
//	harmless                           stdout and stderr hold nothing that a terminal obeys
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code": scriptCode, "interrupt": scriptInterrupt, "stopafter": scriptStopAfter, "head": scriptHead, "intofull": scriptIntoFull,
			"flip": scriptFlip, "cut": scriptCut, "gz": scriptGzip, "warc": scriptWARC,
			"addsup": scriptAddsUp, "suggested": scriptSuggested, "harmless": scriptHarmless, "sample": samples(t), "samplepages": scriptSamplePages,
		},
	})
}

func need(ts *testscript.TestScript, ok bool, use string) {
	if !ok {
		ts.Fatalf("usage: %s", use)
	}
}

// exited checks the exit code of a program.
func exited(ts *testscript.TestScript, err error, want int) {
	got := 0
	var x *exec.ExitError
	if errors.As(err, &x) {
		got = x.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func scriptCode(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 1, "code N PROGRAM ARG...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	exited(ts, ts.Exec(args[1], args[2:]...), want)
}

// command returns a program in the folder and environment of the script, which can see its standard error.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	c := exec.Command(path, args[1:]...)
	c.Dir = ts.MkAbs(".")
	c.Stderr = ts.Stderr()
	return c
}

func scriptInterrupt(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 2, "interrupt FILE RUN PROGRAM ARG...")
	c := command(ts, args[2:])
	in, err := c.StdinPipe()
	ts.Check(err)
	defer in.Close() // not before the program has ended: its input has no end
	ts.Check(c.Start())
	_, err = io.WriteString(in, ts.ReadFile(args[0]))
	ts.Check(err)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	begun := filepath.Join(ts.MkAbs(args[1]), "work", "state.json")
	for !there(begun) {
		select {
		case err := <-ended:
			ts.Fatalf("it ended before it began: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	ts.Check(c.Process.Signal(os.Interrupt))
	exited(ts, <-ended, exitInterrupted)
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// scriptStopAfter begins again if the run is finished before the interrupt arrives, as it may be on a busy machine.
func scriptStopAfter(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 2, "stopafter REGEXP RUN PROGRAM ARG...")
	line, err := regexp.Compile(args[0])
	ts.Check(err)
	for range 20 {
		c := command(ts, args[2:])
		c.Stderr = nil
		said, err := c.StderrPipe()
		ts.Check(err)
		ts.Check(c.Start())
		lines, matched := bufio.NewScanner(said), false
		for lines.Scan() {
			fmt.Fprintln(ts.Stderr(), lines.Text())
			if line.MatchString(lines.Text()) {
				matched = true
				_ = c.Process.Signal(os.Interrupt) // it may have ended
			}
		}
		if err := c.Wait(); err != nil || !matched {
			exited(ts, err, exitInterrupted)
			return
		}
		ts.Check(os.RemoveAll(ts.MkAbs(args[1])))
	}
	ts.Fatalf("it does not heed interrupts")
}

// samples returns a command that copies runs of the sample, each of which is built when it is first wanted.
func samples(t *testing.T) func(ts *testscript.TestScript, _ bool, args []string) {
	dir := t.TempDir()
	var mu sync.Mutex
	built := func(flags []string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		at := filepath.Join(dir, strings.Join(append([]string{"run"}, flags...), ""))
		if there(filepath.Join(at, "run.json")) {
			return at, nil
		}
		if err := errors.Join(os.WriteFile(at+"-"+sample.Name, sample.Pages(), 0o600), os.WriteFile(at+"-"+sample.GoldName, sample.Gold(), 0o600)); err != nil {
			return "", err
		}
		said, err := exec.Command("lshclust", append(append([]string{"cluster", "-q", "-o", at}, flags...), at+"-"+sample.Name)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%w: %s", err, said)
		}
		return at, nil
	}
	return func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, len(args) > 0, "sample RUN FLAG...")
		from, err := built(args[1:])
		ts.Check(err)
		to := ts.MkAbs(args[0])
		ts.Check(os.CopyFS(to, os.DirFS(from)))
		for _, name := range []string{sample.Name, sample.GoldName} {
			b, err := os.ReadFile(from + "-" + name)
			ts.Check(errors.Join(err, os.WriteFile(to+"-"+name, b, 0o600)))
		}
	}
}

func scriptHead(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 0, "head PROGRAM ARG...")
	c := command(ts, args)
	out, err := c.StdoutPipe()
	ts.Check(err)
	ts.Check(c.Start())
	first, err := bufio.NewReaderSize(out, 16).ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		ts.Fatalf("no output: %v", err)
	}
	fmt.Fprintf(ts.Stdout(), "%s\n", first)
	ts.Check(out.Close())
	var x *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &x) {
		ts.Fatalf("%v", err)
	}
}

// scriptIntoFull runs a program whose output goes to a full disk. It must fail and say why.
func scriptIntoFull(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 0, "intofull PROGRAM ARG...")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return // a system without it
	}
	ts.Check(err)
	defer full.Close()
	c := command(ts, args)
	var said bytes.Buffer
	c.Stdout, c.Stderr = full, &said
	if err := c.Run(); err == nil || !strings.Contains(said.String(), "space") {
		ts.Fatalf("%v: %s", err, &said)
	}
}

func scriptFlip(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) == 2, "flip FILE OFFSET")
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := []byte(ts.ReadFile(args[0]))
	b[at] ^= 0xff
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

func scriptCut(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) == 2, "cut FILE BYTES")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(len(ts.ReadFile(args[0]))-n)))
}

func scriptGzip(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, ts.ReadFile(name))
		ts.Check(errors.Join(err, w.Close()))
		ts.Check(os.WriteFile(ts.MkAbs(name+".gz"), b.Bytes(), 0o600))
	}
}

// scriptSamplePages writes the first pages of the embedded sample.
func scriptSamplePages(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) == 2, "samplepages N FILE")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var b bytes.Buffer
	in := bufio.NewReader(sample.Open())
	for range n {
		line, err := in.ReadBytes('\n')
		ts.Check(err)
		b.Write(line)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o600))
}

func scriptWARC(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, len(args) > 1, "warc OUT URL=FILE...")
	var b bytes.Buffer
	for _, pair := range args[1:] {
		i := strings.LastIndexByte(pair, '=')
		need(ts, i > 0, "warc OUT URL=FILE...")
		body := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + ts.ReadFile(pair[i+1:])
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", pair[:i], len(body), body)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}

func scriptSuggested(ts *testscript.TestScript, _ bool, args []string) {
	flags := regexp.MustCompile(`(?m)^use: lshclust cluster -o NEW (.*) INPUT`).FindStringSubmatch(ts.ReadFile("stdout"))
	need(ts, flags != nil, "suggested ARG... after a command that suggests flags")
	ts.Check(ts.Exec("lshclust", slices.Concat([]string{"cluster", "-q", "-o", "new"}, strings.Fields(flags[1]), args)...))
}

// scriptAddsUp adds up the terms again.
func scriptAddsUp(ts *testscript.TestScript, _ bool, _ []string) {
	var x struct {
		A, B  struct{ Bag_sum, Bag_terms int }
		Terms []struct {
			Word string
			A, B int
		}
		Sum_min, Sum_max int
		Similarity       float64
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &x))
	a, b, least, most, ofA, ofB := 0, 0, 0, 0, 0, 0
	for _, t := range x.Terms {
		a, b, least, most = a+t.A, b+t.B, least+min(t.A, t.B), most+max(t.A, t.B)
		ofA, ofB = ofA+min(t.A, 1), ofB+min(t.B, 1)
	}
	if a != x.A.Bag_sum || b != x.B.Bag_sum || ofA != x.A.Bag_terms || ofB != x.B.Bag_terms || least != x.Sum_min || most != x.Sum_max || most == 0 {
		ts.Fatalf("the terms do not add up: %d %d %d %d %d %d, %+v", a, b, ofA, ofB, least, most, x)
	}
	if s := float64(least) / float64(most); s != x.Similarity || s == 0 {
		ts.Fatalf("similarity %v, the terms say %v", x.Similarity, s)
	}
}

// scriptHarmless compares numbers where unicode.IsControl and Bidi_Control use tables.
func scriptHarmless(ts *testscript.TestScript, _ bool, _ []string) {
	for _, name := range []string{"stdout", "stderr"} {
		for i, r := range ts.ReadFile(name) {
			control := r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f
			bidi := r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
			if control || bidi {
				ts.Fatalf("%s holds %U at byte %d", name, r, i)
			}
		}
	}
}
