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

// categoryExample is an example, for messages.
const categoryExample = "a gold of categories has lines of URL, tab, category/path: https://www.sqlite.org/<TAB>Databases/Embedded"

// wrongKind returns an error that wraps ErrWrongKind. Line 0 stands for the whole file.
func wrongKind(path string, line int, seems, example string) error {
	at := path
	if line > 0 {
		at = fmt.Sprintf("%s:%d", path, line)
	}
	return kindError(fmt.Sprintf("%s: %s\n  %s", at, seems, example))
}

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
