package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
)

// batch holds the URLs that a command is asked about: its arguments, then the lines of the --urls file.
type batch struct {
	file    string
	each    int  // number of URLs in a question
	all     bool // ask about every document of the run instead
	missing []missing
	missed  int    // number of URLs without an answer, including those not kept in missing
	marked  bool   // whether the note on captures was printed
	asked   int    // number of questions
	words   string // the command for words in place of a URL
}

func (b *batch) bind(c *cobra.Command, each int, what string) {
	b.each = each
	c.Flags().StringVar(&b.file, "urls", "", "ask about every line of `FILE`, or of standard input for -: "+what)
}

// check refuses a batch that is empty, or that has both URLs and every document. It refuses every document for a
// table on a terminal. others names flags that may stand in for URLs.
func (b *batch) check(c *cobra.Command, o *output, urls []string, others string) error {
	some := len(urls) > 0 || b.file != ""
	if b.all && !c.Flags().Changed("format") {
		o.format = formatTSV
	}
	switch {
	case b.all && some:
		return usage(errors.New("--all is about every document: leave out the URLs, or --all"))
	case !b.all && !some:
		return usage(errors.New("give URLs, --urls FILE" + others))
	case b.all && o.format == formatTable:
		return usage(errors.New("--all does not write a table for a terminal; choose --format tsv, csv, json or jsonl"))
	}
	return nil
}

// questions yields the URLs of each question. It stops after yielding an error.
func (b *batch) questions(args []string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for ; len(args) >= max(1, b.each); args = args[b.each:] {
			if !yield(args[:b.each], nil) {
				return
			}
		}
		if b.file == "" {
			return
		}
		f, err := openList(b.file)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		b.lines(f, yield)
	}
}

// openList opens a file, or standard input for -.
func openList(name string) (io.ReadCloser, error) {
	if name == "-" {
		sayReading()
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

// sayReading says that the command waits for input from the terminal.
func sayReading() {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		say("reading standard input; Ctrl-D ends it")
	}
}

// maxURLLine is the maximum length of a line of URLs.
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
		b.asked++
		if !yield(fields, nil) {
			return
		}
	}
	switch err := in.Err(); {
	case err != nil:
		yield(nil, fmt.Errorf("%s: %w", b.file, err))
	case b.asked == 0:
		yield(nil, &exit{code: exitCondition, err: fmt.Errorf("%s holds no URL", b.file)})
	}
}

// missing is a URL without an answer.
type missing struct {
	url     string
	err     error
	suggest bool // suggest URLs of the run
}

// asked is a question of a batch with its answer.
type asked[T any] struct {
	urls   []string
	answer *T
	err    error
}

// askEach asks the questions of a batch, several at a time, passes the answers to put in their order, and keeps the URLs
// without an answer for tell.
func askEach[T any](ctx context.Context, b *batch, r *runs.Run, args []string, question func(urls []string) (*T, error), put func(*T) error) error {
	jobs := func(yield func(asked[T], error) bool) {
		for urls, err := range b.questions(args) {
			if !yield(asked[T]{urls: urls, err: err}, nil) { // the answers before a line that cannot be read are given
				return
			}
		}
	}
	const most, about = 64 << 20, 64 << 10 // bytes of answers that wait, and of one
	return parallel.Stream(ctx, jobs, runtime.GOMAXPROCS(0), most, func(_ int, q asked[T], emit func(asked[T], int) error) error {
		if q.err == nil {
			q.answer, q.err = question(q.urls)
		}
		return emit(q, about)
	}, func(q asked[T]) error {
		b.note(r, q.urls)
		var unknown *ask.UnknownError
		switch {
		case q.err == nil:
			return put(q.answer)
		case errors.As(q.err, &unknown):
			_, linked := r.Lookup(unknown.URL)
			b.miss(unknown.URL, q.err, errors.Is(q.err, runs.ErrUnknown) && linked != nil)
			return nil
		case asCaptures(q.err) != nil:
			b.miss(asCaptures(q.err).URL, q.err, false)
			return nil
		}
		return q.err
	})
}

// answerEach answers the question on each line of a batch, writes the answers, and names the URLs without one.
func answerEach[T any](ctx context.Context, b *batch, o output, r *runs.Run, args []string, question func(urls []string) (*T, error), table func(io.Writer, *T)) error {
	put, end := answers(o, b.file != "" || len(args) > b.each, table)
	if err := errors.Join(askEach(ctx, b, r, args, question, put), end()); err != nil {
		return err
	}
	return b.tell(r)
}

// note says once that a run ignores the times of captures.
func (b *batch) note(r *runs.Run, urls []string) {
	for _, url := range urls {
		if r.Config.Captures != "all" && captureMark.MatchString(url) && !b.marked {
			say("note: the run keeps one capture of each URL and ignores the time after # in %s; lshclust cluster --captures all keeps all captures", url)
			b.marked = true
		}
	}
}

// captureMark matches the part of a name that gives the time of a capture.
var captureMark = regexp.MustCompile(`#[12][0-9]{3}($|-?[0-9])`)

// miss keeps a URL without an answer, and why, for tell.
func (b *batch) miss(url string, err error, suggest bool) {
	if b.missed++; b.missed <= mostMissing {
		b.missing = append(b.missing, missing{url, err, suggest && b.missed <= mostSuggested})
	}
}

// Bounds on messages about URLs without an answer: how many are named, and for how many near URLs are suggested,
// which takes a comparison with every document of the same host.
const (
	mostMissing   = 1000
	mostSuggested = 100
)

// nearestKnown is the number of documents suggested for an unknown URL.
const nearestKnown = 3

// tell names the URLs without an answer on stderr, with the nearest known URLs, and returns the error that sets the
// exit code.
func (b *batch) tell(r *runs.Run) error {
	if len(b.missing) == 0 {
		return nil
	}
	var unknown []string
	for _, m := range b.missing {
		if m.suggest {
			unknown = append(unknown, m.url)
		}
	}
	near := runs.Suggest(r, unknown, nearestKnown)
	for _, m := range b.missing {
		if !tellCaptures(m.err) {
			say("lshclust: %v", m.err)
		}
		var like []string
		if m.suggest {
			like, near = near[0], near[1:]
		}
		if b.words != "" && (len(like) == 0 && !strings.Contains(m.url, "/") || strings.Contains(m.url, " ")) {
			fmt.Fprintf(os.Stderr, "  to ask with words: %s\n", whole(fmt.Sprintf(b.words, shellWord(m.url))))
		}
		sayList("  nearest:", like)
	}
	if more := b.missed - len(b.missing); more > 0 {
		say("lshclust: and %d more URLs without an answer", more)
	}
	return &exit{exitCondition, true, fmt.Errorf("%s without an answer", count(b.missed, "URL"))}
}
