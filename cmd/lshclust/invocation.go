package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// invocation returns how the user runs this program, so that printed commands can be run as they are: with go run, by
// its name, or by the path it was started with if it is not on PATH.
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

// cached matches the folders in which the build cache keeps the executables of go run.
var cached = regexp.MustCompile(`^[0-9a-f]{64}-d$`)

// ofGoRun reports whether go run made an executable: go-build123/b001/exe/lshclust in a temporary folder the first
// time, a file in the build cache later.
func ofGoRun(executable string) bool {
	dir := filepath.Dir(executable)
	temporary := filepath.Base(filepath.Dir(filepath.Dir(dir)))
	return cached.MatchString(filepath.Base(dir)) || filepath.Base(dir) == "exe" && strings.HasPrefix(temporary, "go-build")
}

// goRun returns the go run command that starts this program again. It names a version of the module, is the command
// of the README in the folder of the module, or works in every folder of the module.
func goRun(built *debug.BuildInfo) string {
	const here = "./cmd/lshclust"
	switch {
	case built == nil || built.Path == "command-line-arguments":
		return "go run " + here
	case built.Main.Sum != "": // downloaded module
		return "go run " + built.Path + "@" + built.Main.Version
	}
	if _, err := os.Stat(filepath.Join(here, "main.go")); err != nil {
		return "go run " + built.Path
	}
	return "go run " + here
}
