package gold

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrWrongKind is wrapped by the error for a file that holds something else than the gold that was asked for. The error
// says what the file seems to be, by the line that shows it, what it can be used for, and what is wanted.
var ErrWrongKind = errors.New("not a gold of the kind asked for")

// kindError wraps ErrWrongKind and says all of it itself.
type kindError string

func (e kindError) Error() string { return string(e) }
func (e kindError) Unwrap() error { return ErrWrongKind }

// What the kinds of golds look like.
const (
	categoryExample = "a gold of categories has lines of URL, tab, category/path: https://www.sqlite.org/<TAB>Databases/Embedded"
	pairExample     = "a gold of pairs has lines of URL, tab, URL: https://example.org/guide<TAB>https://mirror.example/guide"
	labelExample    = "a gold of labels has lines of URL, tab, label: https://example.org/licence<TAB>MIT"
)

// wrongKind is an error that wraps ErrWrongKind; line 0 is for the file as a whole.
func wrongKind(path string, line int, seems, example string) error {
	at := path
	if line > 0 {
		at = fmt.Sprintf("%s:%d", path, line)
	}
	return kindError(fmt.Sprintf("%s: %s\n  %s", at, seems, example))
}

// isURL tells whether a cell is a URL with its scheme.
func isURL(cell string) bool {
	scheme, rest, ok := strings.Cut(trim(cell), "://")
	return ok && rest != "" && scheme != "" && !strings.ContainsAny(scheme, " /")
}

// odd counts the rows of a file that look like those of another kind.
type odd struct {
	rows  int // that look like it
	first int // line of the first
}

func (o *odd) add(line int) {
	if o.rows == 0 {
		o.first = line
	}
	o.rows++
}

// all tells whether all of the rows look like it.
func (o *odd) all(rows int) bool { return rows > 0 && o.rows == rows }

// isHTML tells whether a file begins as a page does.
func isHTML(head []byte) bool {
	head = bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// isJSON tells whether a file begins with a JSON object, as JSON Lines do.
func isJSON(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("{"))
}

// refuse returns an error for a file whose beginning shows that it is not the gold of the example. It is nil for JSON
// where that is a format of the gold.
func refuse(path string, head []byte, json bool, example string) error {
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))) == 0 && len(head) < headBytes:
		return wrongKind(path, 0, "the file is empty", example)
	case isHTML(head):
		return wrongKind(path, 1, "this is an HTML page", example)
	case isJSON(head) && !json:
		return wrongKind(path, 1, "this is JSON, which only golds of labels may be (eval pairs RUN --kind labels)", example)
	}
	return nil
}

// headBytes is how much of a file is looked at to tell what it is.
const headBytes = 512
