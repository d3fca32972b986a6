// Command lshclust tells which pages of a crawl belong together: by what the web says about them and by what they say.
//
// Every subcommand has a file of its own and is thin: flags in, package pipeline or query, a table out.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
)

// Exit codes, as --help tells them.
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
	cmd := newRoot()
	err := orDamage(cmd.ExecuteContext(ctx))
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
	return exitCode(err)
}

// message is an error for people.
func message(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, context.Canceled) && building.Load():
		return "interrupted; what was finished is saved, the same command goes on"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path):
		said := strings.Replace(err.Error(), path.Error(), path.Path+": no such file or folder", 1)
		return strings.TrimPrefix(said, path.Path+" at byte 0: unreadable-file: ")
	}
	return err.Error()
}

// exit is an error with an exit code of its own.
type exit struct {
	code int
	told bool // the user was told already
	err  error
}

func (e *exit) Error() string { return e.err.Error() }
func (e *exit) Unwrap() error { return e.err }

// usage marks an error as wrong usage.
func usage(err error) error { return &exit{code: exitUsage, err: err} }

func exitCode(err error) int {
	var x *exit
	switch {
	case errors.As(err, &x):
		return x.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, pipeline.ErrNoSpace):
		return exitRefused
	case errors.Is(err, query.ErrUnknown):
		return exitCondition
	case errors.Is(err, fs.ErrNotExist):
		return exitUsage
	}
	return exitCondition
}

// building tells that a run is being built, whose state an interrupt saves.
var building atomic.Bool

// patience is how long a command that saves nothing may take to end after an interrupt.
const patience = 2 * time.Second

// interruptible returns a context that the first interrupt cancels; the second ends the process at once. A command that
// saves nothing is ended soon after the first one too, whatever it is doing.
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
		if !building.Load() {
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
