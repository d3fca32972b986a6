package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func init() { repository = "../.." }

// TestLicences checks that all modules in the command have licences that are on the list, and that their texts are in the
// notices.
func TestLicences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "NOTICES")
	if err := writeNotices(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nstd go1.", "github.com/spf13/cobra ", "PostgreSQL Database Management System", "mousetrap"} { // the last is for Windows
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("%q is not in the notices", want)
		}
	}
}

// TestRefusedLicences checks that a module without a licence, with an unknown one, or with one that is not on the list is
// an error.
func TestRefusedLicences(t *testing.T) {
	mit, err := os.ReadFile("testdata/MIT")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"allowed": {string(mit), ""},
		"none":    {"", "no licence"},
		"unknown": {"Do what I say.", "0 % of LICENSE"},
		"copyleft": {"This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by " +
			"the Free Software Foundation, either version 3 of the License, or (at your option) any later version.", "not on the list"},
	} {
		dir := t.TempDir()
		if c.text != "" {
			if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := new(notices).module("m v1", dir)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestBuilt checks the manual pages, the bill of materials and the image of a binary. An image takes its time from the commit, so
// the binary must know that, which it does in a clone but not in a worktree.
func TestBuilt(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "lshclust")
	_, err := command(nil, "go", "build", "-buildvcs=true", "-o", binary, "./cmd/lshclust")
	info, infoErr := command(nil, "go", "version", "-m", binary)
	if why := errors.Join(err, infoErr); why != nil || !strings.Contains(info, "vcs.time") {
		t.Fatal("the binary does not know its commit; run the test in a clone: ", why)
	}
	if _, err := command(nil, ".ci/package/man", dir, binary, "1.2.3", "2026-01-31"); err != nil {
		t.Fatal(err)
	}
	page := string(read(t, filepath.Join(dir, "lshclust-cluster.1")))
	if !strings.HasPrefix(page, ".TH LSHCLUST-CLUSTER 1 2026-01-31 ") || !strings.Contains(page, ` \-\-memory SIZE `) {
		t.Errorf("page of cluster: %.200s", page)
	}
	var boms, images [2][]byte
	for i := range boms {
		bom, image := filepath.Join(dir, "bom"), filepath.Join(dir, "image")
		if _, err := command(nil, ".ci/package/image", image, binary); err != nil {
			t.Fatal(err)
		}
		if _, err := command(nil, ".ci/package/sbom", binary, bom); err != nil {
			t.Fatal(err)
		}
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

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
