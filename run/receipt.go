package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A process that does not see the run directory does a part in a copy: a folder that holds the state of the run and the
// files that the part reads. It hands the files that it writes and a receipt to the driver, the process that has the run
// directory, which verifies them and takes them in.

// File describes a file of a run.
type File struct {
	Name   string `json:"name"` // with slashes, relative to the run directory
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // XXH3-128
}

// StateFiles returns the files that make a copy of the run: its state, the journal, and the receipts of the parts of a
// stage with numbers below one.
func (d *Dir) StateFiles(stage string, below int) (out []File, err error) {
	names := []string{path.Join(workName, stateName)}
	if exists(d.partsPath()) {
		names = append(names, path.Join(workName, partsName))
	}
	left, err := os.ReadDir(d.Path(workName))
	if err != nil {
		return nil, err
	}
	for _, e := range left {
		var number int
		of, ok := strings.CutSuffix(e.Name(), receiptSuffix)
		if _, err := fmt.Sscanf(strings.TrimPrefix(of, stage+"-"), "%d", &number); ok && err == nil && of == receiptOf(stage, number) && number < below {
			names = append(names, path.Join(workName, e.Name()))
		}
	}
	for _, name := range names {
		is, err := DigestFile(context.Background(), d.Path(name))
		if err != nil {
			return nil, err
		}
		out = append(out, File{name, is.Bytes, is.Digest})
	}
	return out, nil
}

// receiptOf returns the name of a receipt without its suffix.
func receiptOf(stage string, number int) string { return fmt.Sprintf("%s-%05d", stage, number) }

// Recorded returns the description of a file that a stage or a part has recorded, and that is still there.
func (d *Dir) Recorded(name string) (File, bool) {
	d.parting.Lock()
	defer d.parting.Unlock()
	is := func(o output) bool { return o.Name == name }
	for _, s := range d.state.Stages {
		outputs := s.left()
		i := slices.IndexFunc(outputs, is)
		switch {
		case i >= 0 && slices.Contains(s.Holed, name): // so that it has another digest
			now, err := DigestFile(context.Background(), d.Path(name))
			return File{name, now.Bytes, now.Digest}, err == nil
		case i >= 0:
			return File(outputs[i]), true
		}
	}
	for _, p := range d.parts {
		if i := slices.IndexFunc(p.Files, is); i >= 0 {
			return File(p.Files[i]), true
		}
	}
	return File{}, false
}

// Receipt says what a process did that does not see the run directory.
type Receipt struct {
	Step    string     `json:"step"`
	Part    int        `json:"part"` // from 1
	Parts   int        `json:"parts"`
	Attempt string     `json:"attempt"`
	Files   []LeftFile `json:"files"`
	Line    string     `json:"line"` // of the journal
}

// LeftFile is a file of a part with the name that it has until the driver takes it in.
type LeftFile struct {
	File
	Left string `json:"left"`
}

// leftAs returns the name that a file of an attempt has until the driver takes it in, the last element of what Temp
// returns.
func leftAs(name, attempt string) string {
	return path.Join(workName, strings.ReplaceAll(name, "/", "~")+attempt+tempSuffix)
}

// Receipt describes a part with its files, which stay under their temporary names.
func (d *Dir) Receipt(stage string, number int, note any, files ...string) (r Receipt, err error) {
	p, err := newPart(stage, number, note, len(files))
	if err != nil {
		return r, err
	}
	r.Attempt, r.Files = d.attempt, make([]LeftFile, len(files))
	for i, name := range files {
		is, err := DigestFile(context.Background(), d.Temp(name))
		if err != nil {
			return r, err
		}
		p.Files[i] = output{name, is.Bytes, is.Digest}
		r.Files[i] = LeftFile{File(p.Files[i]), leftAs(name, d.attempt)}
	}
	line, err := p.line()
	r.Line = string(line)
	return r, err
}

// ErrReceipt is wrapped by the error for a part that cannot be taken in.
var ErrReceipt = errors.New("the part cannot be taken in")

// Accept takes in the part of a receipt. at returns the path of each of its files: whole if the part is to be taken in.
// known is true if the part is recorded already. A part shows when all its files have the size and the digest that the
// receipt states, and have their names; two processes may accept one part at once.
func (d *Dir) Accept(r Receipt, stage string, number int, at func(f LeftFile) string) (known bool, err error) {
	p, ok := parsePart([]byte(r.Line))
	if !ok || p.Stage != stage || p.Number != number || strings.ContainsAny(r.Attempt, `/\`) {
		return false, fmt.Errorf("%w: its receipt is damaged or of another stage", ErrReceipt)
	}
	if d.hasPart(p) {
		return true, nil
	}
	left := func(f output) string { return at(LeftFile{File(f), leftAs(f.Name, r.Attempt)}) }
	for _, f := range p.Files {
		if err := d.checkLeft(f, left(f)); err != nil {
			return false, err
		}
	}
	for _, f := range p.Files {
		if err := syncRename(left(f), d.Path(f.Name)); err != nil {
			return false, err
		}
	}
	d.parts = append(d.parts, p)
	return false, d.leaveReceipt(p)
}

// hasPart reports whether a part with the number of p is recorded.
func (d *Dir) hasPart(p part) bool {
	return slices.ContainsFunc(d.parts, func(o part) bool { return o.Stage == p.Stage && o.Number == p.Number })
}

// checkLeft compares a file that another process has left with its description.
func (d *Dir) checkLeft(f output, at string) error {
	name := filepath.FromSlash(f.Name)
	if !filepath.IsLocal(name) || f.Name == ManifestName || d.Path(f.Name) == d.statePath() || d.Path(f.Name) == d.partsPath() {
		return fmt.Errorf("%w: %q is not a valid name for an output", ErrReceipt, f.Name)
	}
	is, err := DigestFile(context.Background(), at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: its file %s is neither in the frames nor at %s", ErrReceipt, f.Name, at)
	case err != nil:
		return err
	case is.Bytes != f.Bytes || is.Digest != f.Digest:
		return fmt.Errorf("%w: its file %s has %d bytes with digest %s, and its receipt says %d with %s", ErrReceipt, f.Name, is.Bytes, is.Digest, f.Bytes, f.Digest)
	}
	return nil
}
