package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/query"
)

// Labels is the kind of gold that gives every page a label.
const Labels = "labels"

// ReadLabels reads a label for each page: lines of URL or name, tab, label; or JSON Lines with url and label, such as
// those that the run was made from. It may be gzipped. Pages that the run does not have, and lines that are no label, are
// counted in Skipped. The error for a file of pairs wraps ErrWrongKind.
func ReadLabels(path string, r *query.Run) (g *Gold, err error) {
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
		if _, err := pageOf(r, label); err == nil || isURL(label) {
			pairs.add(line)
		}
		id, err := pageOf(r, url)
		if err != nil {
			g.skip("unknown-url", g.Name, line, url)
			continue
		}
		g.Labels = append(g.Labels, Label{URL: r.Document(id).URL, Path: []string{label}})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, line, err)
	}
	switch {
	case pairs.all(lines):
		return nil, wrongKind(path, pairs.first, "two pages on a line are a pair: give --kind near-duplicates, containment or moved", labelExample)
	case len(g.Labels) == 0:
		return nil, fmt.Errorf("%s: no line is a label of a page of the run%s\n  %s", path, g.why(), labelExample)
	}
	return g, nil
}

// labelOf reads one line, as JSON if it is an object.
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

// ScoreLabels measures the syntactic clusters against the labels: all pages of a cluster should have one label, while a
// label may have many texts, so that recall is low where they are.
func ScoreLabels(g *Gold, r *query.Run, o Options) (ClusterScores, error) {
	of, err := r.SyntacticRepresentatives()
	if err != nil {
		return ClusterScores{}, err
	}
	d, err := NewDirectory(g.Labels, 1)
	if err != nil {
		return ClusterScores{}, err
	}
	m, err := d.Find(r)
	if err != nil {
		return ClusterScores{}, err
	}
	if _, err := d.tells(func(i int) bool { return m.IDs[i] != NoDocument }, "the run holds"); err != nil {
		return ClusterScores{}, fmt.Errorf("%s: %w", g.Name, err)
	}
	return d.ScoreClusters(m.Clusters("syntactic", of), o), nil
}
