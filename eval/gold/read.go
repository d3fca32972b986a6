package gold

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/lshclust/lshclust/crawl/urls"
)

// maxLine is the maximum length of a line; a longer line is an error.
const maxLine = 1 << 20

// Read reads a gold from a file, gzipped or not, of lines of URL, tab, and category path with slashes. It applies the rules
// of the run to the URL, as to those of the pages. It ignores further columns, empty lines and lines that begin with #,
// and counts lines that are not labels in Skipped. A file without any label, or of another kind, is an error.
func Read(path string, rules *urls.Rules) (*Gold, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := read(f, filepath.Base(filepath.Clean(path)), rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n  a gold of categories has lines of URL, tab, category/path: https://www.sqlite.org/<TAB>Databases/Embedded", path, err)
	}
	return g, nil
}

func read(f io.Reader, name string, rules *urls.Rules) (*Gold, error) {
	in := bufio.NewReaderSize(f, 1<<16)
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b { // fewer than two bytes are not gzip
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	head, _ := in.Peek(512) // a short file has a short head, which is no error
	if kind := kindOf(head); kind != "" {
		return nil, errors.New(kind)
	}
	g := &Gold{Name: name}
	rows, pairs := 0, 0
	err := tsvRows(in, g.Name, func(cells []string, at string) {
		rows++
		if len(cells) > 1 && strings.Contains(cells[1], "://") {
			pairs++
		}
		g.add(cells, at, rules)
	})
	switch {
	case err != nil:
		return nil, err
	case pairs > 0 && pairs == rows:
		return nil, errors.New("two URLs on a line are a pair, and no category")
	case len(g.Labels) == 0:
		return nil, fmt.Errorf("no row is a URL with a category: %s", g.Skipped.why())
	}
	return g, nil
}

// kindOf returns what a file seems to be by its head, or "" if it may be a gold.
func kindOf(head []byte) string {
	first := strings.ToLower(string(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")))
	switch {
	case len(head) == 0:
		return "the file is empty"
	case strings.HasPrefix(first, "<!doctype html"), strings.HasPrefix(first, "<html"):
		return "this is an HTML page"
	case strings.HasPrefix(first, "{"):
		return "this is JSON"
	case bytes.IndexByte(head, 0) >= 0:
		return "this is not text"
	}
	return ""
}

// tsvRows calls row with the cells of each line that is neither blank nor a comment, and its place.
func tsvRows(in io.Reader, name string, row func(cells []string, at string)) error {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxLine)
	line := 1
	for ; s.Scan(); line++ {
		text := s.Text()
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#") {
			row(strings.Split(strings.TrimRight(text, "\r"), "\t"), fmt.Sprintf("%s:%d", name, line))
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return nil
}

// add adds the label of a line, or counts the reason for skipping it.
func (g *Gold) add(cells []string, at string, rules *urls.Rules) {
	if len(cells) < 2 {
		g.Skipped.Add(BadRow, at, cells[0])
		return
	}
	var path []string
	for level := range strings.SplitSeq(cells[1], "/") {
		if level = strings.TrimSpace(level); level != "" {
			path = append(path, level)
		}
	}
	url := strings.TrimSpace(cells[0])
	canonical, err := rules.Canonical(url)
	switch {
	case url == "":
		g.Skipped.Add(NoURL, at, strings.Join(path, "/"))
	case err != nil:
		g.Skipped.Add(BadURL, at, url)
	case len(path) == 0:
		g.Skipped.Add(NoCategory, at, url)
	default:
		g.Labels = append(g.Labels, Label{URL: strings.Clone(canonical), Path: path})
	}
}
