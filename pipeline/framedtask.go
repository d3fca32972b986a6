package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/run"
)

// PartRange names consecutive parts of a step that has Of of them: First to Last, numbered from 0.
type PartRange struct{ First, Last, Of int }

// DoFramed is [DoPart] for a process that does not see the run directory, and does several parts one after another, which
// is cheaper than a process for each if they are small. scratch is a folder with the state of the run and the files that
// the parts need (see [NextNeeds]), some or all of which may come as frames instead. in brings frames, out takes those of
// the files that the parts write, what they have for other parts, and the receipt of each, which [AcceptParts] takes in.
// Nothing that the parts write stays in the folder, unless leave is set: then the files stay there under the names in the
// receipts. Several processes may use one folder at once.
func DoFramed(ctx context.Context, scratch, step string, parts PartRange, leave bool, in io.Reader, out io.Writer, o Options) error {
	got, err := receive(scratch, in)
	if err != nil {
		return full(err)
	}
	defer got.close()
	b, err := attachCopy(scratch, got.spool, o)
	if err != nil {
		return err
	}
	s, stage, err := b.stepOfCopy(step, parts)
	if err != nil {
		return fmt.Errorf("%s: %w", scratch, err)
	}
	w, err := frames.NewWriter(out)
	if err != nil {
		return err
	}
	var written []string
	err = b.doParts(ctx, s, parts, func(part int) error {
		return b.checkShuffled(ctx, b.needsOf(step), part)
	}, func(files *partFiles, note any) error {
		err := b.send(ctx, sending{stage, s, files, note, leave}, w)
		written = append(written, files.names...)
		return err
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil || !leave {
		for _, name := range written {
			os.Remove(b.dir.Temp(name))
		}
	}
	return full(err)
}

// received is what came as frames.
type received struct {
	files frames.Files
	spool *frames.Spool
	path  string // of the spool
}

// receive reads frames into a folder.
func receive(scratch string, in io.Reader) (got *received, err error) {
	attempt := fmt.Sprintf(".%d-%016x.in", os.Getpid(), rand.Uint64())
	work := filepath.Join(scratch, "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return nil, err
	}
	got = &received{path: filepath.Join(work, "spool"+attempt)}
	temp := func(name string) string { return filepath.Join(work, strings.ReplaceAll(name, "/", "~")+attempt) }
	got.files.Path = temp
	if got.spool, err = frames.CreateSpool(got.path); err != nil {
		return nil, err
	}
	err = eachFrame(in, func(r *frames.Reader, f *frames.Frame) error {
		switch f.Kind {
		case frames.File:
			return got.files.Add(f)
		case frames.Fragments, frames.Shingles:
			return got.spool.Add(r, f)
		}
		return fmt.Errorf("%w: a %s is no input of a part", frames.ErrDamaged, f.Kind)
	})
	names, incomplete := got.files.Complete()
	if err == nil {
		err = incomplete
	}
	for _, name := range names {
		if err == nil {
			err = os.Rename(temp(name), filepath.Join(scratch, filepath.FromSlash(name)))
		}
	}
	if err != nil {
		got.close()
	}
	return got, err
}

func (r *received) close() {
	r.spool.Close()
	os.Remove(r.path)
	r.files.Remove()
}

// eachFrame calls do with the frames of a whole stream.
func eachFrame(in io.Reader, do func(r *frames.Reader, f *frames.Frame) error) error {
	r, err := frames.NewReader(in)
	if err != nil {
		return err
	}
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(r, f)
		}
		if err != nil {
			return err
		}
	}
}

// attachCopy opens a copy of an unfinished run for one part.
func attachCopy(scratch string, spool *frames.Spool, o Options) (*build, error) {
	d, err := run.AttachCopy(scratch)
	if err != nil {
		return nil, err
	}
	b, err := unnamed(d, o)
	if err != nil {
		return nil, err
	}
	if b.shuffled, b.few = spool, true; d.Done("read") {
		return b, nil
	}
	return b, b.nameInputs()
}

// stepOfCopy returns a step of the stage that is next, and that stage. All files that the parts need must be there.
func (b *build) stepOfCopy(name string, parts PartRange) (*step, string, error) {
	stage := b.nextStage()
	steps := b.stepsOf(stage)
	at := slices.IndexFunc(steps, func(s stepOf) bool { return s.name == name })
	if at < 0 {
		return nil, "", fmt.Errorf("%w: stage %s is next, which has no step %q", ErrTask, stage, name)
	}
	n := b.needsOf(name)
	for part := parts.First; n.each != nil && part >= 0 && part <= min(parts.Last, parts.Of); part++ {
		n.files = append(n.files, n.each(part)...)
	}
	files, err := b.describeAll(n.files)
	if err != nil {
		return nil, "", err
	}
	for _, f := range files {
		if info, err := os.Stat(b.dir.Path(f.Name)); err != nil || info.Size() != f.Bytes {
			return nil, "", fmt.Errorf("%w: step %s reads %s of %d bytes, which is not there", ErrTask, name, f.Name, f.Bytes)
		}
	}
	s, err := steps[at].make(name)
	if err != nil {
		return nil, "", err
	}
	if parts.Of != s.parts || parts.First < 0 || parts.First > parts.Last || parts.Last >= s.parts {
		return nil, "", fmt.Errorf("%w: step %s has %d parts, not %d", ErrTask, s.name, s.parts, parts.Of)
	}
	for part := parts.First; stage == "read" && part <= parts.Last; part++ {
		if err := b.checkInputs(part); err != nil {
			return nil, "", err
		}
	}
	return s, stage, nil
}

// sending is a part that is done.
type sending struct {
	stage string
	step  *step
	files *partFiles
	note  any
	leave bool
}

// send writes the frames of a part that is done.
func (b *build) send(ctx context.Context, s sending, w *frames.Writer) error {
	part := s.files.part
	if s.stage == "read" {
		rest, err := b.sendShuffled(ctx, w, part)
		if s.files.names = []string{rest}; err != nil {
			return err
		}
	}
	r, err := b.dir.Receipt(s.stage, b.partNumber(s.stage, s.step.name, part), s.note, s.files.names...)
	if err != nil {
		return err
	}
	for _, f := range r.Files {
		if s.leave {
			continue
		}
		if err := sendFile(w, f.File, b.dir.Temp(f.Name)); err != nil {
			return err
		}
	}
	r.Step, r.Part, r.Parts = s.step.name, part+1, s.step.parts
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return w.Write(&frames.Frame{Kind: frames.Receipt, Part: frames.Driver, Data: body})
}

// sendFile writes the blocks of a file.
func sendFile(w *frames.Writer, f run.File, path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to := w.Blocks(frames.Frame{Kind: frames.File, Part: frames.Driver, Name: f.Name, Size: uint64(f.Bytes)})
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	_, err = to.Close()
	return err
}
