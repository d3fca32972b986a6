package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// invocation returns how the user runs this program, so that commands that it prints work as they stand: by go run, by its
// name or, if that is not on PATH, by the path with which it was started.
func invocation() string {
	executable, err := os.Executable()
	if err == nil && ofGoRun(executable) {
		built, _ := debug.ReadBuildInfo()
		return goRun(built)
	}
	if _, err := exec.LookPath("lshclust"); err == nil || len(os.Args) == 0 || os.Args[0] == "" {
		return "lshclust"
	}
	return shellWord(os.Args[0])
}

// kept matches the folders in which the build cache keeps the executables of go run.
var kept = regexp.MustCompile(`^[0-9a-f]{64}-d$`)

// ofGoRun reports whether go run made an executable. The first time, that is go-build123/b001/exe/lshclust in a temporary
// folder; later it is in the build cache.
func ofGoRun(executable string) bool {
	dir := filepath.Dir(executable)
	temporary := filepath.Base(filepath.Dir(filepath.Dir(dir)))
	return kept.MatchString(filepath.Base(dir)) || filepath.Base(dir) == "exe" && strings.HasPrefix(temporary, "go-build")
}

// goRun returns the command with which go run starts this program again: that of a version of the module, that of the
// README in the folder of its module, or one that works in all folders of it.
func goRun(built *debug.BuildInfo) string {
	const here = "./cmd/lshclust"
	switch {
	case built == nil || built.Path == "command-line-arguments":
		return "go run " + here
	case built.Main.Sum != "": // downloaded
		return "go run " + built.Path + "@" + built.Main.Version
	}
	if _, err := os.Stat(filepath.Join(here, "main.go")); err != nil {
		return "go run " + built.Path
	}
	return "go run " + here
}
