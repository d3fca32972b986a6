package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// printed is standard output. It keeps the first error of a write, such as a full disk. Code that prints may ignore
// errors: execute asks printed for its error, so a command fails if its output is incomplete.
var printed = &standardOutput{}

type standardOutput struct {
	mu  sync.Mutex
	err error
}

func (o *standardOutput) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = cmp.Or(o.err, err)
	}
	return n, err
}

// orCut returns the error of writing output, or else the error of the command, and forgets the former.
func (o *standardOutput) orCut(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	cut := o.err
	o.err = nil
	if cut == nil {
		return err
	}
	if path, ok := errors.AsType[*fs.PathError](cut); ok {
		cut = path.Err
	}
	return &exit{exitCondition, false, fmt.Errorf("standard output: %w; the output is incomplete", cut)}
}

// interruptibleStdin puts a pipe between standard input and the readers of os.Stdin, so that an interrupt ends a
// blocked read. A file is left as it is, because reading it does not block.
func interruptibleStdin(ctx context.Context) (undo func(), err error) {
	sayReading()
	stdin := os.Stdin
	if st, err := stdin.Stat(); err == nil && st.Mode().IsRegular() {
		return func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() { // ends with its input, its reader, or the process
		defer w.Close()
		io.Copy(w, stdin) //nolint:errcheck // cut short, the input looks damaged or ends the run
	}()
	os.Stdin = r
	stop := context.AfterFunc(ctx, func() { r.Close() })
	return func() { stop(); os.Stdin = stdin; r.Close() }, nil
}
