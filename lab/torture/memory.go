package torture

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/lshclust/lshclust/lab/skew"
)

const promiseMemory = "no stage of cluster, nor doctor, takes more anonymous memory than --memory and 32 MiB"

const (
	allowance    = 32 << 20 // on top of --memory
	memoryPeriod = 2 * time.Millisecond
	memoryTime   = 30 * time.Minute // for one command
)

// heavy lists the inputs that need much memory: those of package skew, or files of the shared data.
var heavy = []struct {
	name   string
	shared []string
}{
	{name: "bomb-jsonl"},
	{name: "captures"},
	{name: "links"},
	{name: "tiny"},
	{name: "directory", shared: []string{"directory/pages.jsonl.gz"}},
	{name: "texts", shared: []string{"neardup-rfc/docs.jsonl.gz", "neardup-manuals/docs.jsonl.gz", "docs/pages.jsonl.gz"}},
	{name: "bomb-warc"},
	{name: "bomb-zip"},
	{name: "bomb-csv"},
	{name: "bomb-body"},
	{name: "lines"},
	{name: "rows"},
	{name: "common"},
	{name: "template"},
}

// remembering measures each input with each limit. The first eight inputs are those of the table in the documents.
var remembering = suite{name: "memory", promises: []string{promiseMemory}, trials: len(heavy) * 4, extra: true, try: func(t *trial) error {
	limits := strings.Split(t.limits, ",")
	n := t.number / len(limits)
	if n >= len(heavy) || t.inputs != "" && !slices.Contains(strings.Split(t.inputs, ","), heavy[n].name) {
		return errSkipped{}
	}
	limit, err := parseSize(limits[t.number%len(limits)])
	if err != nil {
		return err
	}
	inputs, err := t.heavy(n)
	if err != nil {
		return err
	}
	word := limits[t.number%len(limits)]
	err = errors.Join(
		t.measure(heavy[n].name, limit, append([]string{"cluster", "--memory", word, "-o", "run"}, inputs...)),
		t.measure(heavy[n].name, limit, append([]string{"doctor", "--memory", word}, inputs...)))
	return errors.Join(err, os.RemoveAll(filepath.Join(t.dir, "run")))
}}

// heavy returns the files of an input. It makes them first if necessary.
func (t *trial) heavy(n int) ([]string, error) {
	in := heavy[n]
	if in.shared != nil {
		return sharedFiles(in.shared)
	}
	input, err := skew.ByName(in.name)
	if err != nil {
		return nil, err
	}
	t.making.Lock()
	defer t.making.Unlock()
	path := filepath.Join(t.home, "heavy", in.name, input.File)
	if _, err := os.Stat(path); err == nil {
		return []string{path}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return []string{path}, input.Write(f, max(1, int64(float64(input.Size)*t.size)))
}

func sharedFiles(names []string) (paths []string, err error) {
	base := os.Getenv("LSHCLUST_DATA")
	if base == "" {
		module, err := moduleDir()
		if err != nil {
			return nil, err
		}
		base = filepath.Join(module, "..", "shared", "data")
	}
	for _, n := range names {
		path := filepath.Join(base, filepath.FromSlash(n))
		if _, err := os.Stat(path); err != nil {
			return nil, errSkipped{"some inputs are missing: set LSHCLUST_DATA"}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// moduleDir returns the folder of the source of lshclust.
func moduleDir() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/lshclust/lshclust").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// parseSize parses a value of --memory in MiB or GiB.
func parseSize(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimRight(s, "iBMG"), 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a size such as 64MiB", s)
	}
	if strings.Contains(s, "G") {
		n <<= 10
	}
	return n << 20, nil
}

// stagePeak is the peak memory of one stage of a command on an input.
type stagePeak struct {
	Input     string  `json:"input"`
	Limit     int64   `json:"limit"`
	Stage     string  `json:"stage"`
	Anonymous int64   `json:"anonymous"`
	File      int64   `json:"file"`
	Seconds   float64 `json:"seconds"`
}

func (p *stagePeak) above() bool { return p.Anonymous > p.Limit+allowance }

// measure runs a command and samples its memory from outside.
func (t *trial) measure(input string, limit int64, args []string) error {
	c := exec.Command(t.binary, args...)
	c.Dir = t.dir
	said, err := c.StderrPipe()
	if err != nil {
		return err
	}
	w := &watch{input: input, limit: limit, began: time.Now()}
	if err := c.Start(); err != nil {
		return err
	}
	timer := time.AfterFunc(memoryTime, func() { _ = c.Process.Kill() })
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		w.sample(c.Process.Pid, stop)
	}()
	text := w.listen(said)
	err = c.Wait()
	close(stop)
	<-stopped
	hung := !timer.Stop()
	w.end(map[string]string{"cluster": "the end", "doctor": "doctor"}[args[0]])
	r := result{args: args, code: c.ProcessState.ExitCode(), said: text, took: time.Since(w.began), hung: hung}
	var x *exec.ExitError
	if err != nil && !errors.As(err, &x) {
		return err
	}
	t.keepPeaks(w.peaks)
	return t.judgePeaks(w.peaks, &r)
}

// judgePeaks counts stages and reports those that took too much.
func (t *trial) judgePeaks(peaks []stagePeak, r *result) error {
	t.trials += len(peaks)
	var errs []error
	for _, p := range peaks {
		if p.above() {
			t.failures++
			errs = append(errs, fmt.Errorf("%s with %d MiB: %s took %d MiB", p.Input, p.Limit>>20, p.Stage, p.Anonymous>>20))
		}
	}
	err := r.crashed()
	if err == nil && r.code != exitDone && r.code != exitCondition && r.code != exitSkipped {
		err = r.unexpected("0, 1 or 3")
	}
	if err != nil {
		t.failures++
	}
	return errors.Join(append(errs, err)...)
}

// watch follows the memory of a process from stage to stage.
type watch struct {
	input string
	limit int64

	mu    sync.Mutex
	now   stagePeak
	began time.Time
	last  time.Time // end of the previous stage
	peaks []stagePeak
}

var stageDone = regexp.MustCompile(`^([a-z]+): \d+ in, `)

// listen reads the output of a process, which tells when a stage ends.
func (w *watch) listen(said io.Reader) string {
	var all, line []byte
	buffer := make([]byte, 4096)
	for {
		n, err := said.Read(buffer)
		for _, b := range buffer[:n] {
			if line = append(line, b); b != '\n' {
				continue
			}
			if m := stageDone.FindSubmatch(line); m != nil {
				w.end(string(m[1]))
			}
			if len(all) < 1<<16 {
				all = append(all, line...)
			}
			line = line[:0]
		}
		if err != nil {
			return string(append(all, line...))
		}
	}
}

// end ends a stage. Its peak is the largest sample since the previous stage.
func (w *watch) end(stage string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last.IsZero() {
		w.last = w.began
	}
	p := w.now
	p.Input, p.Limit, p.Stage, p.Seconds = w.input, w.limit, stage, time.Since(w.last).Seconds()
	w.now, w.last = stagePeak{}, time.Now()
	if p.Anonymous > 0 {
		w.peaks = append(w.peaks, p)
	}
}

// sample samples the memory of a process until it is told to stop.
func (w *watch) sample(pid int, stop chan struct{}) {
	path := fmt.Sprintf("/proc/%d/status", pid)
	tick := time.NewTicker(memoryPeriod)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended, or this is not Linux
		}
		anonymous, file := field(b, "RssAnon:"), field(b, "RssFile:")+field(b, "RssShmem:")
		w.mu.Lock()
		w.now.Anonymous, w.now.File = max(w.now.Anonymous, anonymous), max(w.now.File, file)
		w.mu.Unlock()
	}
}

// field parses a number of KiB and returns bytes.
func field(status []byte, name string) int64 {
	_, rest, _ := strings.Cut(string(status), name)
	rest, _, _ = strings.Cut(rest, "kB")
	n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

func (b *bench) keepPeaks(peaks []stagePeak) {
	b.making.Lock()
	defer b.making.Unlock()
	b.peaks = append(b.peaks, peaks...)
}

// printPeaks prints the memory of all stages.
func printPeaks(to io.Writer, peaks []stagePeak) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "input\tlimit MiB\tstage\tanonymous MiB\tof files MiB\tseconds\t")
	for _, p := range peaks {
		mark := ""
		if p.above() {
			mark = "ABOVE"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%.1f\t%s\n", p.Input, p.Limit>>20, p.Stage, p.Anonymous>>20, p.File>>20, p.Seconds, mark)
	}
	return w.Flush()
}
