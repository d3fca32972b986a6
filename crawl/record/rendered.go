package record

import "bytes"

// Rendering says when a browser showed the text of a page.
type Rendering int

// The moments at which browsertrix saves text. The text is a text/plain resource with the URL urn:text:URL for the page
// as loaded, and urn:textFinal:URL for the page after scripts have scrolled and clicked, if that text differs.
const (
	NotRendered Rendering = iota
	RenderedLoaded
	RenderedFinal
)

// TextPage returns the page for a text that a browser showed.
func (r *Record) TextPage(b []byte, contentType, digest string, at Rendering) (Page, error) {
	p, err := r.Identify(Page{Pos: r.Pos, URL: r.URL, Time: r.Time, ContentType: contentType, Digest: digest, Rendered: at, Warnings: r.Notes})
	if err != nil {
		return Page{}, err
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return Page{}, r.Skip(ReasonEmptyPage, r.URL, nil)
	}
	p.Text = r.DecodeText(&p, b, contentType)
	return p, nil
}
