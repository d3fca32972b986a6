package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/ascii"
)

// archiveHeader holds the header fields that this package uses.
type archiveHeader struct {
	kind        string // WARC-Type in lower case; "filedesc" or "response" for an ARC record
	uri         string
	date        string
	contentType string
	truncated   string // WARC-Truncated
	digest      string // WARC-Payload-Digest
	id          string // WARC-Record-ID
	concurrent  string // WARC-Concurrent-To
	identified  string // WARC-Identified-Payload-Type
	resource    string // WARC-Resource-Type in lower case
	refersURL   string // WARC-Refers-To-Target-URI
	refersDate  string // WARC-Refers-To-Date
	length      int64
	post        bool // the answer to a form
}

const maxHeader = 256 << 10

// headerError describes a malformed header, as opposed to an error of reading.
type headerError string

func (e headerError) Error() string { return string(e) }

// isDamage reports whether err comes from broken compression or a broken file rather than from a malformed header.
func (s *Source) isDamage(err error) bool {
	_, header := errors.AsType[headerError](err)
	return !header
}

// warcHeader reads a header from "WARC/" to the blank line. A line that begins with white space continues a field.
func (s *Source) warcHeader() (archiveHeader, error) {
	h := archiveHeader{length: -1}
	var err error
	for total, n := 0, 0; ; n++ {
		var line []byte
		if line, err = s.headerLine(); err != nil {
			return h, err
		}
		if total += len(line); total > maxHeader {
			return h, headerError("header too long")
		}
		line = bytes.TrimRight(line, "\r\n")
		if n == 0 {
			s.Version = record.Clip(strings.TrimPrefix(string(line), "WARC/"), 10)
			continue
		}
		if len(line) == 0 {
			break
		}
		if err := h.field(line); err != nil {
			return h, err
		}
	}
	if h.length < 0 {
		return h, headerError("no Content-Length")
	}
	return h, nil
}

// headerLine reads one line with its line ending. The line may extend into the next member.
func (s *Source) headerLine() ([]byte, error) {
	line, err := s.Buf.ReadSlice('\n')
	for errors.Is(err, io.EOF) {
		line = bytes.Clone(line)
		if err := s.continued(); err != nil {
			return nil, err
		}
		var more []byte
		more, err = s.Buf.ReadSlice('\n')
		if line = append(line, more...); len(line) > maxHeader {
			err = bufio.ErrBufferFull
		}
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, headerError("header line too long")
	}
	return line, err
}

func (h *archiveHeader) field(line []byte) error {
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return nil // a continuation line, or malformed: not a field that this package uses
	}
	value := bytes.TrimSpace(line[i+1:])
	switch name := bytes.TrimSpace(line[:i]); {
	case ascii.EqualFold(name, "warc-type"):
		h.kind = ascii.Lower(string(value))
	case ascii.EqualFold(name, "warc-target-uri"):
		h.uri = targetURI(string(value))
	case ascii.EqualFold(name, "warc-date"):
		h.date = string(value)
	case ascii.EqualFold(name, "content-type"):
		h.contentType = string(value)
	case ascii.EqualFold(name, "warc-truncated"):
		h.truncated = string(value)
	case ascii.EqualFold(name, "warc-payload-digest"):
		h.digest = string(value)
	case ascii.EqualFold(name, "warc-record-id"):
		h.id = string(value)
	case ascii.EqualFold(name, "warc-concurrent-to"):
		h.concurrent = string(value)
	case ascii.EqualFold(name, "warc-identified-payload-type"):
		h.identified = string(value)
	case ascii.EqualFold(name, "warc-resource-type"):
		h.resource = ascii.Lower(string(value))
	case ascii.EqualFold(name, "warc-refers-to-target-uri"):
		h.refersURL = targetURI(string(value))
	case ascii.EqualFold(name, "warc-refers-to-date"):
		h.refersDate = string(value)
	case ascii.EqualFold(name, "content-length"):
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < 0 {
			return headerError(fmt.Sprintf("Content-Length %.40q", value))
		}
		h.length = n
	}
	return nil
}

// targetURI removes the angle brackets that old versions of wget wrote around the URI.
func targetURI(s string) string {
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		return s[1 : len(s)-1]
	}
	return s
}

// mayBePage reports whether to keep the block of the record: for types that may hold a page, a page without HTTP
// headers, the text or the links of a page, and for revisits, whose block is the head of the response.
func (h *archiveHeader) mayBePage() bool {
	return h.kind == "response" || h.kind == "resource" || h.kind == "conversion" || h.kind == "revisit" ||
		isWAT(h.kind, h.contentType)
}
