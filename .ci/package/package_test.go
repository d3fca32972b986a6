package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// allowed are the licences, by SPDX identifier, that a module in the command may have: all let anybody distribute the
// command under Apache-2.0 with the notices.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "PostgreSQL", "Unlicense"}

// leastCovered is the percentage of a licence that must be the text of known licences.
const leastCovered = 75

// refusal says why a licence with a title is not allowed, or is "".
func refusal(title, text string) string {
	c := licensecheck.Scan([]byte(text))
	if c.Percent < leastCovered && !strings.Contains(title, ": NOTICE") {
		return fmt.Sprintf("%.0f %% is the text of a known licence", c.Percent)
	}
	for _, match := range c.Match {
		if !slices.Contains(allowed, match.ID) {
			return match.ID + " is not on the list"
		}
	}
	return ""
}

// TestLicences checks that the licences of all modules in the command are on the list, and in the notices.
func TestLicences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "NOTICES")
	command(t, ".ci/package/notices", path)
	parts := strings.Split(string(read(t, path)), "\n"+strings.Repeat("=", 80)+"\n")[1:]
	titles := map[string]bool{}
	for _, p := range parts {
		title, text, _ := strings.Cut(p, "\n")
		module, _, _ := strings.Cut(title, ": ")
		titles[module] = true
		if why := refusal(title, text); why != "" {
			t.Errorf("%s: %s", title, why)
		}
	}
	modules := command(t, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./cmd/lshclust")
	for _, m := range strings.Split(strings.TrimSpace(modules), "\n") {
		if !titles[m] {
			t.Errorf("%s is not in the notices", m)
		}
	}
	for _, want := range []string{"std go1.", "Pages of the PostgreSQL manual", "github.com/inconshreveable/mousetrap v"} { // the last is for Windows
		if !slices.ContainsFunc(slices.Collect(maps.Keys(titles)), func(title string) bool { return strings.HasPrefix(title, want) }) {
			t.Errorf("%s is not in the notices", want)
		}
	}
}

// TestRefused checks that an unknown licence is refused, and one that is not on the list.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		string(read(t, "testdata/MIT")): "",
		"Do what I say.":                "0 % is",
		"This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by " +
			"the Free Software Foundation, either version 3 of the License, or (at your option) any later version.": "not on the list",
	} {
		if why := refusal("m v1: LICENSE", text); (why == "") != (want == "") || !strings.Contains(why, want) {
			t.Errorf("%.20s: %q, want %q", text, why, want)
		}
	}
}

// TestBuilt checks the manual pages, the bill of materials and the image of a binary. An image takes its time from the commit, so
// the binary must know that, which it does in a clone but not in a worktree.
func TestBuilt(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "lshclust")
	command(t, "go", "build", "-buildvcs=true", "-o", binary, "./cmd/lshclust")
	if info := command(t, "go", "version", "-m", binary); !strings.Contains(info, "vcs.time") {
		t.Fatal("the binary does not know its commit; run the test in a clone")
	}
	command(t, ".ci/package/man", dir, binary, "1.2.3", "2026-01-31")
	page := string(read(t, filepath.Join(dir, "lshclust-cluster.1")))
	if !strings.HasPrefix(page, ".TH LSHCLUST-CLUSTER 1 2026-01-31 ") || !strings.Contains(page, ` \-\-memory SIZE `) {
		t.Errorf("page of cluster: %.200s", page)
	}
	var boms, images [2][]byte
	for i := range boms {
		bom, image := filepath.Join(dir, "bom"), filepath.Join(dir, "image")
		command(t, ".ci/package/image", image, binary)
		command(t, ".ci/package/sbom", binary, bom)
		boms[i], images[i] = read(t, bom), read(t, image)
	}
	if !bytes.Equal(boms[0], boms[1]) || !bytes.Equal(images[0], images[1]) {
		t.Error("a second time, the bytes are others")
	}
	var b struct {
		Metadata     struct{ Properties []struct{ Value string } }
		Components   []any
		Dependencies []struct{ DependsOn []string }
	}
	if err := json.Unmarshal(boms[0], &b); err != nil {
		t.Fatal(err)
	}
	if n := len(b.Components); n < 20 || n != 1+len(b.Dependencies[0].DependsOn) { // the list is without the standard library
		t.Errorf("%d components: %.1000s", n, boms[0])
	}
	if sum := digest(read(t, binary)); !slices.Contains(b.Metadata.Properties, struct{ Value string }{sum}) {
		t.Errorf("no digest %s: %.1000s", sum, boms[0])
	}
	names := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(images[0])); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		content, err2 := io.ReadAll(r)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		names[h.Name] = content
		if sum, ok := strings.CutPrefix(h.Name, "blobs/sha256/"); ok && h.Typeflag == tar.TypeReg {
			if digest(content) != sum {
				t.Errorf("%s: another digest", h.Name)
			}
		}
	}
	var index struct{ Manifests []struct{ Digest string } }
	if err := json.Unmarshal(names["index.json"], &index); err != nil || len(index.Manifests) != 1 {
		t.Fatalf("%s: %v", names["index.json"], err)
	}
	if top := names["blobs/sha256/"+index.Manifests[0].Digest[len("sha256:"):]]; !bytes.Contains(top, []byte(`"os":"linux"`)) {
		t.Errorf("no image for linux: %s", top)
	}
}

// TestPlatforms checks that the wheels and the binaries are for the same platforms as the notices.
func TestPlatforms(t *testing.T) {
	_, list, _ := strings.Cut(string(read(t, "notices")), "platforms=(")
	list, _, _ = strings.Cut(list, ")")
	platforms := strings.Fields(list)
	build := string(read(t, "../../python/build.sh"))
	if n := strings.Count(build, "64]="); n != len(platforms) {
		t.Errorf("python/build.sh has %d platforms, not %d", n, len(platforms))
	}
	for _, p := range platforms {
		if !strings.Contains(build, "\n\t["+p+"]=") {
			t.Errorf("python/build.sh does not have %s", p)
		}
	}
	config := string(read(t, "goreleaser.yaml"))
	for _, list := range []string{"goos: [linux, darwin, windows]", "goarch: [amd64, arm64]"} {
		if !strings.Contains(config, list) {
			t.Errorf("goreleaser.yaml does not have %q", list)
		}
	}
}

// command runs a program at the root of the repository and returns its output.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = "../.."
	out, err := c.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%s: %v\n%s", c, err, failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
