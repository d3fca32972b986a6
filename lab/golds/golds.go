// Package golds writes golds of categories that lshclust reads, lines of URL, tab, category/path, from what others have:
// the content dump of DMOZ, a dump of Curlie, and the breadcrumbs on the pages of a run.
package golds

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Command converts one source to standard output and says on standard error how many rows it left out.
func Command(args []string) error {
	flags := flag.NewFlagSet("golds", flag.ContinueOnError)
	from := flags.String("from", "dmoz", "what the argument is: dmoz (content.rdf.u8, gzipped or not), curlie (a folder of NAME-s.tsv and NAME-c.tsv) or breadcrumbs (a run)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("give one file, folder or run")
	}
	read := map[string]func(string, *rows) error{"dmoz": dmozFile, "curlie": curlieFolder,
		"breadcrumbs": func(run string, to *rows) error { return breadcrumbs(context.Background(), run, to) }}[*from]
	if read == nil {
		return fmt.Errorf("-from %s: must be dmoz, curlie or breadcrumbs", *from)
	}
	out := bufio.NewWriter(os.Stdout)
	to := &rows{to: out}
	err := read(flags.Arg(0), to)
	fmt.Fprintf(os.Stderr, "%d labels; %d rows without a URL or a category\n", to.labels, to.left)
	return errors.Join(err, out.Flush())
}

// rows writes labels.
type rows struct {
	to           io.Writer
	labels, left int
}

// add writes a label, without the root category Top and without empty levels.
func (r *rows) add(url string, path []string) {
	levels := path[:0:0]
	for i, l := range path {
		if l = strings.TrimSpace(l); l != "" && (i > 0 || l != "Top") {
			levels = append(levels, l)
		}
	}
	if url = strings.TrimSpace(url); url == "" || len(levels) == 0 {
		r.left++
		return
	}
	r.labels++
	fmt.Fprintf(r.to, "%s\t%s\n", url, strings.Join(levels, "/"))
}

// open opens a file, gzipped or not.
func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}
