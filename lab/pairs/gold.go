package pairs

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/eval/gold"
)

// Kinds of pairs.
const (
	NearDuplicates = "near-duplicates"
	Containment    = "containment"
	Moved          = "moved"
)

// Pair is a row of a gold of pairs.
type Pair struct {
	A, B        string  // as written in the file
	Kind        string  // kind of the row, if the gold has kinds
	Old, New    string  // versions of the crawl, if the gold has them
	Resemblance float64 // exact, -1 if unknown
	Containment float64 // the larger of the two containments, -1 if unknown
	At          string  // FILE:LINE
}

// Pairs is a gold that names pairs of pages that belong together.
type Pairs struct {
	Name    string
	Pairs   []Pair
	Skipped gold.Skips
}

// BadFigure is the reason for a row with a figure that is not a number from 0 to 1.
const BadFigure = "bad-figure"

// ErrNoPairs is wrapped by the error for a gold without pairs.
var ErrNoPairs = errors.New("no row is a pair of URLs")

// pairColumns holds the indices of the columns of a gold of pairs, -1 for a missing column.
type pairColumns struct {
	a, b, kind, old, new, resemblance int
	containment                       []int
}

// Read reads a gold of pairs, gzipped or not. Each line has two URLs, and perhaps more columns, separated by tabs. A first
// line that begins with # names the columns. The URLs are in the columns named url, url_a, url_b or ending in _url, and
// otherwise in the first two. resemblance and any X_in_Y are exact figures; kind or label is the kind of the row;
// old_version and new_version are the versions of the crawl that the row is about.
func Read(path string) (*Pairs, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReader(z)
	}
	g := &Pairs{Name: filepath.Base(path)}
	columns := columnsOf(nil)
	lines := bufio.NewScanner(in)
	for line := 1; lines.Scan(); line++ {
		cells := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		if name, ok := strings.CutPrefix(cells[0], "#"); ok || lines.Text() == "" {
			if line == 1 {
				cells[0] = name
				columns = columnsOf(cells)
			}
			continue
		}
		p, reason := columns.pair(cells)
		if p.At = fmt.Sprintf("%s:%d", g.Name, line); reason != "" {
			g.Skipped.Add(reason, p.At, strings.Join(cells, "\t"))
			continue
		}
		g.Pairs = append(g.Pairs, p)
	}
	if len(g.Pairs) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s: %w", path, ErrNoPairs)
	}
	return g, lines.Err()
}

func columnsOf(names []string) pairColumns {
	c := pairColumns{a: 0, b: 1, kind: -1, old: -1, new: -1, resemblance: -1}
	var urls []int
	for i, n := range names {
		switch n = strings.ToLower(strings.TrimSpace(n)); {
		case n == "url" || strings.HasPrefix(n, "url_") || strings.HasSuffix(n, "_url"):
			urls = append(urls, i)
		case n == "kind" || n == "label":
			c.kind = i
		case n == "old_version":
			c.old = i
		case n == "new_version":
			c.new = i
		case n == "resemblance":
			c.resemblance = i
		case strings.Contains(n, "_in_"):
			c.containment = append(c.containment, i)
		}
	}
	if len(urls) >= 2 {
		c.a, c.b = urls[0], urls[1]
	}
	return c
}

// pair parses a row, or returns the reason why it is not a pair.
func (c pairColumns) pair(cells []string) (p Pair, reason string) {
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[i])
	}
	p = Pair{A: cell(c.a), B: cell(c.b), Kind: cell(c.kind), Old: cell(c.old), New: cell(c.new), Resemblance: -1, Containment: -1}
	if p.A == "" || p.B == "" {
		return p, gold.NoURL
	}
	figures := append([]int{c.resemblance}, c.containment...)
	for i, column := range figures {
		text := cell(column)
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return p, BadFigure
		}
		if i == 0 {
			p.Resemblance = x
		} else {
			p.Containment = max(p.Containment, x)
		}
	}
	return p, ""
}
