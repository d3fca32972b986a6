package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestInvocation(t *testing.T) {
	kept := strings.Repeat("0a1b2c3d", 8) + "-d"
	for path, want := range map[string]bool{
		"/tmp/go-build3083469191/b001/exe/lshclust": true, "/root/.cache/go-build/b7/" + kept + "/lshclust": true, "/other/cache/" + kept + "/lshclust": true,
		"/home/user/lshclust/lshclust": false, "/usr/exe/lshclust": false, "/tmp/go-build3083469191/b001/lshclust.test": false, "lshclust": false,
	} {
		if got := ofGoRun(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: made by go run: %t", path, got)
		}
	}
	local := &debug.BuildInfo{Path: "example.org/cmd/lshclust", Main: debug.Module{Version: "v1.2.3"}}
	loaded := &debug.BuildInfo{Path: "example.org/cmd/lshclust", Main: debug.Module{Version: "v1.2.3", Sum: "h1:x"}}
	if got := goRun(local); got != "go run example.org/cmd/lshclust" {
		t.Error(got)
	}
	if got := goRun(loaded); got != "go run example.org/cmd/lshclust@v1.2.3" {
		t.Error(got)
	}
	if got := invocation(); got != "lshclust" { // testscript has put it on PATH
		t.Error(got)
	}
	t.Setenv("PATH", t.TempDir())
	if got := invocation(); got != shellWord(os.Args[0]) {
		t.Error(got)
	}
	t.Chdir(filepath.Join("..", ".."))
	if got := goRun(local); got != "go run ./cmd/lshclust" {
		t.Error(got)
	}
}
