package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// batch is the URLs that a command is asked about: its arguments, then the lines of the file of --urls.
type batch struct {
	file    string
	each    int // URLs that make one question
	missing []missing
}

func (b *batch) bind(c *cobra.Command, each int, what string) {
	b.each = each
	c.Flags().StringVar(&b.file, "urls", "", "ask about every line of `FILE`, or of standard input for -: "+what)
}

// questions yields the URLs of one question after the other, with an error that ends them.
func (b *batch) questions(args []string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for ; len(args) >= b.each; args = args[b.each:] {
			if !yield(args[:b.each], nil) {
				return
			}
		}
		if b.file == "" {
			return
		}
		f, err := b.open()
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		b.lines(f, yield)
	}
}

func (b *batch) open() (io.ReadCloser, error) {
	if b.file == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(b.file)
}

// maxURLLine is the longest line that is taken for URLs.
const maxURLLine = 1 << 20

func (b *batch) lines(f io.Reader, yield func([]string, error) bool) {
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxURLLine)
	for n := 1; in.Scan(); n++ {
		fields := strings.Fields(strings.TrimPrefix(in.Text(), "\ufeff"))
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			continue
		case len(fields) != b.each:
			yield(nil, usage(fmt.Errorf("%s line %d: %s, but a line must hold %s", b.file, n, count(len(fields), "word"), count(b.each, "URL"))))
			return
		}
		if !yield(fields, nil) {
			return
		}
	}
	if err := in.Err(); err != nil {
		yield(nil, fmt.Errorf("%s: %w", b.file, err))
	}
}

// missing is a URL that has no answer.
type missing struct {
	url     string
	err     error
	suggest bool // URLs that the run holds
}

// lookup finds the document of a URL. One that is not there is kept for tell.
func (b *batch) lookup(r *query.Run, url string) (id uint32, ok bool) { return b.find(url, r.Lookup) }

func (b *batch) find(url string, lookup func(string) (uint32, error)) (id uint32, ok bool) {
	id, err := lookup(url)
	if err != nil {
		b.missing = append(b.missing, missing{url, err, errors.Is(err, query.ErrUnknown) && !isAboutCaptures(err)})
	}
	return id, err == nil
}

// miss keeps for tell that a URL has no answer, and why.
func (b *batch) miss(url string, err error) {
	b.missing = append(b.missing, missing{url: url, err: err})
}

// nearestKnown is the number of documents that are offered for a URL that is unknown.
const nearestKnown = 3

// tell names on stderr what had no answer, with the nearest known URLs, and returns the error for the exit code.
func (b *batch) tell(r *query.Run) error {
	if len(b.missing) == 0 {
		return nil
	}
	var unknown []string
	for _, m := range b.missing {
		if m.suggest {
			unknown = append(unknown, m.url)
		}
	}
	near := r.Suggest(unknown, nearestKnown)
	for _, m := range b.missing {
		if !tellCaptures(m.err) {
			say("lshclust: %v", m.err)
		}
		if !m.suggest {
			continue
		}
		for i, u := range near[0] {
			lead := "          "
			if i == 0 {
				lead = "  nearest:"
			}
			fmt.Fprintln(os.Stderr, lead, whole(u))
		}
		near = near[1:]
	}
	return &exit{exitCondition, true, fmt.Errorf("%s without an answer", count(len(b.missing), "URL"))}
}
