// Command lshclust finds the pages of a crawl that belong together, by the words that other pages use about them and by
// their own texts. This package holds the command line only. A subcommand turns flags into a call of package pipeline,
// query, doctor or eval, and writes the answer as a table for people or as data.
//
// Each subcommand is in the file of its name. What they share: main.go runs a command line and chooses the exit code;
// root.go holds the tree of commands, help.go how --help looks, settings.go the flags of settings; flags.go, output.go and
// size.go hold the types of flags, wrong.go the messages about wrong ones; urls.go and captures.go look up URLs and offer
// similar ones; output.go writes answers, screen.go and narrow.go lay out tables on a terminal, printed.go writes to
// standard output, progress.go shows progress; opened.go reports damage that a command met; stdin.go and memory.go prepare
// the process, and version.go knows its version.
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

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes, which --help explains.
const (
	exitDone        = 0
	exitCondition   = 1   // done, but a stated condition was met; or it failed
	exitUsage       = 2   // wrong usage
	exitSkipped     = 3   // some input was unreadable and skipped
	exitRefused     = 4   // refused by a budget: disk or memory
	exitInterrupted = 130 // interrupted, state saved
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
	var x *exit
	if !errors.As(err, &x) || !x.told {
		for l := range strings.Lines(message(err)) {
			if strings.HasPrefix(l, "  ") { // more on the line before
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
	told bool // the user has seen a message already
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
	case errors.Is(err, query.ErrUnknown):
		return exitCondition
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && given(c, path.Path):
		return exitUsage
	}
	return exitCondition
}

// given reports whether a path is on the command line. If it is, a missing file is wrong usage; a file that is missing
// in a run is not.
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

// building is true while a run is built. An interrupt then saves its state.
var building atomic.Bool

// lingering is true while a server runs. It finishes its answers after an interrupt.
var lingering atomic.Bool

// patience is the time in which a command that saves nothing must end after an interrupt.
const patience = 2 * time.Second

// interruptible returns a context that the first interrupt cancels. The second interrupt ends the process at once. A
// command that saves nothing ends soon after the first one, no matter what it is doing.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		if drawable(os.Stderr) { // the terminal wrote ^C where the next bars begin
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
