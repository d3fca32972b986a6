package crawl

import (
	"context"
	"fmt"
	"io"
	"os"
)

// maxDocument is the number of bytes of one document that ReadFile reads.
const maxDocument = 64 << 20

// ReadFile reads one document without a name, HTML or plain text, from a file or from standard input ("-").
func ReadFile(ctx context.Context, path string) (Page, error) {
	in := io.ReadCloser(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return Page{}, err
		}
		in = f
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxDocument))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Page{}, fmt.Errorf("%s: %w", path, err)
	}
	body, charset := toUTF8(raw, "")
	p := Page{Pos: Position{File: path}, Charset: charset}
	if sniffHTML(body[:min(len(body), sniffLen)]) {
		p.HTML = body
	} else {
		p.Text = body
	}
	return p, nil
}
