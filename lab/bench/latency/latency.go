// Package latency measures how long lshclust serve takes to open a run, and to answer questions one after the other, with
// none of the run in the memory of the machine and then with what these questions need:
//
//	lab latency -lshclust ../lshclust -run crawl.run -each 200
//
// Before the cold half it asks the kernel to drop the files of the run from its cache. Every question is about another
// document, drawn at random from those with words, and asked once by each half, which has a server of its own, so no answer
// is one that the server kept. It prints a table in Markdown, and the anonymous memory of the server after each half. A
// question that fails is an error.
package latency

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/lab/bench/ask"
	"golang.org/x/sys/unix"
)

// Command reads the flags, asks and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("latency", flag.ContinueOnError)
	binary := flags.String("lshclust", "../lshclust", "the program")
	run := flags.String("run", "", "the run")
	each := flags.Int("each", 200, "questions of each kind")
	seed := flags.Uint64("seed", 1, "seed of the random documents")
	if err := flags.Parse(args); err != nil {
		return err
	}
	failed, err := measure(*binary, *run, *each, *seed)
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d questions failed", failed)
	}
	return err
}

// half is what was measured with a cold or a warm cache.
type half struct {
	name   string
	opened time.Duration // from the start of the process to the first 200 of /readyz
	anon   int64         // bytes of anonymous memory at the end
	took   map[string][]time.Duration
}

// measure asks all questions with a cold and with a warm cache, and prints the table. It returns the number of questions
// that failed.
func measure(binary, run string, each int, seed uint64) (failed int, err error) {
	questions, err := draw(run, each, seed)
	if err != nil {
		return 0, err
	}
	if err := drop(run); err != nil {
		return 0, err
	}
	var halves []*half
	for _, name := range []string{"cold", "warm"} {
		h := &half{name: name, took: map[string][]time.Duration{}}
		n, err := h.ask(binary, run, questions)
		failed += n
		if err != nil {
			return failed, err
		}
		halves = append(halves, h)
	}
	show(os.Stdout, halves, questions)
	return failed, nil
}

// drop writes the files of a run to the disk and takes them out of the cache of the kernel.
func drop(run string) error {
	return filepath.WalkDir(run, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
	})
}

// ask starts a server, asks it all questions and stops it.
func (h *half) ask(binary, run string, questions []question) (failed int, err error) {
	s, err := start(binary, run)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	h.opened = s.opened
	client := &http.Client{Timeout: time.Minute}
	for _, q := range questions {
		began := time.Now()
		if !ask.Answered(client, s.address+q.path) {
			fmt.Fprintln(os.Stderr, "failed:", q.path)
			failed++
		}
		h.took[q.kind] = append(h.took[q.kind], time.Since(began))
	}
	h.anon, err = s.anonymous()
	return failed, err
}

// show prints the table: milliseconds by question.
func show(w io.Writer, halves []*half, questions []question) {
	fmt.Fprintln(w, "| question | answers | cold: p50 | p99 | most | warm: p50 | p99 | most |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- |")
	var kinds []string
	for _, q := range questions {
		if !slices.Contains(kinds, q.kind) {
			kinds = append(kinds, q.kind)
		}
	}
	for _, k := range kinds {
		fmt.Fprintf(w, "| %s | %d |", k, len(halves[0].took[k]))
		for _, h := range halves {
			all := slices.Sorted(slices.Values(h.took[k]))
			for _, share := range []float64{.5, .99, 1} {
				fmt.Fprintf(w, " %.1f |", all[int(share*float64(len(all)-1))].Seconds()*1000)
			}
		}
		fmt.Fprintln(w)
	}
	for _, h := range halves {
		fmt.Fprintf(w, "%s: open after %.3f s, %.1f MiB of anonymous memory at the end\n", h.name, h.opened.Seconds(), float64(h.anon)/(1<<20))
	}
}

// escape returns a URL as the value of a parameter.
func escape(s string) string { return url.QueryEscape(strings.Clone(s)) }
