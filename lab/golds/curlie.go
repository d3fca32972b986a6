package golds

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"
)

// curlieFolder reads a dump of Curlie: pairs of files without a header line. NAME-s.tsv has a line for each category, with
// its number, its path and more; NAME-c.tsv has a line for each page, with its URL, title, description and the number of
// its category.
func curlieFolder(folder string, to *rows) error {
	categories := map[string][]string{}
	if err := eachLine(folder, "*-s.tsv", func(cells []string) {
		if len(cells) > 1 {
			categories[cells[0]] = strings.Split(cells[1], "/")
		}
	}); err != nil {
		return err
	}
	return eachLine(folder, "*-c.tsv", func(cells []string) {
		if len(cells) < 4 {
			to.left++
			return
		}
		to.add(cells[0], categories[cells[len(cells)-1]])
	})
}

// eachLine calls row with the cells of each line of the files of a name.
func eachLine(folder, name string, row func(cells []string)) error {
	files, err := filepath.Glob(filepath.Join(folder, name))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there are no files %s", folder, name)
	}
	if err != nil {
		return err
	}
	for _, path := range files {
		f, err := open(path)
		if err != nil {
			return err
		}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			row(strings.Split(strings.TrimRight(s.Text(), "\r"), "\t"))
		}
		f.Close()
		if err := s.Err(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
