package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
)

// An ARC record, the format before WARC, is one line of fields and a block. The last field is the length of the block
// in bytes:
//
//	LF URL IP-address Archive-date Content-type Archive-length LF                                     version 1
//	LF URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length LF
//
// The first record of a file has a URL of the form filedesc://NAME and describes the rest. The line itself shows its
// version. The date is the first field of 12 to 18 digits that follows an address. Everything before the address is the
// URL, which may contain blanks. The fields after the date begin with the media type of the response. The block holds
// the head and the body of the response.

var arcSyntax = syntax{
	format: "arc", look: stream.MaxLook, begins: BeginsARC,
	find: FindARC, keep: stream.MaxLook, header: (*Source).arcHeader,
}

// OpenARC reads the members as an ARC file.
func OpenARC(m *stream.Members, o *record.Options) record.Source {
	return &Source{Members: m, syntax: &arcSyntax, opts: o, room: o.NewRoom()}
}

// SniffARC reports whether head is the beginning of an ARC file.
func SniffARC(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	return bytes.HasPrefix(head, []byte("filedesc://")) && arcSyntax.begins(head)
}

// arcLine is the header line of a record.
type arcLine struct{ url, date, mime, length []byte }

// arcSchemes are the schemes that record URLs have. A line with another scheme, such as ttp, may have lost its start.
var arcSchemes = map[string]bool{"filedesc": true, "http": true, "https": true, "dns": true, "ftp": true, "whois": true,
	"gopher": true, "news": true, "nntp": true, "rtsp": true, "mms": true, "metadata": true, "screenshot": true}

// cutARCLine parses the line at the start of b. ok is false if the line is not a record header. The length is not yet
// parsed as a number.
func cutARCLine(b []byte) (l arcLine, ok bool) {
	i := bytes.IndexByte(b[:min(len(b), stream.MaxLook)], '\n')
	if i < 0 || !arcSchemes[urls.Scheme(string(b[:min(i, 16)]))] {
		return l, false
	}
	line := bytes.TrimRight(b[:i], "\r")
	for at := 0; ; {
		sp := bytes.IndexByte(line[at:], ' ')
		if sp < 0 {
			return l, false
		}
		ip, rest, _ := bytes.Cut(line[at+sp+1:], []byte(" "))
		date, rest, more := bytes.Cut(rest, []byte(" "))
		if more && isAddress(ip) && isARCDate(date) {
			mime, _, two := bytes.Cut(rest, []byte(" "))
			return arcLine{line[:at+sp], date, mime, rest[bytes.LastIndexByte(rest, ' ')+1:]}, two
		}
		at += sp + 1
	}
}

func isAddress(b []byte) bool {
	for _, c := range b {
		if ascii.Unhex(c) >= 16 && c != '.' && c != ':' && c != '-' {
			return false
		}
	}
	return len(b) > 0
}

func isARCDate(b []byte) bool {
	return len(b) >= 12 && len(b) <= 18 && ascii.IsDigits(string(b)) && (b[0] == '1' || b[0] == '2')
}

// FindARC returns the offset in b of the next record header, or -1. A header follows the end of a line. Because that
// line end may itself be damaged, FindARC also accepts a header that begins at a URL in the middle of a line.
func FindARC(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '\n')
		if from > 0 && i > 0 {
			if _, ok := cutARCLine(b[from:]); ok {
				return from
			}
		}
		if j := urlIn(b[from : from+max(i, 0)]); j >= 0 {
			if _, ok := cutARCLine(b[from+j:]); ok {
				return from + j
			}
		}
		if i < 0 {
			return -1
		}
		from += i + 1
	}
}

// urlIn returns the offset in line, after its first byte, of a URL with a scheme that archives use, or -1.
func urlIn(line []byte) int {
	for _, scheme := range []string{"http://", "https://", "dns:", "ftp://"} {
		if i := bytes.Index(line, []byte(scheme)); i > 0 {
			return i
		}
	}
	return -1
}

// arcHeader reads the header line of a record.
func (s *Source) arcHeader() (archiveHeader, error) {
	b, err := s.Buf.Peek(s.look)
	l, ok := cutARCLine(b)
	if !ok {
		if err == nil || errors.Is(err, io.EOF) {
			err = headerError("no header line")
		}
		return archiveHeader{}, err
	}
	h := archiveHeader{kind: arcKind(l.url), uri: string(l.url), date: string(l.date[:min(len(l.date), 14)]), contentType: string(l.mime)}
	h.length, err = strconv.ParseInt(string(l.length), 10, 64)
	_, _ = s.Buf.Discard(bytes.IndexByte(b, '\n') + 1)
	if err != nil || h.length < 0 {
		return h, headerError(fmt.Sprintf("Archive-length %.40q", l.length))
	}
	return h, nil
}

// arcKind returns "filedesc" for the first record of a file, and otherwise "response", the WARC type of a page.
func arcKind(url []byte) string {
	if bytes.HasPrefix(url, []byte("filedesc:")) {
		return "filedesc"
	}
	return "response"
}

// BeginsARC reports whether b begins with the header line of an ARC record.
func BeginsARC(b []byte) bool { _, ok := cutARCLine(b); return ok }
