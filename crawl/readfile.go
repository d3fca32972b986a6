package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// maxDocument is the maximum number of bytes that ReadFile reads.
const maxDocument = 64 << 20

// ReadFile reads one document that has no URL, HTML or plain text, from a file or from standard input ("-"). For anything
// else, the error is a *record.Skip whose detail says what it is.
func ReadFile(ctx context.Context, path string) (record.Page, error) {
	in := io.ReadCloser(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return record.Page{}, err
		}
		in = f
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxDocument))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return record.Page{}, fmt.Errorf("%s: %w", path, err)
	}
	if kind := payload.NotText(raw); kind != "" {
		return record.Page{}, &record.Skip{Pos: record.Position{File: path}, Reason: record.ReasonUnsupportedFormat, Err: errors.New(kind)}
	}
	p := Document(raw)
	p.Pos.File = path
	return p, nil
}

// Document returns a document that has no URL, HTML or plain text, in any charset.
func Document(raw []byte) (p record.Page) {
	body, charset, guessed := payload.ToUTF8(raw, "")
	p.Charset = charset
	if guessed {
		p.Warn(&record.Skip{Reason: record.ReasonCharsetGuessed, Err: errors.New(charset)})
	}
	if payload.SniffHTML(body[:min(len(body), payload.SniffLen)]) {
		p.HTML = body
	} else {
		p.Text = body
	}
	return p
}
