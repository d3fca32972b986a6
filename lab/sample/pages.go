// Package sample makes the sample that lshclust demo clusters.
//
//	lab sample pages FOLDER > pages.jsonl   # the HTML folder of Debian's package postgresql-doc-15
//	lab sample gold > gold.tsv              # the places of the embedded pages in the tables of contents
//
// make.sh runs both. It also installs the package and compresses what is written.
package sample

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Command writes the pages or their gold.
func Command(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "pages":
		return writePages(args[1])
	case len(args) == 1 && args[0] == "gold":
		b, err := Gold()
		if err == nil {
			_, err = os.Stdout.Write(b)
		}
		return err
	}
	return errors.New("usage: sample pages FOLDER, or sample gold")
}

// site is where the manual is published. Its pages have the same names as in the package.
const site = "https://www.postgresql.org/docs/15/"

// navigation matches the parts that the stylesheet adds to every page: the header and the footer with the links to the
// previous page, the next page and the page above, and the same links in the head. Neither of the two div elements
// contains another one.
var navigation = regexp.MustCompile(`(?s)<div class="nav(?:header|footer)">.*?</div>|<link rel="(?:prev|next)"[^>]*>`)

// leftOut reports whether a page lists everything instead of treating a subject: the index of the book, its table of
// contents, the release notes.
func leftOut(name string) bool {
	return name == "bookindex.html" || name == "index.html" || strings.HasPrefix(name, "release")
}

// writePages writes the pages of folder in the order of their names.
func writePages(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, name := range names {
		if leftOut(filepath.Base(name)) {
			continue
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		line := struct {
			URL  string `json:"url"`
			HTML string `json:"html"`
		}{site + filepath.Base(name), navigation.ReplaceAllString(string(page), "")}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
