package gold

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/eval/score"
)

// ReadLabels reads a label for each page: lines of URL or name, tab, label; or JSON Lines with url and label, such as
// the input of the run. The file may be gzipped. page returns the canonical URL of a page that the run has (see
// eval.CrawledPages). Pages that the run does not have, and lines that are not labels, are counted in Skipped. The
// error for a file of pairs wraps ErrWrongKind.
func ReadLabels(path string, page func(url string) (string, bool)) (g *Gold, err error) {
	in, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	head, _ := in.Peek(headBytes)
	if err := refuse(path, head, true, labelExample); err != nil {
		return nil, err
	}
	g = &Gold{Name: filepath.Base(path)}
	var pairs odd // lines whose label is a URL or a page of the run
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), 64<<20) // a line may hold a whole page
	line, lines := 1, 0
	for ; s.Scan(); line++ {
		row := strings.TrimRight(strings.TrimPrefix(s.Text(), "\ufeff"), "\r")
		if trim(row) == "" || row[0] == '#' {
			continue
		}
		url, label := labelOf(row)
		if url == "" || label == "" {
			g.skip(BadRow, g.Name, line, row)
			continue
		}
		lines++
		if _, ok := page(label); ok || isURL(label) {
			pairs.add(line)
		}
		known, ok := page(url)
		if !ok {
			g.skip(UnknownURL, g.Name, line, url)
			continue
		}
		g.Labels = append(g.Labels, score.Label{URL: known, Path: []string{label}})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, line, err)
	}
	switch {
	case pairs.all(lines):
		return nil, wrongKind(path, pairs.first, "two pages on a line are a pair; use --kind near-duplicates, containment or moved", labelExample)
	case len(g.Labels) == 0:
		return nil, fmt.Errorf("%s: no line is a label of a page of the run%s\n  %s", path, g.Skipped.why(), labelExample)
	}
	return g, nil
}

// labelOf reads one line, which is JSON if it begins with a brace.
func labelOf(row string) (url, label string) {
	if row[0] == '{' {
		var x struct{ URL, Label string }
		if json.Unmarshal([]byte(row), &x) != nil {
			return "", ""
		}
		return trim(x.URL), trim(x.Label)
	}
	url, label, _ = strings.Cut(row, "\t")
	label, _, _ = strings.Cut(label, "\t")
	return trim(url), trim(label)
}
