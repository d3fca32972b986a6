package gold

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/lshclust/lshclust/crawl/urls"
)

// Read reads a gold from a file of rows of URL and category path, gzipped or not. It counts rows that are not labels in
// Skipped. For a gold without any label, the error wraps ErrNoLabels; for another kind of gold, it wraps ErrWrongKind.
func Read(path string, rules *urls.Rules) (*Gold, error) {
	g, err := readGold(path, rules)
	if err != nil {
		return nil, err
	}
	if len(g.Labels) == 0 {
		return nil, fmt.Errorf("%s: %w%s\n  %s", path, ErrNoLabels, g.Skipped.why(), categoryExample)
	}
	return g, nil
}

func readGold(path string, rules *urls.Rules) (*Gold, error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, _ := f.Peek(headBytes) // a short file has a short head, which is no error
	if err := refuse(path, head, categoryExample); err != nil {
		return nil, err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, wrongKind(path, 0, "this is not text", categoryExample)
	}
	return readTSV(f, path, rules)
}

// ErrNoLabels is wrapped by the error for a gold in which no row is a label.
var ErrNoLabels = errors.New("no row is a URL with a category")

// why returns the most frequent reason for skipping rows, for an error message.
func (s Skips) why() string {
	var most *Skipped
	for i := range s {
		if x := &s[i]; most == nil || x.Count > most.Count {
			most = x
		}
	}
	if most == nil {
		return ": it has no rows"
	}
	return fmt.Sprintf(": %d × %s, the first %s", most.Count, most.Reason, most.Examples[0])
}

// plainFile is a decompressed file.
type plainFile struct {
	*bufio.Reader
	f *os.File
}

func (p *plainFile) Close() error { return p.f.Close() }

func openPlain(path string) (*plainFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(f, 1<<16)
	magic, err := in.Peek(2)
	if err != nil || magic[0] != 0x1f || magic[1] != 0x8b { // fewer than two bytes are not gzip
		return &plainFile{in, f}, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &plainFile{bufio.NewReaderSize(z, 1<<16), f}, nil
}
