package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"
)

// A stage may divide its work into parts and record each of them when its files are complete, so that a stopped run
// continues within the stage. The journal of parts has a line for each recorded part: a JSON object that ends with a
// digest of the line. A line that is torn or damaged ends the journal.
//
// A part is valid while all its files exist with their sizes. When a stage is finished, only the parts remain whose
// files are all outputs of the stage; if one of these files is found damaged later, the stage is done again, and only
// that part of it is made anew.

// Part is a recorded part of a stage.
type Part struct {
	Number int
	Note   json.RawMessage // the note that FinishPart was given
	Files  []string        // names of its files
}

// part is a line of the journal.
type part struct {
	Stage  string          `json:"stage"`
	Number int             `json:"part"`
	Note   json.RawMessage `json:"note"`
	Files  []output        `json:"files"`
}

const partsName = "parts.jsonl"

// syncParts is the time between two syncs of the files of parts. A killed process loses no part that it has recorded.
// If the machine fails, the parts since the last sync may be lost or damaged, which their sizes and checksums show. A
// sync for each of 256 parts would take two seconds a stage on a common disk.
const syncParts = time.Second

// Parts returns the recorded parts of a stage in the order of their numbers. Like FinishPart, it may be called by
// several goroutines at once.
func (d *Dir) Parts(stage string) []Part {
	d.parting.Lock()
	defer d.parting.Unlock()
	var out []Part
	for _, p := range d.parts {
		if p.Stage == stage {
			out = append(out, Part{p.Number, p.Note, namesOf(p.Files)})
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

// FinishPart records part number of a stage that is not done yet. files are the names of its files, as passed to Temp
// and Path; FinishPart renames those that still have their temporary names. Their names begin with "work/", or they are
// outputs of the stage. note is kept as JSON for the process that continues the run. A part may not be recorded twice.
func (d *Dir) FinishPart(stage string, number int, note any, files ...string) error {
	p, err := d.describePart(stage, number, note, files)
	if err != nil {
		return fmt.Errorf("stage %s, part %d: %w", stage, number, err)
	}
	d.parting.Lock()
	defer d.parting.Unlock()
	if d.lock == nil {
		return fmt.Errorf("%s: stage %s, part %d: %w", d.path, stage, number, errClosed)
	}
	if d.Done(stage) || d.hasPart(p) {
		return fmt.Errorf("%s: stage %s, part %d is already done", d.path, stage, number)
	}
	if err := d.appendPart(p); err != nil {
		return err
	}
	d.parts, d.unsynced = append(d.parts, p), append(d.unsynced, p.Files...)
	if time.Since(d.synced) < syncParts {
		return nil
	}
	return d.syncParts()
}

func newPart(stage string, number int, note any, files int) (p part, err error) {
	p = part{Stage: stage, Number: number, Files: make([]output, files)}
	p.Note, err = json.Marshal(note)
	return p, err
}

func (d *Dir) describePart(stage string, number int, note any, files []string) (p part, err error) {
	if p, err = newPart(stage, number, note, len(files)); err != nil {
		return p, err
	}
	for i, name := range files {
		if p.Files[i], err = d.describe(name, false); err != nil {
			return p, err
		}
	}
	return p, nil
}

// appendPart appends a line to the journal. If that fails, it removes what was written of the line.
func (d *Dir) appendPart(p part) error {
	line, err := p.line()
	if err != nil {
		return err
	}
	if d.journal == nil {
		if d.journal, err = appendFile(d.partsPath()); err != nil {
			return err
		}
	}
	if _, err := d.journal.Write(line); err != nil {
		return errors.Join(err, os.Truncate(d.partsPath(), d.journaled))
	}
	d.journaled += int64(len(line))
	return nil
}

// syncParts syncs the files of the parts that were recorded since the last sync, and the journal.
func (d *Dir) syncParts() error {
	for _, f := range d.unsynced {
		if err := syncPath(d.Path(f.Name)); err != nil {
			return err
		}
	}
	if d.unsynced, d.synced = nil, time.Now(); d.journal == nil {
		return nil
	}
	return errors.Join(d.syncDirs(), d.journal.Sync())
}

func (d *Dir) partsPath() string { return filepath.Join(d.path, workName, partsName) }

// ForgetPart forgets the part that wrote the file at path, if there is one. Call it before Forget, which keeps the
// other parts of the stage.
func (d *Dir) ForgetPart(path string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	return d.keepParts(func(p part) bool {
		return !slices.ContainsFunc(p.Files, func(f output) bool { return d.Path(f.Name) == path })
	})
}

// ForgetParts forgets all parts of a stage that is not done yet.
func (d *Dir) ForgetParts(stage string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	return d.keepParts(func(p part) bool { return p.Stage != stage })
}

// keepParts forgets the parts for which keep returns false, and removes those of their files that are not outputs of a
// stage.
func (d *Dir) keepParts(keep func(part) bool) error {
	kept := d.parts[:0:0]
	var gone []output
	for _, p := range d.parts {
		if keep(p) {
			kept = append(kept, p)
		} else {
			gone = append(gone, p.Files...)
		}
	}
	if len(kept) == len(d.parts) {
		return nil
	}
	d.parts = kept
	if err := d.writeParts(); err != nil {
		return err
	}
	needed := d.recorded()
	for _, f := range gone {
		if !needed[f.Name] {
			if err := os.Remove(d.Path(f.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	d.unsynced = slices.DeleteFunc(d.unsynced, func(f output) bool { return !needed[f.Name] })
	return nil
}

// endParts forgets the parts of finished stages that have files that are not outputs.
func (d *Dir) endParts() error {
	outputs := map[string]map[string]bool{}
	for _, s := range d.state.Stages {
		outputs[s.Name] = map[string]bool{}
		for _, o := range s.Outputs {
			outputs[s.Name][o.Name] = true
		}
	}
	return d.keepParts(func(p part) bool {
		of, done := outputs[p.Stage]
		return !done || !slices.ContainsFunc(p.Files, func(f output) bool { return !of[f.Name] })
	})
}

// recorded returns the names of all files of finished stages and of recorded parts.
func (d *Dir) recorded() map[string]bool {
	names := map[string]bool{}
	for _, s := range d.state.Stages {
		for _, o := range s.left() {
			names[o.Name] = true
		}
	}
	for _, p := range d.parts {
		for _, f := range p.Files {
			names[f.Name] = true
		}
	}
	return names
}

// File describes a file of a run.
type File struct {
	Name   string `json:"name"` // with slashes, relative to the run directory
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // XXH3-128
}

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

// ofPart returns the description of a file that a recorded part of the stage wrote.
func (d *Dir) ofPart(stage, name string) (output, bool) {
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

// line returns the line of a part: JSON whose last member is the digest of the JSON without it.
func (p part) line() ([]byte, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return append(append(b[:len(b)-1:len(b)-1], partSeal...), hexDigest(xxh3.Hash128(b))+partSealEnd...), nil
}

const (
	partSeal    = `,"digest":"`
	partSealEnd = "\"}\n"
)

// parsePart returns the part of a line. ok is false if its digest is wrong.
func parsePart(line []byte) (p part, ok bool) {
	at := len(line) - len(partSealEnd) - sealSize - len(partSeal)
	if at < 0 || string(line[at:at+len(partSeal)]) != partSeal || !bytes.HasSuffix(line, []byte(partSealEnd)) {
		return p, false
	}
	b := slices.Concat(line[:at], []byte("}"))
	if hexDigest(xxh3.Hash128(b)) != string(line[at+len(partSeal):len(line)-len(partSealEnd)]) {
		return p, false
	}
	return p, json.Unmarshal(b, &p) == nil
}

// readParts returns the parts of the journal at path whose line is intact, up to the first line that is not.
func readParts(path string) ([]part, error) {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []part
	for line := range bytes.Lines(b) {
		p, ok := parsePart(line)
		if !ok {
			break
		}
		out = append(out, p)
	}
	return out, nil
}

// loadParts reads the journal, and leaves out the parts that lack a file.
func (d *Dir) loadParts() error {
	all, err := readParts(d.partsPath())
	if err != nil {
		return err
	}
	d.parts = all
	if err := d.addReceipts(); err != nil {
		return err
	}
	d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return d.checkOutputs(p.Files) != nil })
	if err := d.endParts(); err != nil {
		return err
	}
	return d.writeParts()
}

// writeParts replaces the journal by one of the parts that are still recorded.
func (d *Dir) writeParts() error {
	if err := d.closeJournal(); err != nil {
		return err
	}
	if d.journaled = 0; len(d.parts) == 0 {
		if err := os.Remove(d.partsPath()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b []byte
	for _, p := range d.parts {
		line, err := p.line()
		if err != nil {
			return err
		}
		b = append(b, line...)
	}
	if err := writeFile(d.partsPath(), b); err != nil {
		return err
	}
	d.journaled = int64(len(b))
	return nil
}

func (d *Dir) closeJournal() error {
	if d.journal == nil {
		return nil
	}
	f := d.journal
	d.journal = nil
	return f.Close()
}

// removeUnrecorded removes the intermediate files that are neither outputs of finished stages nor files of recorded
// parts.
func (d *Dir) removeUnrecorded() error {
	list, err := os.ReadDir(filepath.Join(d.path, workName))
	if err != nil {
		return err
	}
	needed := d.recorded()
	for _, e := range list {
		name := workName + "/" + e.Name()
		if e.Name() == stateName || e.Name() == partsName || needed[name] {
			continue
		}
		if err := os.RemoveAll(d.Path(name)); err != nil {
			return err
		}
	}
	return nil
}
