package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Several processes, also on several machines that share the directory, may do parts of a stage at the same time while
// nobody holds the lock. Each opens the directory with Attach, writes the files of a part under temporary names that no
// other process uses, renames them, and then leaves a receipt, a file with the line that the journal would have. The
// next Create takes the receipts into the journal. Processes that do the same part write the same bytes, so it does not
// matter whose files remain.

// Attach opens the unfinished run at path for a process that does parts of a stage. It takes no lock, so Create must not
// be called before all of these processes have ended. The only methods that change the directory are TempDir and
// LeavePart.
//
// Errors are ErrFinished, ErrNotRun, ErrFormat, ErrDamaged, or an error of the file system.
func Attach(path string) (*Dir, error) {
	d := &Dir{path: path}
	if exists(d.Path(ManifestName)) {
		return nil, fmt.Errorf("%s: %w", path, ErrFinished)
	}
	s, err := readState(d.statePath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", path, ErrNotRun)
	case err != nil:
		return nil, err
	case s.Format != FormatVersion:
		return nil, fmt.Errorf("%s: %w: version %d, and this program builds version %d", path, ErrFormat, s.Format, FormatVersion)
	}
	d.state, d.attempt = s, fmt.Sprintf(".%d-%016x", os.Getpid(), rand.Uint64())
	if d.parts, err = readParts(d.partsPath()); err != nil {
		return nil, err
	}
	if err := d.addReceipts(); err != nil {
		return nil, err
	}
	d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return d.checkOutputs(p.Files) != nil })
	return d, nil
}

// Attempt returns what the temporary names of this process end with, empty if Create opened the directory. A part whose
// file does not always have the same bytes adds it to the final name as well, so that a receipt is always about the file
// of its own process.
func (d *Dir) Attempt() string { return d.attempt }

// Config returns the configuration of the run as JSON.
func (d *Dir) Config() json.RawMessage { return d.state.Config }

const receiptSuffix = ".receipt"

// ErrLate is wrapped by the error for a part of a stage that another process has finished meanwhile.
var ErrLate = errors.New("the stage is done already")

// LeavePart is FinishPart for a directory that Attach has opened. It leaves a receipt for the next Create. The part may
// have been recorded before. If the stage is done meanwhile, by a process that did not wait for this one, the error is
// ErrLate, and nothing changes.
func (d *Dir) LeavePart(stage string, number int, note any, files ...string) error {
	now := &Dir{path: d.path}
	var err error
	if now.state, err = readState(d.statePath()); err != nil || now.Done(stage) {
		return errors.Join(fmt.Errorf("%s: stage %s, part %d: %w", d.path, stage, number, ErrLate), err)
	}
	p, err := d.describePart(stage, number, note, files)
	if err != nil {
		return fmt.Errorf("stage %s, part %d: %w", stage, number, err)
	}
	for _, f := range p.Files {
		if err := syncPath(d.Path(f.Name)); err != nil {
			return err
		}
	}
	return d.leaveReceipt(p)
}

func (d *Dir) leaveReceipt(p part) error {
	line, err := p.line()
	if err != nil {
		return err
	}
	name := workName + "/" + fmt.Sprintf("%s-%05d", p.Stage, p.Number) + receiptSuffix
	if err := os.WriteFile(d.Temp(name), line, 0o666); err != nil {
		return err
	}
	if err := syncRename(d.Temp(name), d.Path(name)); err != nil {
		return err
	}
	return d.syncDirs()
}

// addReceipts adds the parts that other processes have left receipts of.
func (d *Dir) addReceipts() error {
	list, err := os.ReadDir(d.Path(workName))
	if err != nil {
		return err
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), receiptSuffix) {
			continue
		}
		left, err := readParts(filepath.Join(d.Path(workName), e.Name()))
		if err != nil {
			return err
		}
		for _, p := range left {
			if !d.hasPart(p) {
				d.parts = append(d.parts, p)
			}
		}
	}
	return nil
}

// hasPart reports whether a part with the number of p is recorded.
func (d *Dir) hasPart(p part) bool {
	return slices.ContainsFunc(d.parts, func(o part) bool { return o.Stage == p.Stage && o.Number == p.Number })
}
