// Command lshclust finds pages of a crawl that belong together, by the words that other pages use about them and by
// their own texts. This package holds only the command line: a subcommand turns flags into a call of package
// pipeline, query, doctor or eval, and writes the answer as a table for people or as data.
//
// Each subcommand has a file of its name. The other files are shared: main.go runs a command line and chooses the
// exit code; root.go builds the tree of commands, help.go formats --help, settings.go defines the flags of
// settings; flags.go and output.go define types of flags, wrong.go the messages about wrong flags; urls.go and
// captures.go look up URLs and suggest similar ones; output.go writes answers, screen.go lays out tables
// on a terminal, printed.go writes to standard output, progress.go shows progress; opened.go reports damage that a
// command met; printed.go prepares the process, and version.go knows its version.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
)

// Exit codes. --help explains them.
const (
	exitDone        = 0
	exitCondition   = 1   // failed, or done and a condition that was asked for holds
	exitUsage       = 2   // wrong usage
	exitSkipped     = 3   // some input was unreadable and was skipped
	exitRefused     = 4   // the run would exceed its disk or memory
	exitInterrupted = 130 // interrupted; the state is saved
)

func main() {
	os.Exit(Main())
}

// Main runs the command line and returns its exit code.
func Main() int {
	ctx, stop := interruptible()
	defer stop()
	return execute(ctx, os.Args[1:])
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(printed)
	c, err := root, unknownTopic(root, args)
	if err == nil {
		c, err = root.ExecuteContextC(ctx)
	}
	err = printed.orCut(orDamage(err))
	if err == nil {
		return exitDone
	}
	if x, ok := errors.AsType[*exit](err); !ok || !x.told {
		for l := range strings.Lines(message(err)) {
			if strings.HasPrefix(l, "  ") { // continues the line before
				stderr().fold(os.Stderr, l, 2, 2)
			} else {
				say("lshclust: %s", l)
			}
		}
	}
	return exitCode(c, err)
}

// message returns the text of an error for people.
func message(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, context.Canceled) && building.Load():
		return "interrupted; finished stages are saved, and the same command continues"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path):
		said := strings.Replace(err.Error(), path.Error(), path.Path+": no such file or folder", 1)
		return strings.TrimPrefix(said, path.Path+" at byte 0: unreadable-file: ")
	}
	return err.Error()
}

// exit is an error with an exit code.
type exit struct {
	code int
	told bool // the user has already seen a message
	err  error
}

func (e *exit) Error() string { return e.err.Error() }
func (e *exit) Unwrap() error { return e.err }

// usage marks an error as wrong usage.
func usage(err error) error { return &exit{code: exitUsage, err: err} }

func exitCode(c *cobra.Command, err error) int {
	var (
		x            *exit
		path         *fs.PathError
		little       *pipeline.MemoryError
		over         *pipeline.BudgetError
		littleToRead *crawl.MemoryError
	)
	switch {
	case errors.As(err, &x):
		return x.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, pipeline.ErrNoSpace), errors.As(err, &little), errors.As(err, &over), errors.As(err, &littleToRead):
		return exitRefused
	case errors.Is(err, runs.ErrUnknown):
		return exitCondition
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && given(c, path.Path):
		return exitUsage
	}
	return exitCondition
}

// given reports whether a path is on the command line. A missing file is wrong usage only if it is named there.
func given(c *cobra.Command, path string) bool {
	named := slices.Contains(c.Flags().Args(), path)
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if s, ok := f.Value.(pflag.SliceValue); ok {
			values = s.GetSlice()
		}
		named = named || slices.Contains(values, path)
	})
	return named
}

// building is true while a run is built. An interrupt then saves the state of the run.
var building atomic.Bool

// lingering is true while a server runs. After an interrupt it finishes its answers.
var lingering atomic.Bool

// patience is how long a command that saves nothing may take to end after an interrupt.
const patience = 2 * time.Second

// interruptible returns a context that the first interrupt cancels. The second interrupt ends the process at once. A
// command that saves nothing ends soon after the first one, whatever it is doing.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		if drawable(os.Stderr) { // the terminal wrote ^C where the next bars will begin
			io.WriteString(os.Stderr, "\r") //nolint:errcheck // it only moves the cursor
		}
		cancel()
		var late <-chan time.Time
		if !building.Load() && !lingering.Load() {
			late = time.After(patience)
		}
		select {
		case <-signals:
		case <-late:
			say("lshclust: interrupted")
		}
		os.Exit(exitInterrupted)
	}()
	return ctx, func() { signal.Stop(signals); cancel() }
}
