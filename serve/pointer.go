package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/internal/run"
)

// maxPointer limits the bytes read from a pointer.
const maxPointer = 4096

// resolve returns the path of the run that a path refers to. A folder is the run itself; symbolic links are followed,
// so that a changed link names another run. The first line of a file is the path, relative to the folder of the file.
func resolve(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(target)
	if err != nil || info.IsDir() {
		return target, err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: neither a run nor a file that names one", path)
	}
	line, err := firstLine(target)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(filepath.Dir(target), line)
	}
	return filepath.EvalSymlinks(line)
}

func firstLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxPointer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if line = strings.TrimSpace(line); line == "" || len(line) >= maxPointer-1 || strings.ContainsRune(line, 0) {
		return "", errors.New("a file that names a run has the path of the run in its first line")
	}
	return line, nil
}

func manifestOf(path string) string { return filepath.Join(path, run.ManifestName) }
