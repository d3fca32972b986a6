package eval

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/crawl"
)

// maxLine bounds a line of a gold; what is longer is no label.
const maxLine = 1 << 20

// readTSV reads lines of URL, category path with slashes, and perhaps the canonical URL: that one is taken if it is
// there, made canonical by the rules of the run all the same. Further columns, empty lines and those that begin with #
// are passed over.
func readTSV(in io.Reader, name string, rules *crawl.Rules) (*Gold, error) {
	g := &Gold{Name: name}
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxLine)
	line := 0
	for s.Scan() {
		line++
		row := strings.TrimRight(strings.TrimPrefix(s.Text(), "\ufeff"), "\r")
		if strings.TrimSpace(row) == "" || row[0] == '#' {
			continue
		}
		g.row(strings.Split(row, "\t"), name, line, rules)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	return g, nil
}

// row adds the label of one line, or counts why there is none.
func (g *Gold) row(cells []string, file string, line int, rules *crawl.Rules) {
	if len(cells) < 2 {
		g.skip(BadRow, file, line, strings.Join(cells, "\t"))
		return
	}
	url := trim(cells[0])
	if len(cells) > 2 && trim(cells[2]) != "" {
		url = trim(cells[2])
	}
	g.add(url, strings.Split(cells[1], "/"), file, line, rules)
}

// add adds a label, or counts why it is none.
func (g *Gold) add(url string, path []string, file string, line int, rules *crawl.Rules) {
	if url == "" {
		g.skip(NoURL, file, line, strings.Join(path, "/"))
		return
	}
	canonical, err := rules.Canonical(url)
	if err != nil {
		g.skip(BadURL, file, line, url)
		return
	}
	if path = levels(path); len(path) == 0 {
		g.skip(NoCategory, file, line, url)
		return
	}
	g.Labels = append(g.Labels, Label{URL: strings.Clone(canonical), Path: path})
}

func trim(s string) string { return strings.TrimSpace(s) }
