// Command package writes the licences of the modules in the command to a file, for the release; it fails for a licence that
// is not on the list. Run it in a checkout: package FILE
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
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

// module is a module in the command, or the standard library.
type module struct {
	Path, Version, Dir string
}

// platforms are those of a release. Some modules are only in the command of one.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// modules returns the modules in the command of any platform, by path, and the standard library.
func modules() ([]module, error) {
	seen := map[module]bool{}
	for _, p := range platforms {
		goos, goarch, _ := strings.Cut(p, "/")
		out, err := command([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "go", "list", "-deps", "-json=Module",
			"github.com/lshclust/lshclust/cmd/lshclust")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var of struct {
				Module *struct {
					module
					Main bool
				}
			}
			if err := d.Decode(&of); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if of.Module != nil && !of.Module.Main {
				seen[of.Module.module] = true
			}
		}
	}
	std, err := command(nil, "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(std)), "\n")
	all := []module{{"std", version, root}}
	for m := range seen {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

// legal returns the files of a module that state its licence or must be passed on.
func (m module) legal() (files []string, err error) {
	entries, err := os.ReadDir(m.Dir)
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		for _, begins := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"} {
			if strings.HasPrefix(name, begins) && !e.IsDir() && !strings.HasSuffix(name, ".GO") {
				files = append(files, filepath.Join(m.Dir, e.Name()))
				break
			}
		}
	}
	return files, err
}

// licences returns the SPDX identifiers of the licences of a module, and an error unless all are allowed.
func (m module) licences() ([]string, error) {
	files, err := m.legal()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		c := licensecheck.Scan(text)
		if c.Percent < leastCovered && !strings.HasPrefix(strings.ToUpper(filepath.Base(f)), "NOTICE") {
			return nil, fmt.Errorf("%s %s: %.0f %% of %s is the text of a known licence", m.Path, m.Version, c.Percent, filepath.Base(f))
		}
		for _, match := range c.Match {
			if !slices.Contains(allowed, match.ID) {
				return nil, fmt.Errorf("%s %s: %s has the licence %s, which is not on the list", m.Path, m.Version, filepath.Base(f), match.ID)
			}
			ids = append(ids, match.ID)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return nil, fmt.Errorf("%s %s: no licence", m.Path, m.Version)
	}
	return ids, nil
}

// writeNotices writes the licences of the command, its sample and all modules in it.
func writeNotices(path string) error {
	all, err := modules()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "lshclust is licensed under the Apache License, Version 2.0. On Debian systems, its text is in\n",
		"/usr/share/common-licenses/Apache-2.0; elsewhere it is in the file LICENSE.\n\n",
		"The demo contains pages of the PostgreSQL manual, and the command contains the modules below, under these licences.\n")
	add := func(title, file string) error {
		text, err := os.ReadFile(file)
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, bytes.TrimSpace(text))
		return err
	}
	root, err := command(nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/lshclust/lshclust")
	if err != nil {
		return err
	}
	if err := add("Pages of the PostgreSQL manual", filepath.Join(strings.TrimSpace(string(root)), "internal/sample/COPYRIGHT")); err != nil {
		return err
	}
	for _, m := range all {
		ids, err := m.licences()
		if err != nil {
			return err
		}
		files, err := m.legal()
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := add(fmt.Sprintf("%s %s (%s): %s", m.Path, m.Version, strings.Join(ids, ", "), filepath.Base(f)), f); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// command runs a program at the root of the repository and returns its output.
func command(env []string, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Env, c.Dir, c.Stderr = append(os.Environ(), env...), repository, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}

// repository is the root of the main module.
var repository = "."
