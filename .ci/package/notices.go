// Command package writes the licences of the modules in the command to a file, for the release; it fails for a licence that
// is not on the list. Run it in a checkout: package FILE
package main

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: package FILE")
	}
	if err := writeNotices(os.Args[1]); err != nil {
		log.Fatal("package: ", err)
	}
}

// allowed are the licences, by SPDX identifier, that a module in the command may have: all let anybody distribute the
// command under Apache-2.0 with the notices.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unlicense"}

// leastCovered is the percentage of a licence file that must be the text of known licences.
const leastCovered = 75

// platforms are those of a release. Some modules are only in the command of one.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// modules returns the modules in the command of any platform, by path, and the standard library, each as its path, version
// and folder with tabs between them.
func modules() ([]string, error) {
	std, err := command(nil, "go", "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{"std\t" + strings.ReplaceAll(std, "\n", "\t"): true}
	for _, p := range platforms {
		goos, goarch, _ := strings.Cut(p, "/")
		out, err := command([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "github.com/lshclust/lshclust/cmd/lshclust")
		if err != nil {
			return nil, err
		}
		for _, m := range strings.Split(out, "\n") {
			seen[m] = m != ""
		}
	}
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen)), nil
}

// legal matches the names of files that state a licence or must be passed on.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense).*`)

// notices holds the text of each file by its title.
type notices struct{ bytes.Buffer }

func (n *notices) add(title string, text []byte) {
	fmt.Fprintf(n, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, bytes.TrimSpace(text))
}

// module adds the licences of a module. All must be allowed.
func (n *notices) module(name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var ids, files []string
	var texts [][]byte
	for _, e := range entries {
		if e.IsDir() || !legal.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		c := licensecheck.Scan(text)
		if c.Percent < leastCovered && !strings.HasPrefix(strings.ToUpper(e.Name()), "NOTICE") {
			return fmt.Errorf("%s: %.0f %% of %s is the text of a known licence", name, c.Percent, e.Name())
		}
		for _, match := range c.Match {
			if !slices.Contains(allowed, match.ID) {
				return fmt.Errorf("%s: %s has the licence %s, which is not on the list", name, e.Name(), match.ID)
			}
			ids = append(ids, match.ID)
		}
		files, texts = append(files, e.Name()), append(texts, text)
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return fmt.Errorf("%s: no licence", name)
	}
	for i, file := range files {
		n.add(fmt.Sprintf("%s (%s): %s", name, strings.Join(ids, ", "), file), texts[i])
	}
	return nil
}

// writeNotices writes the licences of the command, its sample and all modules in it.
func writeNotices(path string) error {
	all, err := modules()
	if err != nil {
		return err
	}
	sample, err := os.ReadFile(filepath.Join(repository, "internal/sample/COPYRIGHT"))
	if err != nil {
		return err
	}
	var n notices
	n.WriteString(`lshclust is licensed under the Apache License, Version 2.0. On Debian systems, its text is in
/usr/share/common-licenses/Apache-2.0; elsewhere it is in the file LICENSE.

The demo contains pages of the PostgreSQL manual, and the command contains the modules below, under these licences.
`)
	n.add("Pages of the PostgreSQL manual", sample)
	for _, m := range all {
		part := strings.Split(m, "\t")
		if err := n.module(part[0]+" "+part[1], part[2]); err != nil {
			return err
		}
	}
	return os.WriteFile(path, n.Bytes(), 0o666)
}

// command runs a program at the root of the repository and returns its output without the last line end.
func command(env []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Env, c.Dir, c.Stderr = append(os.Environ(), env...), repository, os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// repository is the root of the main module.
var repository = "."
