package record

import (
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// DecodeText returns a body as UTF-8, cut to MaxPage bytes, and sets the charset of the page. contentType is that of the
// server, if there is one. If the charset was guessed, the page gets a warning.
func (r *Record) DecodeText(p *Page, body []byte, contentType string) []byte {
	text, name, guessed := r.Room.ToUTF8(body, contentType, r.Opts.MaxPage)
	if p.Charset = name; guessed {
		p.Warn(r.Skip(ReasonCharsetGuessed, p.URL, errors.New(name)))
	}
	return r.Cut(p, text)
}

// CheckText returns a *Skip if a body is neither HTML nor text. said is what announced it as a page, such as a media
// type.
func (r *Record) CheckText(body []byte, said string) error {
	kind := payload.NotText(body)
	switch {
	case kind == "":
		return nil
	case said == "":
		return r.Skip(ReasonNotHTML, r.URL, fmt.Errorf("is %s", kind))
	}
	return r.Skip(ReasonNotHTML, r.URL, fmt.Errorf("said %s, is %s", Clip(said, 80), kind))
}
