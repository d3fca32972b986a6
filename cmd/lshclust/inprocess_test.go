package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// ran is the output of a command line and its exit code.
type ran struct {
	code           int
	stdout, stderr string
}

// hangs is the time after which a test considers a command on a few pages to hang.
const hangs = time.Hour

// inProcess runs a command line in the process of the test. A panic and a command that does not end fail the test.
func inProcess(t *testing.T, stdin string, args ...string) (r ran) {
	t.Helper()
	dir := t.TempDir()
	open := func(name, content string) *os.File {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	in, out, err := os.Stdin, os.Stdout, os.Stderr
	os.Stdin, os.Stdout, os.Stderr = open("stdin", stdin), open("stdout", ""), open("stderr", "")
	files := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	defer func() {
		os.Stdin, os.Stdout, os.Stderr = in, out, err
		for _, f := range files {
			f.Close()
		}
		debug.SetMemoryLimit(1 << 62)
	}()
	ended := make(chan string, 1)
	go func() {
		said := ""
		defer func() {
			if p := recover(); p != nil {
				said = string(debug.Stack())
			}
			ended <- said
		}()
		r.code = execute(context.Background(), args)
	}()
	select {
	case panicked := <-ended:
		if panicked != "" {
			t.Fatalf("%q: panic: %s", args, panicked)
		}
	case <-time.After(hangs):
		t.Fatalf("%q: still running after %v", args, hangs)
	}
	for i, to := range []*string{&r.stdout, &r.stderr} {
		if _, err := files[1+i].Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(files[1+i])
		if err != nil {
			t.Fatal(err)
		}
		*to = string(b)
	}
	return r
}

// verbs returns the commands without subcommands by their names.
func verbs() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		if !c.HasSubCommands() {
			all[strings.TrimPrefix(c.CommandPath(), "lshclust ")] = c
		}
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	root := newRoot()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		add(c)
	}
	return all
}
