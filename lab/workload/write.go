package workload

import (
	"bufio"
	"context"
	"io"
	"strconv"
)

// A format appends one page.
type format func(w *World, dst []byte, p *Page) []byte

// writeAtOnce is the number of bytes that are collected before they are written.
const writeAtOnce = 1 << 18

// pages writes the pages from number from up to number to.
func (w *World) pages(ctx context.Context, out io.Writer, from, to int64, add format) error {
	var p Page
	var buf []byte
	for i := from; i < to; i++ {
		w.Page(i, &p)
		if buf = add(w, buf, &p); len(buf) < writeAtOnce {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	_, err := out.Write(buf)
	return err
}

// WritePages writes pages as JSON Lines, each with its URL and HTML.
func (w *World) WritePages(ctx context.Context, out io.Writer, from, to int64) error {
	var html []byte
	return w.pages(ctx, out, from, to, func(_ *World, dst []byte, p *Page) []byte {
		html = p.AppendHTML(html[:0])
		dst = append(append(dst, `{"url":"`...), p.URL...)
		dst = appendJSON(append(dst, `","html":"`...), html)
		return append(dst, '"', '}', '\n')
	})
}

// appendJSON appends a text of ASCII letters, punctuation and line feeds as the content of a string of JSON.
func appendJSON(dst, s []byte) []byte {
	for {
		i := 0
		for i < len(s) && s[i] != '"' && s[i] != '\n' {
			i++
		}
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return dst
		}
		if s[i] == '\n' {
			dst = append(dst, '\\', 'n')
		} else {
			dst = append(dst, '\\', '"')
		}
		s = s[i+1:]
	}
}

// WriteWARC writes pages as WARC records of HTTP responses.
func (w *World) WriteWARC(ctx context.Context, out io.Writer, from, to int64) error {
	var html []byte
	return w.pages(ctx, out, from, to, func(_ *World, dst []byte, p *Page) []byte {
		const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
		html = p.AppendHTML(html[:0])
		dst = append(dst, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <"...)
		dst = append(append(dst, p.URL...), "#record>\r\nWARC-Target-URI: "...)
		dst = append(append(dst, p.URL...), "\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(head)+len(html)), 10)
		dst = append(append(dst, "\r\n\r\n"+head...), html...)
		return append(dst, "\r\n\r\n"...)
	})
}

// linksHeader is the first line of a table of links.
const linksHeader = "source\ttarget\tanchor\tbefore\tafter\n"

// WriteLinks writes the links of pages as a table with tabs between its columns, which begins with their names.
func (w *World) WriteLinks(ctx context.Context, out io.Writer, from, to int64) error {
	if _, err := io.WriteString(out, linksHeader); err != nil {
		return err
	}
	return w.pages(ctx, out, from, to, func(_ *World, dst []byte, p *Page) []byte {
		for i := range p.links {
			target, before, anchor, after := p.Link(i)
			dst = append(dst, p.URL...)
			for _, s := range [][]byte{target, anchor, before, after} {
				dst = append(append(dst, '\t'), s...)
			}
			dst = append(dst, '\n')
		}
		return dst
	})
}

// AppendHTML appends the markup of the page.
func (p *Page) AppendHTML(dst []byte) []byte {
	dst = append(dst, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"...)
	dst = append(append(dst, p.Title...), "</title></head>\n<body>\n"...)
	inList := false
	for _, b := range p.blocks {
		if inList != (b.link >= 0) {
			inList = !inList
			dst = append(dst, [...]string{"</ul>\n", "<ul>\n"}[one(inList)]...)
		}
		dst = append(append(append(dst, '<'), b.tag...), '>')
		if b.link < 0 {
			dst = append(dst, p.bytes(b.text)...)
		} else {
			target, before, anchor, after := p.Link(b.link)
			dst = append(append(dst, before...), " <a href=\""...)
			dst = append(append(dst, target...), "\">"...)
			dst = append(append(dst, anchor...), "</a> "...)
			dst = append(dst, after...)
		}
		dst = append(append(append(dst, "</"...), b.tag...), ">\n"...)
	}
	if inList {
		dst = append(dst, "</ul>\n"...)
	}
	return append(dst, "</body></html>\n"...)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// WritePairs writes planted pairs as a table with tabs between its columns.
func WritePairs(out io.Writer, pairs func(yield func(Pair, error) bool)) error {
	b := bufio.NewWriter(out)
	b.WriteString("kind\ta\tb\tsimilarity\tcontainment_a\tcontainment_b\n")
	for p, err := range pairs {
		if err != nil {
			return err
		}
		if _, err := b.WriteString(p.String()); err != nil {
			return err
		}
	}
	return b.Flush()
}
