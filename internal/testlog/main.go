// Command testlog reads the output of go test -json. It prints a line for each package when it has ended, the output
// of failed tests, the reasons why tests were skipped, and finally how many tests passed. test.sh runs it.
//
//	go test -json ./... | testlog [-slowest 10] [-left 120]
//
// It exits with 1 if a test or a package failed, or if no test ran.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	slowest := flag.Int("slowest", 0, "list so many packages and tests that took longest")
	left := flag.Int("left", 0, "tests that were left out")
	flag.Parse()
	l := newLog(os.Stdout)
	if err := l.readAll(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
	l.list(*slowest)
	if !l.end(*left) {
		os.Exit(1)
	}
}

// readAll reads events until the end of the input.
func (l *log) readAll(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			l.line(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
