package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a run directory under construction. It holds the lock from Create to Publish or Close. It is not safe for
// concurrent use except where a method says so.
type Dir struct {
	partLog
	damage []Damage // found by Create, for Verify
}

// place is where a run directory is, and how its files are named and written.
type place struct {
	// Attempt is the suffix of the temporary names of a process that called Attach, otherwise "". A part whose file does not
	// always have the same bytes appends it to the final name, too, so that a receipt always describes the file of its own
	// process.
	Attempt string
	path    string
	lock    *lock
	create  func(path string) (file, error) // creates the files of the state and the manifest; tests replace it
	sync    func(path string) error         // syncs a file or a folder; tests replace it
}

// Create makes the directory path, or takes over one whose construction was stopped, and locks it. config is
// everything that decides the tables, so it includes neither the number of workers nor the memory limit. Create
// records it as JSON and compares it key by key. It compares inputs in order, by size and digest, or by size and path
// if a digest is missing.
//
// Errors are a *FinishedError, ErrLocked, ErrNotRun (the directory contains something else), ErrInside, ErrFormat (another
// version of lshclust began the run), a *MismatchError, or an error of the file system.
func Create(path string, config any, inputs []Input) (*Dir, error) {
	want, err := newState(config, inputs)
	if err != nil {
		return nil, err
	}
	if err := CheckOutside(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	l, err := lockDir(path)
	if err != nil {
		return nil, err
	}
	d := &Dir{partLog: partLog{place: place{path: path, lock: l, create: createFile, sync: syncPath}, state: want}}
	if err := d.begin(); err != nil {
		return nil, errors.Join(err, l.unlock())
	}
	return d, nil
}

// CheckOutside refuses a path inside a run directory, even through symbolic links, because nothing may be added to a
// run.
func CheckOutside(path string) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	at, err := filepath.EvalSymlinks(full)
	if err == nil {
		at = filepath.Dir(at)
	}
	for parent := full; err != nil && parent != filepath.Dir(parent); at, err = filepath.EvalSymlinks(parent) {
		parent = filepath.Dir(parent) // up to an existing folder
	}
	for ; ; at = filepath.Dir(at) {
		_, err := Open(at)
		if _, unfinished := errors.AsType[*UnfinishedError](err); err == nil || unfinished {
			return fmt.Errorf("%s: %w %s; choose another output directory (-o)", path, ErrInside, at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// begin determines whether the directory is a finished run, a run under construction, empty, or something else.
func (d *Dir) begin() error {
	if exists(d.Path(ManifestName)) {
		if _, err := readManifest(d.Path(ManifestName)); err == nil && leftBehind(d.path) {
			removeWork(d.path) //nolint:errcheck // the run is valid with these files
		}
		return d.finished()
	}
	then, err := readState(d.Path(stateFile))
	switch {
	case err == nil:
		return d.resume(then)
	case errors.Is(err, ErrDamaged):
		if err := d.checkOurs(); err != nil {
			return err
		}
		if err := d.clear(); err != nil {
			return err
		}
		d.damage = append(d.damage, Damage{Err: err})
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if err := d.checkWork(); err != nil {
			return err
		}
	}
	if err := d.holdsOnly("", workName); err != nil { // which a process killed in Create leaves without a state
		return err
	}
	if err := os.MkdirAll(filepath.Join(d.path, workName), 0o777); err != nil {
		return err
	}
	if err := syncPath(d.path); err != nil {
		return err
	}
	return d.saveState()
}

// finished returns the error for a directory that contains a finished run.
func (d *Dir) finished() error {
	m, err := readManifest(d.Path(ManifestName))
	if err != nil {
		return &FinishedError{Path: d.path, Diffs: []string{err.Error()}}
	}
	then := state{Config: m.Config, ConfigDigest: m.ConfigDigest, Inputs: m.Inputs}
	diffs := then.diff(d.state)
	for _, in := range d.state.Inputs {
		if in.Digest == "" {
			diffs = append(diffs, in.Path+" is a stream, which cannot be compared")
		}
	}
	return &FinishedError{d.path, m, diffs}
}

// Replace puts the run directory newer in the place of the run directory path and removes the latter.
func Replace(path, newer string) error {
	old, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".old-")
	if err != nil {
		return err
	}
	aside := filepath.Join(old, "run")
	if err := os.Rename(path, aside); err != nil {
		return errors.Join(err, os.Remove(old))
	}
	if err := os.Rename(newer, path); err != nil {
		return errors.Join(err, os.Rename(aside, path), os.Remove(old))
	}
	return errors.Join(syncPath(filepath.Dir(path)), os.RemoveAll(old))
}

// tableNames lists the tables of a run that cannot be recognized by the suffix of their names.
var tableNames = []string{
	PagesTable, RedirectsTable, TopicalTreeTable, SyntacticPairsTable, SyntacticClustersTable, DroppedList,
}

// clear removes the tables of a run whose state is damaged. If the directory contains anything else, clear removes
// nothing.
func (d *Dir) clear() error {
	list, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	ours := list[:0]
	for _, e := range list {
		if e.Type().IsRegular() && (kindOf(e.Name()) == kindMapped || slices.Contains(tableNames, e.Name())) {
			ours = append(ours, e)
		} else if e.Name() != workName {
			return notRun(d.path, e.Name())
		}
	}
	for _, e := range ours {
		if err := os.Remove(d.Path(e.Name())); err != nil {
			return err
		}
	}
	return d.removeUnrecorded()
}

func notRun(path, holds string) error {
	return fmt.Errorf("%s: %w: it holds %q; choose another output directory (-o)", path, ErrNotRun, holds)
}

// checkOurs refuses a folder work if its state.json has no valid digest and looks like a file of another program,
// because finishing a run removes the folder. It accepts a folder that contains nothing else.
func (d *place) checkOurs() error {
	b, err := readSmall(d.Path(stateFile))
	if err != nil {
		return err
	}
	for _, mark := range [...]string{`"config_digest": "`, sealStart, "{\n  \"format\": "} {
		if bytes.Contains(b, []byte(mark)) {
			return nil
		}
	}
	return d.checkWork()
}

// checkWork refuses a folder work that contains anything but the files of a process that was killed in Create.
func (d *place) checkWork() error { return d.holdsOnly(workName, stateName, stateName+tempSuffix) }

// holdsOnly refuses a folder of the directory that contains anything else than the given names.
func (d *place) holdsOnly(folder string, names ...string) error {
	list, err := os.ReadDir(filepath.Join(d.path, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range list {
		if !slices.Contains(names, e.Name()) {
			return notRun(d.path, path.Join(folder, e.Name()))
		}
	}
	return nil
}

// resume continues after the recorded stages, up to the first stage with a missing file.
func (d *Dir) resume(then state) error {
	if then.Format != d.state.Format { // its settings have other names
		return fmt.Errorf("%s: %w: another version of lshclust began this run, with version %d, and this one builds version %d; choose another output directory (-o), or remove this one",
			d.path, ErrFormat, then.Format, d.state.Format)
	}
	if diffs := then.diff(d.state); len(diffs) > 0 {
		return &MismatchError{d.path, diffs}
	}
	d.state = then
	for i, s := range then.Stages {
		if err := d.checkOutputs(s.left()); err != nil {
			d.state.Stages = then.Stages[:i]
			d.damage = append(d.damage, Damage{s.Name, err})
			break
		}
	}
	if err := d.loadParts(); err != nil {
		return err
	}
	for _, p := range d.parts {
		if !d.Done(p.Stage) { // the process that wrote them may not have synced them
			d.unsynced = append(d.unsynced, namesOf(p.Files)...)
		}
	}
	if err := d.endParts(); err != nil {
		return err
	}
	return d.removeUnrecorded()
}

// checkOutputs checks that files exist and have their recorded sizes.
func (d *place) checkOutputs(files []output) error {
	for _, o := range files {
		st, err := os.Stat(d.Path(o.Name))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if st.Size() != o.Bytes {
			return fmt.Errorf("%s: %w: %d bytes, not %d", d.Path(o.Name), ErrDamaged, st.Size(), o.Bytes)
		}
	}
	return nil
}

// Path returns the path of the named file of the run. Names that begin with "work/" are those of intermediate files,
// which Publish removes.
func (d *place) Path(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Temp returns the temporary path of the named file, which a stage writes and Finish renames to Path(name). After a
// crash, the next Create removes such files.
func (d *place) Temp(name string) string {
	return filepath.Join(d.path, workName, strings.ReplaceAll(name, "/", "~")+d.Attempt+tempSuffix)
}

// TempDir creates an empty folder for temporary files of a stage. The caller removes it; after a crash, the next
// Create does.
func (d *place) TempDir(name string) (string, error) {
	p := d.Temp(name)
	if err := os.RemoveAll(p); err != nil {
		return "", err
	}
	return p, os.MkdirAll(p, 0o777)
}

// Done reports whether a stage is done.
func (s *state) Done(stage string) bool { return s.stage(stage) != nil }

// Stats returns the statistics of a stage that is done.
func (s *state) Stats(stage string) (StageStats, bool) {
	if done := s.stage(stage); done != nil {
		return done.StageStats, true
	}
	return StageStats{}, false
}

// Outputs returns the names of the files of a stage that is done.
func (s *state) Outputs(stage string) []string {
	if done := s.stage(stage); done != nil {
		return namesOf(done.Outputs)
	}
	return nil
}

// Stages returns the statistics of all stages that are done, in order.
func (d *Dir) Stages() []StageStats {
	out := make([]StageStats, len(d.state.Stages))
	for i := range d.state.Stages {
		out[i] = d.state.Stages[i].StageStats
	}
	return out
}

// SetArguments records the command-line arguments that name the inputs, for other processes that read them.
func (d *Dir) SetArguments(args []string) error {
	if slices.Equal(d.state.Arguments, args) {
		return nil
	}
	d.state.Arguments = args
	return d.saveState()
}

// Close releases the lock without finishing the run. The state stays.
func (d *place) Close() error {
	if d.lock == nil {
		return nil
	}
	l := d.lock
	d.lock = nil
	return l.unlock()
}

// While nobody holds the lock, several processes, even on several machines that share the directory, may do parts of
// a stage at the same time. Each opens the directory with Attach, writes the files of a part under temporary names
// that no other process uses, renames them, and then writes the receipt. Processes that do the same part write the
// same bytes, so it does not matter whose files remain.

// Attach opens the unfinished run at path for a process that does parts of a stage. It takes no lock, so Create must
// not be called before all of these processes have ended. Of the methods of the Dir, call only TempDir, FinishPart and those
// that change nothing.
//
// Errors are ErrFinished, ErrNotRun, ErrFormat, ErrDamaged, or an error of the file system.
func Attach(path string) (*Dir, error) {
	d := &Dir{}
	d.place = place{path: path, Attempt: fmt.Sprintf(".%d-%016x", os.Getpid(), rand.Uint64()), create: createFile, sync: syncPath}
	if exists(d.Path(ManifestName)) {
		return nil, fmt.Errorf("%s: %w", path, ErrFinished)
	}
	var err error
	d.state, err = readState(d.Path(stateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", path, ErrNotRun)
	case err != nil:
		return nil, err
	case d.state.Format != FormatVersion:
		return nil, fmt.Errorf("%s: %w: version %d, and this program builds version %d", path, ErrFormat, d.state.Format, FormatVersion)
	}
	return d, d.loadParts()
}
