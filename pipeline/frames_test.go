package pipeline_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// cutWriter writes to standard output and kills the process when it has written some bytes.
type cutWriter struct{ left int64 }

func (w *cutWriter) Write(p []byte) (int, error) {
	if w.left > 0 && w.left <= int64(len(p)) {
		os.Stdout.Write(p[:w.left])
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	w.left -= int64(len(p))
	return os.Stdout.Write(p)
}

// frame is a frame as an engine sees it.
type frame struct {
	kind  frames.Kind
	part  int32
	bytes []byte
}

// cutFrames cuts a stream into frames by their prefixes alone. It drops the header and the end frame.
func cutFrames(t *testing.T, b []byte) (out []frame) {
	t.Helper()
	for b = b[16:]; ; {
		n := 16 + int(binary.LittleEndian.Uint32(b))
		f := frame{frames.Kind(binary.LittleEndian.Uint32(b[4:])), int32(binary.LittleEndian.Uint32(b[8:])), b[:n]}
		if b = b[n:]; f.kind == frames.End {
			if len(b) > 0 {
				t.Fatalf("%d bytes follow the end frame", len(b))
			}
			return out
		}
		out = append(out, f)
	}
}

// The constants that an engine writes around frames.
var (
	streamHeader = []byte("LSHFRAME\x01\x00\x00\x00\x00\x00\x00\x00")
	endFrame     = []byte("\x00\x00\x00\x00\x05\x00\x00\x00\xff\xff\xff\xff\x2f\xfe\xd9\xf4")
)

// stream returns a stream of frames in random order, some of them twice.
func stream(r *rand.Rand, some []frame) []byte {
	some = slices.Concat(some, some[:len(some)/3])
	r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	out := bytes.Clone(streamHeader)
	for _, f := range some {
		out = append(out, f.bytes...)
	}
	return append(out, endFrame...)
}

// asFrames returns the blocks of a file.
func asFrames(t *testing.T, path, name string) []frame {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var to bytes.Buffer
	w, err := frames.NewWriter(&to)
	if err != nil {
		t.Fatal(err)
	}
	blocks := w.Blocks(frames.Frame{Kind: frames.File, Part: frames.Driver, Name: name, Size: uint64(len(b))})
	_, err = blocks.Write(b)
	_, errClose := blocks.Close()
	if err := errors.Join(err, errClose, w.Close()); err != nil {
		t.Fatal(err)
	}
	return cutFrames(t, to.Bytes())
}

// engine stands for an engine that shuffles blocks: it alone sees the run directory.
type engine struct {
	t    *testing.T
	run  string
	r    *rand.Rand
	sent []frame // of the parts of read
	next pipeline.Needs
}

// input returns a folder and the frames for a part and more that follow it. Every other part gets all files as frames.
func (e *engine) input(part, more int) (scratch string, in []byte) {
	e.t.Helper()
	scratch = e.t.TempDir()
	var some []frame
	files := slices.Concat(e.next.State, e.next.Files)
	for i := range 1 + more {
		files = append(files, e.next.Each[strconv.Itoa(part+i+1)]...)
	}
	for _, f := range files {
		from := filepath.Join(e.run, f.Name)
		if part%2 == 1 {
			some = append(some, asFrames(e.t, from, f.Name)...)
			continue
		}
		b, err := os.ReadFile(from)
		if err != nil || int64(len(b)) != f.Bytes {
			e.t.Fatalf("%s: %d bytes, not %d, %v", f.Name, len(b), f.Bytes, err)
		}
		to := filepath.Join(scratch, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, b, 0o444)); err != nil {
			e.t.Fatal(err)
		}
	}
	for _, s := range e.next.Shuffled {
		for _, f := range e.sent {
			if f.kind == s.Kind && (s.To == "all" || int(f.part) >= part && int(f.part) <= part+more) {
				some = append(some, f)
			}
		}
	}
	return scratch, stream(e.r, some)
}

// checkBytes checks the sizes of what each part reads.
func (e *engine) checkBytes(s pipeline.Shuffled) {
	e.t.Helper()
	got := make([]uint64, e.next.Parts)
	for _, f := range e.sent {
		const heads = 16 + 22 // bytes of the frame and of the block
		if f.kind == s.Kind {
			got[f.part%int32(e.next.Parts)] += uint64(len(f.bytes) - heads)
		}
	}
	if !slices.Equal(got, s.Bytes) {
		e.t.Errorf("step %s: parts with %d bytes, not %d", e.next.Step, got, s.Bytes)
	}
}

// begin starts a process that does a part.
func (e *engine) begin(c child, in []byte) (*exec.Cmd, *bytes.Buffer) {
	e.t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		e.t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = append(os.Environ(), childVariable+"="+string(text)), bytes.NewReader(in), &out, os.Stderr
	cmd.Dir = c.Dir
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	return cmd, &out
}

// do does a part and more that follow it, in another process if the files stay in its folder, and hands their output to
// the driver. It returns the blocks for other parts.
func (e *engine) do(part, more int, leave bool) (sent []frame) {
	e.t.Helper()
	scratch, in := e.input(part, more)
	var out *bytes.Buffer
	if c := (child{Dir: scratch, Stage: e.next.Step, Part: part, More: more, Of: e.next.Parts, Frames: true, Leave: leave}); leave {
		var cmd *exec.Cmd
		cmd, out = e.begin(c, in)
		ended(e.t, cmd, false)
	} else {
		out = &bytes.Buffer{}
		if err := c.doFramed(bytes.NewReader(in), out); err != nil {
			e.t.Fatalf("step %s, part %d: %v", e.next.Step, part, err)
		}
	}
	var some []frame
	for _, f := range cutFrames(e.t, out.Bytes()) {
		if f.part >= 0 {
			sent = append(sent, f)
		} else {
			some = append(some, f)
		}
	}
	if leave {
		left, err := filepath.Glob(filepath.Join(scratch, "work", "*.tmp"))
		for _, from := range left {
			err = errors.Join(err, os.Rename(from, filepath.Join(e.run, "work", filepath.Base(from))))
		}
		if err != nil || len(left) == 0 {
			e.t.Fatal(left, err)
		}
	}
	got, err := pipeline.AcceptParts(e.run, bytes.NewReader(stream(e.r, some)), pipeline.Options{SmallParts: true})
	if n := len(got.Accepted) + len(got.Known); err != nil || n <= more {
		e.t.Fatalf("step %s, part %d: %+v, %v", e.next.Step, part, got, err)
	}
	return sent
}

// killed does a part in a process that is killed while it writes. The driver takes nothing of that.
func (e *engine) killed(part int) {
	e.t.Helper()
	scratch, in := e.input(part, 0)
	cmd, out := e.begin(child{Dir: scratch, Stage: e.next.Step, Part: part, Of: e.next.Parts, Frames: true, Cut: 50}, in)
	ended(e.t, cmd, true)
	if _, err := pipeline.AcceptParts(e.run, out, pipeline.Options{SmallParts: true}); !errors.Is(err, frames.ErrDamaged) {
		e.t.Fatalf("step %s: frames of a process that was killed: %v", e.next.Step, err)
	}
}

// Every part of every step can be done with nothing but the state of the run and the files and frames that the step
// declares, in any order, twice, and again after a process that was killed while it wrote its frames. The finished run is
// that of one process.
func TestFrames(t *testing.T) { framed(t, "web") }

// framed does all parts of a run by frames.
func framed(t *testing.T, name string) {
	lines := eventfulPages(t)
	var in []string
	for some := range slices.Chunk(lines, len(lines)/3+1) {
		in = append(in, write(t, some...))
	}
	in = append(in, writeBytes(t, "revisits.warc", []byte(
		warcResponse("https://a.example/x/", t1, `<title>red green blue</title><p>one two three four five six <a href="next">next page</a>`, digestA)+
			warcRevisit("https://c.example/y/", t2, digestA))))
	c := preset(t, name)
	whole, _ := cluster(t, c, pipeline.Options{Workers: 2}, in...)
	e := &engine{t: t, run: filepath.Join(t.TempDir(), "run"), r: rand.New(rand.NewPCG(1, 2))}
	o := pipeline.Options{Workers: 2, SmallParts: true}
	if err := pipeline.Begin(t.Context(), e.run, in, c, o); err != nil {
		t.Fatal(err)
	}
	for e.step(o) {
	}
	check(t, e.run)
	if d := cmp.Diff(sums(t, whole), sums(t, e.run)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(figures(t, whole), figures(t, e.run), untimed); d != "" {
		t.Error(d)
	}
	if len(e.sent) == 0 {
		t.Error("nothing was shuffled")
	}
	if d := cmp.Diff(sums(t, whole), sums(t, collected(t, e.run))); d != "" {
		t.Errorf("in parts and together again: %s", d)
	}
}

// collected writes a run in parts and puts these together.
func collected(t *testing.T, dir string) string {
	t.Helper()
	r, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	parts, out := t.TempDir(), filepath.Join(t.TempDir(), "run")
	if err := errors.Join(r.WriteParts(t.Context(), parts), run.Collect(t.Context(), parts, out)); err != nil {
		t.Fatal(err)
	}
	check(t, out)
	return out
}

// step does all parts of the step that is next, or finishes the stage.
func (e *engine) step(o pipeline.Options) (more bool) {
	e.t.Helper()
	var err error
	if e.next, err = pipeline.NextNeeds(e.run, -1, o); err != nil {
		if !errors.Is(err, run.ErrFinished) {
			e.t.Fatal(err)
		}
		return false
	}
	if e.next.Step == "" {
		if err := pipeline.FinishStage(e.t.Context(), e.run, e.next.Stage, o); err != nil {
			e.t.Fatal(err)
		}
		return true
	}
	read := func(f run.File) bool {
		return strings.HasPrefix(f.Name, "work/read-") && !strings.HasSuffix(f.Name, ".shuffled")
	}
	if e.next.Step == "group" && !slices.ContainsFunc(e.next.Files, read) {
		e.t.Error("what the revisits gave is not declared")
	}
	for _, s := range e.next.Shuffled {
		e.checkBytes(s)
	}
	parts := slices.Clone(e.next.Missing)
	e.r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if len(parts) > 1 {
		e.killed(parts[0])
	}
	done := make([]bool, e.next.Parts)
	for i, part := range parts {
		if done[part] {
			continue
		}
		done[part] = true
		more := 0
		for i%2 == 1 && more < 2 && part+more+1 < len(done) && !done[part+more+1] {
			more++
			done[part+more] = true
		}
		sent := e.do(part, more, i == 1)
		if i == 0 {
			if again := e.do(part, 0, false); !slices.EqualFunc(sent, again, func(x, y frame) bool { return bytes.Equal(x.bytes, y.bytes) }) {
				e.t.Errorf("step %s, part %d sends other blocks the second time", e.next.Step, part)
			}
		}
		e.sent = append(e.sent, sent...)
	}
	return true
}
