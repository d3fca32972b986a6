//go:build ignore

// Make turns the HTML folder of Debian's package postgresql-doc-15 into the lines of pages.jsonl.zst:
//
//	go run make.go FOLDER > pages.jsonl
//
// make.sh runs it. It also installs the package and compresses the output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

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

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

// run writes the pages of folder in the order of their names.
func run(folder string) error {
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
