package eval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/lshclust/lshclust/crawl"
)

// ReadGold reads the gold in a file, gzipped or not. The format is found by the content. Rows that are no labels are
// counted in Skipped; a file that has no label at all is an error.
func ReadGold(path string, rules *crawl.Rules) (g *Gold, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in, err := plain(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if g, err = readTSV(in, filepath.Base(path), rules); err != nil {
		return nil, err
	}
	if len(g.Labels) == 0 {
		return nil, fmt.Errorf("%s: %w%s", path, ErrNoLabels, g.why())
	}
	return g, nil
}

// ErrNoLabels is wrapped by the error for a gold in which no row is a label.
var ErrNoLabels = errors.New("no row is a URL with a category")

// why tells what was skipped first, for an error.
func (g *Gold) why() string {
	if len(g.Skipped) == 0 {
		return ": the file is empty"
	}
	s := g.Skipped[0]
	return fmt.Sprintf(": %d × %s, the first %s", s.Count, s.Reason, s.Examples[0])
}

// plain undoes gzip if the first bytes say so.
func plain(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic, err := in.Peek(2)
	if err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return in, nil // shorter than two bytes: not gzip
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}
