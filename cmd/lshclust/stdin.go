package main

import (
	"context"
	"io"
	"os"
)

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
