package static

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/serve/api"
)

// ErrNotEmpty is wrapped by the error for a folder that holds something.
var ErrNotEmpty = errors.New("it is not empty")

// Write writes a report about a run to a folder, which must be empty or not exist, and returns the number of files.
func Write(ctx context.Context, dir string, run *api.Run, o Options) (int, error) {
	switch there, err := os.ReadDir(dir); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	case len(there) > 0:
		return 0, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	files, err := Export(ctx, run, o)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o666); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}
