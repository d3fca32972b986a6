package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the packages by layer, the highest first. Package names end in / if the packages below belong too.
var layers = [][]string{
	{"", "cmd/lshclust"},
	{"eval/", "internal/serve/", "internal/doctor"},
	{"ask"},
	{"internal/pipeline", "internal/ask/views", "internal/ask/site", "internal/ask/crawls"},
	{"internal/ask/topics", "internal/ask/texts"},
	{"internal/runs"},
	{"internal/config", "internal/run", "internal/capture", "internal/tables", "internal/topic/clusters"},
	{"crawl/", "anchors", "bags", "minhash", "lsh", "center", "shingles", "resemble", "dedup", "internal/topic/", "internal/sites/"},
	{"internal/"},
}

// forTests are packages that only tests import, or that run tests.
var forTests = []string{"internal/runs/runtest", "internal/ask", "internal/peak", "eval/internal/fruit", "internal/mapped/mappedtest"}

func isIn(list []string, path string) bool {
	for _, p := range list {
		if dir, all := strings.CutSuffix(p, "/"); path == dir || all && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

func layerOf(path string) int {
	for i, layer := range layers {
		if isIn(layer, path) {
			return i
		}
	}
	return -1
}

// rooms are the layers whose packages do not import each other.
var rooms = []int{3, 4}

// TestLayers checks that no package imports one of a higher layer, and no room one beside it.
func TestLayers(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/lshclust/lshclust"
	packages := 0
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		from := strings.TrimPrefix(strings.TrimPrefix(paths[0], module), "/")
		if isIn(forTests, from) {
			continue
		}
		packages++
		at := layerOf(from)
		if at < 0 {
			t.Errorf("%s is in no layer", from)
		}
		for _, path := range paths[1:] {
			path, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			to := strings.TrimPrefix(path, "/")
			below := layerOf(to)
			if below < at || isIn(forTests, to) || at == below && from != to && slices.Contains(rooms, at) {
				t.Errorf("%s imports %s, which is above it or beside it", from, to)
			}
		}
	}
	if packages < 40 {
		t.Errorf("%d packages looked at", packages)
	}
}
