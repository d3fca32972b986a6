package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// A file may be damaged between the stage that writes it and the stages that read it, especially while the run is
// stopped. Every file has checksums, which its readers verify. If a file is damaged, the stage that wrote it and all
// later stages are done again.

// maxDamage is how often one process repairs damage. If it finds more, the disk cannot be trusted.
const maxDamage = 3

// tables returns an empty set that verifies tables before opening them.
func (b *build) tables() tables.Set { return tables.Set{Verify: b.verifyTable} }

// partTables is like tables, for parts that return the error of the set at the end. If this process does only a few
// of many parts, the tables verify what it reads, block by block, because verifying all of a large table takes longer
// than a part.
func (b *build) partTables() tables.Set {
	if b.few {
		return tables.Set{}
	}
	return b.tables()
}

// verifyTable verifies the checksums of a table once for all stages that open it, and again if the file was written
// since.
func (b *build) verifyTable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	is := timeOf(info)
	if b.verified[path] == is {
		return nil
	}
	f, err := mapped.OpenAny(path)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Verify(), f.Close()); err != nil {
		return err
	}
	b.verified[path] = is
	return nil
}

// fileTime changes when a file is written.
type fileTime struct {
	size     int64
	modified time.Time
}

func timeOf(info os.FileInfo) fileTime { return fileTime{info.Size(), info.ModTime()} }

func (b *build) readEqual() (*resemble.Equal, *resemble.Boilerplate, error) {
	path := b.dir.Path(tables.EqualFile)
	if err := b.verifyTable(path); err != nil {
		return nil, nil, err
	}
	return tables.ReadEqual(path, b.config.Boilerplate())
}

// verifyStopped looks for files that were damaged while the run was stopped, and for parts of another build of
// lshclust. It compares tables with their digests, so their checksums need not be verified again.
func (r *runner) verifyStopped(ctx context.Context) error {
	before := r.fileTimes()
	damage, err := r.dir.Verify(ctx)
	for _, d := range damage {
		r.report.Damaged(d.Stage, d.Err)
	}
	if err == nil {
		err = r.setSizes()
	}
	if err != nil {
		return err
	}
	for path := range r.fileTimes() { // of the remaining stages
		r.verified[path] = before[path]
	}
	return nil
}

// fileTimes returns the times of the files of the finished stages.
func (r *runner) fileTimes() map[string]fileTime {
	times := map[string]fileTime{}
	for _, s := range r.dir.Stages() {
		for _, name := range r.dir.Outputs(s.Name) {
			if info, err := os.Stat(r.dir.Path(name)); err == nil {
				times[r.dir.Path(name)] = timeOf(info)
			}
		}
	}
	return times
}

// mended calls work until it meets no damaged file. After each damaged file, it marks the stage that wrote it and
// later stages as not done, so that the next call of work does them again.
func (r *runner) mended(work func() error) error {
	for {
		err := work()
		if err == nil {
			return nil
		}
		if err := r.mend(err); err != nil {
			return err
		}
	}
}

// mend marks the stage that wrote a damaged file, and later stages, as not done, and forgets the part that wrote it.
// It returns err if damage is not the cause, or if doing the stage again cannot help.
func (r *runner) mend(err error) error {
	if freed := (*freedError)(nil); errors.As(err, &freed) {
		return r.mendFreed(freed)
	}
	file, damaged := damagedFile(err)
	if !damaged {
		return err
	}
	if r.again++; r.again > maxDamage {
		return fmt.Errorf("damaged files were found %d times, so that the disk cannot be trusted: %w", r.again, err)
	}
	stage := r.dir.Writer(file)
	if stage == "" { // a file that no other stage reads
		if errors.Is(err, fs.ErrNotExist) {
			return err
		}
		stage = r.at
	}
	if stage == "read" && r.stream {
		return fmt.Errorf("%w: %w: it cannot be read again", err, ErrStream)
	}
	if errForget := errors.Join(r.dir.ForgetPart(file), r.dir.Forget(stage)); errForget != nil {
		return errors.Join(err, errForget)
	}
	r.report.Damaged(stage, err)
	return nil
}

// damagedFile reports whether an error means that a file of the run is damaged or missing, and returns its path if
// known.
func damagedFile(err error) (path string, damaged bool) {
	var frame *framed.Error
	var table *mapped.FormatError
	var file *fs.PathError
	switch {
	case errors.As(err, &frame):
		return frame.File, true
	case errors.As(err, &table):
		return table.File, true
	case errors.Is(err, extsort.ErrCorrupt):
		return "", true
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &file):
		return file.Path, true
	}
	return "", false
}
