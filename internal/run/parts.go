package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A stage may divide its work into parts and record each part when its files are complete, so that a stopped run
// continues within the stage. A recorded part has a receipt, a file that ends with its digest, as the state does.
// A torn or damaged receipt counts as missing.
//
// A part is valid while all its files exist with their sizes. When a stage is finished, it keeps only the parts whose
// files are all outputs of the stage. If one of these files is found damaged later, the stage is done again, but only
// that part of it has to be rebuilt.

// Part is a recorded part of a stage.
type Part struct {
	Number int
	Note   json.RawMessage // note passed to FinishPart
	Files  []string        // names of its files
	Freed  bool            // whether its files were removed
}

// part is the contents of a receipt.
type part struct {
	Stage  string          `json:"stage"`
	Number int             `json:"part"`
	Note   json.RawMessage `json:"note"`
	Files  []output        `json:"files"`
	Freed  bool            `json:"freed,omitempty"`
	Digest string          `json:"digest"` // XXH3-128 of the file: see sealed
}

const receiptSuffix = ".receipt"

// receipt returns the name of the receipt.
func (p part) receipt() string {
	return fmt.Sprintf("%s/%s-%06d%s", workName, p.Stage, p.Number, receiptSuffix)
}

// syncPeriod is the time between two syncs of the files of parts. A killed process loses no recorded part. If the
// machine fails, the parts since the last sync may be lost or damaged, which their sizes and checksums reveal.
// Syncing each of 256 parts would take two seconds per stage on a common disk.
const syncPeriod = time.Second

// partLog records what is done: stages in the state, and parts.
type partLog struct {
	place
	state
	parting  sync.Mutex
	parts    []part    // recorded parts, including those of finished stages
	unsynced []string  // files of parts since the last sync
	synced   time.Time // time of the last sync
}

// Parts returns the recorded parts of a stage, sorted by number. Like FinishPart, it may be called by several
// goroutines at once.
func (d *partLog) Parts(stage string) []Part {
	d.parting.Lock()
	defer d.parting.Unlock()
	var out []Part
	for _, p := range d.parts {
		if p.Stage == stage {
			out = append(out, Part{p.Number, p.Note, namesOf(p.Files), p.Freed})
		}
	}
	slices.SortFunc(out, func(a, b Part) int { return a.Number - b.Number })
	return out
}

func namesOf(files []output) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Name
	}
	return out
}

// ErrLate is wrapped by the error for a part of a stage that another process has finished in the meantime.
var ErrLate = errors.New("the stage is done already")

// FinishPart records a part, given its number, of a stage that is not done yet. files are the names of its files, as
// passed to Temp and Path; FinishPart renames those that still have their temporary names. The names must begin with
// "work/" or be outputs of the stage. note is stored as JSON for the process that continues the run.
//
// A part may be recorded only once, except in a directory opened with Attach. If another process has finished the
// stage there, the error is ErrLate, and nothing changes.
func (d *partLog) FinishPart(stage string, number int, note any, files ...string) error {
	p := part{Stage: stage, Number: number, Files: make([]output, len(files))}
	err := d.checkPart(p)
	if err == nil {
		p.Note, err = json.Marshal(note)
	}
	for i := 0; i < len(files) && err == nil; i++ {
		p.Files[i], err = d.describe(files[i])
	}
	if err == nil {
		err = d.recordPart(p)
	}
	if err != nil {
		return fmt.Errorf("%s: stage %s, part %d: %w", d.path, stage, number, err)
	}
	return nil
}

// checkPart returns an error if a part cannot be recorded.
func (d *partLog) checkPart(p part) error {
	if d.Attempt != "" {
		now, err := readState(d.Path(stateFile))
		if err != nil || now.stage(p.Stage) != nil {
			return errors.Join(ErrLate, err)
		}
		return nil
	}
	if d.lock == nil {
		return errClosed
	}
	return nil
}

// recordPart writes a receipt. If a sync is due, it syncs the files of all parts first.
func (d *partLog) recordPart(p part) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	same := func(o part) bool { return o.Stage == p.Stage && o.Number == p.Number }
	if d.Attempt == "" && (d.Done(p.Stage) || slices.ContainsFunc(d.parts, same)) {
		return errors.New("it is done already")
	}
	before := d.unsynced
	d.unsynced = slices.Concat(before, namesOf(p.Files))
	due := d.Attempt != "" || time.Since(d.synced) >= syncPeriod
	if due {
		if err := d.syncParts(func(string) bool { return true }); err != nil {
			d.unsynced = before
			return err
		}
		d.synced = time.Now()
	}
	if err := d.writeReceipt(&p, due); err != nil {
		return err
	}
	d.parts = append(d.parts, p)
	if due {
		return d.syncDirs()
	}
	d.unsynced = append(d.unsynced, p.receipt())
	return nil
}

func (d *partLog) writeReceipt(p *part, synced bool) error {
	b, err := sealed(p, &p.Digest)
	if err != nil {
		return err
	}
	temp := d.Temp(p.receipt())
	err = os.WriteFile(temp, b, 0o666)
	if err == nil && synced {
		err = d.sync(temp)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Rename(temp, d.Path(p.receipt()))
}

// syncParts syncs the files of parts recorded since the last sync for which need returns true.
func (d *partLog) syncParts(need func(name string) bool) error {
	for _, name := range d.unsynced {
		if need(name) {
			if err := d.sync(d.Path(name)); err != nil {
				return err
			}
		}
	}
	d.unsynced = nil
	return d.syncDirs()
}

// ForgetPart forgets the part that wrote the file at path, if there is one. Call it before Forget, which keeps the
// other parts of the stage.
func (d *partLog) ForgetPart(path string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	return d.keepParts(func(p part) bool {
		return !slices.ContainsFunc(p.Files, func(f output) bool { return d.Path(f.Name) == path })
	})
}

// ForgetParts forgets all parts of a stage that is not done yet.
func (d *partLog) ForgetParts(stage string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	return d.keepParts(func(p part) bool { return p.Stage != stage })
}

// FreeParts removes the files of parts from to to-1 of a stage. Their notes stay.
func (d *partLog) FreeParts(stage string, from, to int) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	var gone []output
	for i, p := range d.parts {
		if p.Stage != stage || p.Number < from || p.Number >= to || p.Freed {
			continue
		}
		gone = append(gone, p.Files...)
		p.Files, p.Freed = []output{}, true
		if err := d.writeReceipt(&p, true); err != nil {
			return err
		}
		d.parts[i] = p
	}
	if err := d.syncDirs(); err != nil {
		return err
	}
	return d.removeUnneeded(namesOf(gone))
}

// keepParts forgets the parts for which keep returns false, and removes their files that are not outputs of a stage.
func (d *partLog) keepParts(keep func(part) bool) error {
	kept := d.parts[:0:0]
	var gone []string
	for _, p := range d.parts {
		if keep(p) {
			kept = append(kept, p)
		} else {
			gone = append(append(gone, p.receipt()), namesOf(p.Files)...)
		}
	}
	d.parts = kept
	return d.removeUnneeded(gone)
}

// removeUnneeded removes files that no stage and no part has recorded.
func (d *partLog) removeUnneeded(names []string) error {
	if len(names) == 0 {
		return nil
	}
	needed := d.recorded()
	for _, name := range names {
		if !needed[name] {
			if err := os.RemoveAll(d.Path(name)); err != nil {
				return err
			}
		}
	}
	d.unsynced = slices.DeleteFunc(d.unsynced, func(name string) bool { return !needed[name] })
	return nil
}

// endParts forgets the parts of finished stages whose files were removed or are not all outputs.
func (d *partLog) endParts() error {
	outputs := map[string]map[string]bool{}
	for _, s := range d.state.Stages {
		outputs[s.Name] = map[string]bool{}
		for _, o := range s.Outputs {
			outputs[s.Name][o.Name] = true
		}
	}
	return d.keepParts(func(p part) bool {
		of, done := outputs[p.Stage]
		return !done || !p.Freed && !slices.ContainsFunc(p.Files, func(f output) bool { return !of[f.Name] })
	})
}

// recorded returns the names of all files of finished stages and of recorded parts, including receipts.
func (d *partLog) recorded() map[string]bool {
	names := map[string]bool{}
	for _, s := range d.state.Stages {
		for _, o := range s.left() {
			names[o.Name] = true
		}
	}
	for _, p := range d.parts {
		names[p.receipt()] = true
		for _, f := range p.Files {
			names[f.Name] = true
		}
	}
	return names
}

// VerifyPart compares a file of a recorded part with its description. The error wraps ErrDamaged.
func (d *partLog) VerifyPart(ctx context.Context, stage, name string) error {
	d.parting.Lock()
	o, ok := d.ofPart(stage, name)
	d.parting.Unlock()
	if !ok {
		return fmt.Errorf("%s: %w: no part of stage %s has recorded it", d.Path(name), ErrDamaged, stage)
	}
	return d.verify(ctx, o)
}

// ofPart returns the description of a file that a recorded part of the stage wrote.
func (d *partLog) ofPart(stage, name string) (output, bool) {
	for _, p := range d.parts {
		if p.Stage != stage {
			continue
		}
		if i := slices.IndexFunc(p.Files, func(f output) bool { return f.Name == name }); i >= 0 {
			return p.Files[i], true
		}
	}
	return output{}, false
}

// parsePart parses a receipt. ok is false if its digest is wrong.
func parsePart(b []byte) (p part, ok bool) {
	return p, checkSeal(b) == nil && json.Unmarshal(b, &p) == nil
}

// readParts returns the parts with intact receipts in the run directory at path.
func readParts(path string) (out []part, err error) {
	work := filepath.Join(path, workName)
	list, err := os.ReadDir(work)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), receiptSuffix) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(work, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if p, ok := parsePart(b); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// loadParts reads the receipts and ignores parts that lack a file.
func (d *partLog) loadParts() (err error) {
	if d.parts, err = readParts(d.path); err != nil {
		return err
	}
	d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return d.checkOutputs(p.Files) != nil })
	return nil
}

// removeUnrecorded removes the intermediate files that neither a finished stage nor a part has recorded.
func (d *partLog) removeUnrecorded() error {
	list, err := os.ReadDir(filepath.Join(d.path, workName))
	if err != nil {
		return err
	}
	var names []string
	for _, e := range list {
		if e.Name() != stateName {
			names = append(names, workName+"/"+e.Name())
		}
	}
	return d.removeUnneeded(names)
}
