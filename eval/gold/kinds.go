package gold

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrWrongKind is wrapped by the error for a file that holds something other than the requested gold. The message says
// what the file seems to be, which line shows it, what it is good for, and what is wanted instead.
var ErrWrongKind = errors.New("not a gold of the kind asked for")

// kindError wraps ErrWrongKind; its text is the whole message.
type kindError string

func (e kindError) Error() string { return string(e) }
func (e kindError) Unwrap() error { return ErrWrongKind }

// Examples of the kinds of golds, for messages.
const (
	categoryExample = "a gold of categories has lines of URL, tab, category/path: https://www.sqlite.org/<TAB>Databases/Embedded"
	pairExample     = "a gold of pairs has lines of URL, tab, URL: https://example.org/guide<TAB>https://mirror.example/guide"
)

// wrongKind returns an error that wraps ErrWrongKind. Line 0 stands for the whole file.
func wrongKind(path string, line int, seems, example string) error {
	at := path
	if line > 0 {
		at = fmt.Sprintf("%s:%d", path, line)
	}
	return kindError(fmt.Sprintf("%s: %s\n  %s", at, seems, example))
}

// isURL reports whether a cell is a URL with a scheme.
func isURL(cell string) bool {
	scheme, rest, ok := strings.Cut(trim(cell), "://")
	return ok && rest != "" && scheme != "" && !strings.ContainsAny(scheme, " /")
}

// odd counts the rows of a file that look like rows of another kind of gold.
type odd struct {
	rows  int // number of such rows
	first int // line number of the first
}

func (o *odd) add(line int) {
	if o.rows == 0 {
		o.first = line
	}
	o.rows++
}

// all reports whether all rows look like that.
func (o *odd) all(rows int) bool { return rows > 0 && o.rows == rows }

// start returns the head of a file without byte order mark and leading white space.
func start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// refuse returns an error if the head of a file shows that it is not the kind of gold in example.
func refuse(path string, head []byte, example string) error {
	first := strings.ToLower(string(start(head)))
	switch {
	case first == "" && len(head) < headBytes:
		return wrongKind(path, 0, "the file is empty", example)
	case strings.HasPrefix(first, "<!doctype html"), strings.HasPrefix(first, "<html"):
		return wrongKind(path, 1, "this is an HTML page", example)
	case strings.HasPrefix(first, "{"):
		return wrongKind(path, 1, "this is JSON", example)
	}
	return nil
}

// headBytes is the number of bytes to examine to recognise a file.
const headBytes = 512
