package gold

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// maxLine is the maximum length of a line; a longer line is an error.
const maxLine = 1 << 20

// readTSV reads lines of URL and category path with slashes. It applies the rules of the run to the URL, as to those of the
// pages. It ignores further columns, empty lines and lines that begin with #.
func readTSV(in io.Reader, path string, rules *urls.Rules) (*Gold, error) {
	g := &Gold{Name: filepath.Base(filepath.Clean(path))}
	rows, pairs := 0, 0
	err := tsvRows(in, g.Name, func(cells []string, file string, line int) {
		if strings.HasPrefix(cells[0], "#") {
			return
		}
		rows++
		if len(cells) > 1 && strings.Contains(cells[1], "://") {
			pairs++
		}
		g.row(cells, file, line, rules)
	})
	if err == nil && pairs > 0 && pairs == rows {
		err = wrongKind(path, 0, "two URLs on a line are a pair, and no category", categoryExample)
	}
	return g, err
}

// tsvRows calls row for each line that is not blank.
func tsvRows(in io.Reader, file string, row func(cells []string, file string, line int)) error {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxLine)
	line := 0
	for s.Scan() {
		line++
		text := s.Text()
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if trim(text) != "" {
			row(strings.Split(strings.TrimRight(text, "\r"), "\t"), file, line)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", file, line+1, err)
	}
	return nil
}

// row adds the label of one line, or counts the reason for skipping the line.
func (g *Gold) row(cells []string, file string, line int, rules *urls.Rules) {
	if len(cells) < 2 {
		g.skip(BadRow, file, line, strings.Join(cells, "\t"))
		return
	}
	g.add(trim(cells[0]), levels(strings.Split(cells[1], "/")), file, line, rules)
}

// add adds a label with a path that levels has cleaned, or counts the reason for skipping the row.
func (g *Gold) add(url string, path []string, file string, line int, rules *urls.Rules) {
	if url == "" {
		g.skip(NoURL, file, line, strings.Join(path, "/"))
		return
	}
	canonical, err := rules.Canonical(url)
	if err != nil {
		g.skip(BadURL, file, line, url)
		return
	}
	if len(path) == 0 {
		g.skip(NoCategory, file, line, url)
		return
	}
	g.Labels = append(g.Labels, Label{URL: strings.Clone(canonical), Path: path})
}

func trim(s string) string { return strings.TrimSpace(s) }
