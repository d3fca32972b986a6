package run

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// While nobody holds the lock, several processes, even on several machines that share the directory, may do parts of
// a stage at the same time. Each opens the directory with Attach, writes the files of a part under temporary names
// that no other process uses, renames them, and then writes the receipt. Processes that do the same part write the
// same bytes, so it does not matter whose files remain.

// Attach opens the unfinished run at path for a process that does parts of a stage. It takes no lock, so Create must
// not be called before all of these processes have ended. Only TempDir and FinishPart change the directory.
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
