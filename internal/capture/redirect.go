package capture

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/codec"
)

// RedirectBy is the kind of a redirect.
type RedirectBy uint8

// The kinds of redirects.
const (
	NoRedirect  RedirectBy = 0 // the URL has a page
	ByHTTP      RedirectBy = 1 // an HTTP status, or a table of redirects
	ByRefresh   RedirectBy = 2 // a meta refresh or a Refresh header
	ByCanonical RedirectBy = 3 // a canonical link, if the configuration trusts them
	ByName      RedirectBy = 4 // the name of the file of a page that has another URL
)

var redirectNames = [...]string{ByHTTP: "http", ByRefresh: "refresh", ByCanonical: "canonical", ByName: "name"}

// String returns the name in tables, which is empty for NoRedirect.
func (b RedirectBy) String() string {
	if int(b) < len(redirectNames) {
		return redirectNames[b]
	}
	return ""
}

// Redirect is the redirect of one capture. If captures of one URL disagree, the one that wins by [Order] decides: a
// page overrules an older redirect, and a redirect an older page. So a capture of a page has a Redirect too, with
// NoRedirect and without the URLs.
type Redirect struct {
	Hash     uint64 // of the URL
	Order    Order  // of the capture
	By       RedirectBy
	From, To []byte // canonical URLs
}

// RedirectOf returns the redirect of a record that redirects its URL.
func RedirectOf(r crawl.Redirect, by RedirectBy, number Number) Redirect {
	return Redirect{Hash(r.From), Order{Millis(r.Time), number}, by, []byte(r.From), []byte(r.To)}
}

// AliasOf returns the redirect from the alias of a page.
func AliasOf(p *crawl.Page, number Number) Redirect {
	return RedirectOf(crawl.Redirect{From: p.Alias, To: p.Canonical, Time: p.Time}, ByName, number)
}

// Bound returns an upper bound of the size of the encoded redirect in bytes.
func (r *Redirect) Bound() int { return 64 + len(r.From) + len(r.To) }

// Append appends the encoded redirect to dst: a uvarint of the length of the rest, the hash (8 bytes, little-endian),
// the order (16), the kind (1) and, unless that is NoRedirect, both URLs, each preceded by a uvarint of its length.
func (r *Redirect) Append(dst []byte) []byte {
	body := binary.LittleEndian.AppendUint64(make([]byte, 0, 64), r.Hash)
	body = append(r.Order.Append(body), byte(r.By))
	if r.By != NoRedirect {
		body = codec.AppendBytes(codec.AppendBytes(body, r.From), r.To)
	}
	return codec.AppendBytes(dst, body)
}

// RedirectSize is the least size in bytes of an encoded redirect without its length.
const RedirectSize = 8 + OrderSize + 1

// DecodeRedirect decodes what Append wrote after the length. The URLs point into body.
func DecodeRedirect(body []byte) (Redirect, error) {
	d := codec.Decoder{B: body}
	r := Redirect{Hash: d.U64(), Order: DecodeOrder(d.Take(OrderSize)), By: RedirectBy(d.U8())}
	if r.By != NoRedirect {
		r.From, r.To = d.Bytes(), d.Bytes()
	}
	if d.Err != nil {
		return Redirect{}, fmt.Errorf("redirect: %w", d.Err)
	}
	return r, nil
}

// MaxHops is the maximum number of consecutive redirects to follow, the same as in search engines.
const MaxHops = 10

// Reasons for not following a redirect. Links to its URL then stay links to that URL.
const (
	ReasonLoop    crawl.Reason = "redirect-loop"     // it leads back to a URL on the way
	ReasonTooLong crawl.Reason = "redirect-too-long" // it does not end within MaxHops
)

// Destination follows the redirects that begin at a URL, one step at a time. It returns where they end and after how
// many hops, or the reason for not following them. step returns where a URL redirects to.
func Destination(url string, step func(url string) (to string, ok bool)) (to string, hops uint8, reason crawl.Reason) {
	way := []string{url}
	to, _ = step(url)
	for {
		next, more := step(to)
		switch {
		case !more:
			return to, uint8(len(way)), ""
		case slices.Contains(way, to):
			return "", 0, ReasonLoop
		case len(way) == MaxHops:
			return "", 0, ReasonTooLong
		}
		way, to = append(way, to), next
	}
}
