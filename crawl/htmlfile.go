package crawl

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"iter"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// htmlFileSource reads a single file of HTML or MHTML like a folder with one file.
type htmlFileSource struct {
	*stream.Members
	opts   *record.Options
	format string
}

// openHTMLFile returns a function that opens a file of a format: html or mhtml.
func openHTMLFile(format string) func(m *stream.Members, o *record.Options) record.Source {
	return func(m *stream.Members, o *record.Options) record.Source { return &htmlFileSource{m, o, format} }
}

func (s *htmlFileSource) Format() string { return s.format }

// Records implements record.Source.
func (s *htmlFileSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		yield(s.record())
	}
}

func (s *htmlFileSource) record() (*record.Record, error) {
	var site site
	if err := site.place(s.opts, "", ""); err != nil {
		return nil, &record.Skip{Pos: record.Position{File: s.Name()}, Reason: record.ReasonBadURL, URL: s.opts.Base, Err: err}
	}
	name := filepath.Base(s.Name())
	if s.Name() == "-" {
		name = "stdin.html"
	}
	site.hosts = false
	rec := &record.Record{Pos: record.Position{File: s.Name(), Record: 1}, URL: site.url(name), Opts: s.opts,
		Decode: func(r *record.Record) (record.Page, error) { return site.page(r, r.Data, name) }, Room: s.opts.NewRoom()}
	if s.format == "mhtml" {
		rec.Decode = mhtmlPage
	}
	var err error
	if rec.Data, err = rec.Room.ReadUpTo(s.All(), s.opts.MaxRecord(), stream.BufferSize/4); err != nil {
		rec.Notes = append(rec.Notes, s.Damaged(err))
	}
	return rec, nil
}

// A MHTML file is a page that a browser or Word saved as a message of MIME (RFC 2557). Its main part is the page; the
// other parts are frames, images and style sheets. Chrome writes the URL as Snapshot-Content-Location, others as the
// Content-Location of the part.

// sniffMHTML recognizes the head of a message whose content is related parts or a page.
func sniffMHTML(head []byte) bool {
	head, _, _ = bytes.Cut(bytes.ReplaceAll(bytes.TrimLeft(head, "\r\n"), []byte("\r"), nil), []byte("\n\n"))
	name, _, colon := bytes.Cut(head, []byte(":"))
	if !colon || len(name) > 40 || bytes.ContainsAny(name, " \t\n<{\"") {
		return false
	}
	lower := "\n" + strings.ToLower(string(head))
	if strings.Contains(lower, "\nmessage-id:") || strings.Contains(lower, "\nreceived:") {
		return false // a mail
	}
	return strings.Contains(lower, "\nmime-version:") &&
		(strings.Contains(lower, "multipart/related") ||
			strings.Contains(lower, "text/html") && strings.Contains(lower, "content-location:") || strings.Contains(lower, "<saved by "))
}

// mhtmlPage decodes the page of a MHTML file. What the file does not say stays as the name of the file has it.
func mhtmlPage(r *record.Record) (record.Page, error) {
	msg, err := mail.ReadMessage(bytes.NewReader(bytes.TrimLeft(r.Data, "\r\n")))
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadEncoding, r.URL, err)
	}
	head := textproto.MIMEHeader(msg.Header)
	url, body, err := mainPart(head, msg.Body)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadEncoding, r.URL, err)
	}
	raw, broken := r.Room.ReadUpTo(decodedPart(body.head, body.from), r.Opts.MaxRecord(), len(r.Data)/4)
	p := record.Page{Pos: r.Pos, URL: r.URL, Warnings: r.Notes}
	if isWebURL(url) {
		p.URL = url
	}
	if at, err := msg.Header.Date(); err == nil && at.Year() >= 1990 {
		p.Time = at.UTC()
	}
	switch {
	case broken != nil && len(raw) == 0:
		return record.Page{}, r.Skip(record.ReasonBadEncoding, p.URL, broken)
	case broken != nil:
		p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, broken))
	case len(bytes.TrimSpace(raw)) == 0:
		return record.Page{}, r.Skip(record.ReasonEmptyPage, p.URL, nil)
	}
	if err := r.CheckText(&p, raw, "text/html"); err != nil {
		return record.Page{}, err
	}
	p.HTML = r.DecodeText(&p, raw, body.head.Get("Content-Type"))
	return r.Identify(p)
}

func isWebURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// part is a part of a message.
type part struct {
	head textproto.MIMEHeader
	from io.Reader
}

// maxParts is the number of parts among which the main part is searched for, and maxDepth how deep parts may be in
// others.
const (
	maxParts = 1000
	maxDepth = 4
)

// boundary finds the boundary between parts, however it is quoted.
var boundary = regexp.MustCompile(`(?i)boundary\s*=\s*(?:\\?"([^"\\]+)|([^\s;"\\]+))`)

// mainPart returns the part that is the page, and its URL: the first part that is HTML.
func mainPart(head textproto.MIMEHeader, from io.Reader) (url string, body part, err error) {
	url = strings.TrimSpace(head.Get("Snapshot-Content-Location"))
	body = part{head, from}
	for range maxDepth {
		kind := body.head.Get("Content-Type")
		if !strings.HasPrefix(strings.ToLower(kind), "multipart/") {
			break
		}
		mark := boundary.FindStringSubmatch(kind)
		if mark == nil {
			return "", body, errors.New("parts without a boundary")
		}
		if body, err = firstHTML(multipart.NewReader(body.from, mark[1]+mark[2])); err != nil {
			return "", body, err
		}
	}
	if !isWebURL(url) {
		url = strings.TrimSpace(body.head.Get("Content-Location"))
	}
	return url, body, nil
}

// firstHTML returns the first part that is HTML, or that holds parts itself.
func firstHTML(parts *multipart.Reader) (part, error) {
	for range maxParts {
		p, err := parts.NextRawPart()
		if err != nil {
			return part{}, errors.Join(errors.New("no part is a page"), err)
		}
		kind, _, _ := strings.Cut(strings.ToLower(p.Header.Get("Content-Type")), ";")
		switch kind = strings.TrimSpace(kind); {
		case kind == "text/html", kind == "application/xhtml+xml", strings.HasPrefix(kind, "multipart/"):
			return part{p.Header, p}, nil
		}
	}
	return part{}, errors.New("no part is a page")
}

// decodedPart undoes the transfer encoding of a part.
func decodedPart(head textproto.MIMEHeader, from io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(head.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		return quotedprintable.NewReader(from)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, from)
	}
	return from
}
