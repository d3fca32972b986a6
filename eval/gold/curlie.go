package gold

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// A dump of Curlie consists of pairs of files without a header line. NAME-s.tsv has a line for each category, with its
// number, its path and more; NAME-c.tsv has a line for each page, with its URL, title, description and the number of
// its category. The dump is an archive (.tar.gz), a folder, or a single NAME-c.tsv with NAME-s.tsv next to it.
const (
	curlieCategories = "-s.tsv"
	curliePages      = "-c.tsv"
)

// curlie is the state of reading a dump. It must know all categories before it reads the first page.
type curlie struct {
	gold       *Gold
	rules      *urls.Rules
	categories map[string]*curlieCategory // by number
}

type curlieCategory struct {
	path  []string
	file  string
	line  int
	pages int
}

func newCurlie(name string, rules *urls.Rules) *curlie {
	return &curlie{gold: &Gold{Name: name}, rules: rules, categories: map[string]*curlieCategory{}}
}

// isCurlie reports whether a path names the pages of a dump.
func isCurlie(path string) bool {
	s, ok := strings.CutSuffix(path, curliePages)
	if !ok {
		return false
	}
	_, err := os.Stat(s + curlieCategories)
	return err == nil
}

// readCurlieFiles reads the pairs of files of a dump.
func readCurlieFiles(name string, pages []string, rules *urls.Rules) (*Gold, error) {
	c := newCurlie(name, rules)
	slices.Sort(pages)
	for _, p := range pages {
		if err := c.file(strings.TrimSuffix(p, curliePages)+curlieCategories, c.category); err != nil {
			return nil, err
		}
	}
	for _, p := range pages {
		if err := c.file(p, c.page); err != nil {
			return nil, err
		}
	}
	return c.done(), nil
}

func (c *curlie) file(path string, row func(cells []string, file string, line int)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return tsvRows(f, filepath.Base(path), row)
}

// readCurlieTar reads a dump from its archive. It reads the archive twice, because pages may come before their
// categories.
func readCurlieTar(open func() (io.ReadCloser, error), name string, rules *urls.Rules) (*Gold, error) {
	c := newCurlie(name, rules)
	for _, pass := range []struct {
		suffix string
		row    func(cells []string, file string, line int)
	}{{curlieCategories, c.category}, {curliePages, c.page}} {
		if err := eachInTar(open, pass.suffix, pass.row); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c.done(), nil
}

func eachInTar(open func() (io.ReadCloser, error), suffix string, row func(cells []string, file string, line int)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	for t := tar.NewReader(f); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasSuffix(h.Name, suffix) {
			if err := tsvRows(t, filepath.Base(h.Name), row); err != nil {
				return err
			}
		}
	}
}

func (c *curlie) category(cells []string, file string, line int) {
	if len(cells) < 2 {
		c.gold.skip(BadRow, file, line, strings.Join(cells, "\t"))
		return
	}
	path := levels(withoutTop(strings.Split(cells[1], "/")))
	if id := trim(cells[0]); id != "" && len(path) > 0 {
		c.categories[id] = &curlieCategory{path: path, file: file, line: line}
	}
}

func (c *curlie) page(cells []string, file string, line int) {
	if len(cells) < 4 {
		c.gold.skip(BadRow, file, line, strings.Join(cells, "\t"))
		return
	}
	id := trim(cells[len(cells)-1])
	in, ok := c.categories[id]
	if !ok {
		c.gold.skip(NoCategory, file, line, cells[0]+" in category "+id)
		return
	}
	in.pages++
	c.gold.add(trim(cells[0]), in.path, file, line, c.rules)
}

// done counts the categories without a page. Most such categories of a directory only hold other categories.
func (c *curlie) done() *Gold {
	var empty []*curlieCategory
	for _, x := range c.categories {
		if x.pages == 0 {
			empty = append(empty, x)
		}
	}
	slices.SortFunc(empty, func(a, b *curlieCategory) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, x := range empty {
		c.gold.skip(EmptyCategory, x.file, x.line, strings.Join(x.path, "/"))
	}
	return c.gold
}
