package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/text"
	"github.com/zeebo/xxh3"
)

// Pages that are no content of their own, though their status is 200: error pages, walls of consent, shells that want
// JavaScript. They are short, and say so in set phrases or stand under many URLs of one host with one and the same title
// and text. Such pages get a label; in the syntactic view they are alone, so that thousands of URLs are not shown as
// copies of one page that is none. Only HTML is labelled: a short text is what its file holds.

const (
	labelWords  = 60 // words of a page that can be labelled
	repeatWords = 40 // and of one that is labelled for its repetition alone
	repeatURLs  = 10 // of one host, from which on a text is repeated
)

// phrases in lower case, of titles and texts of short pages.
var phrases = [...]struct {
	label anchors.Label
	words []string
}{
	{anchors.JavaScript, []string{
		"enable javascript", "javascript is disabled", "javascript is required", "requires javascript", "javascript to run this app", "turn on javascript",
		"activez javascript", "activer javascript", "javascript aktivieren", "aktivieren sie javascript", "habilite javascript", "включите javascript",
	}},
	{anchors.Consent, []string{
		"accept cookies", "accept all cookies", "we use cookies", "before you continue to", "we value your privacy", "consent to cookies", "cookie consent",
		"wir verwenden cookies", "nous utilisons des cookies", "utilizamos cookies",
	}},
	{anchors.NotFound, []string{
		"page not found", "404 not found", "not found (404)", "error 404", "404 error", "page does not exist", "page doesn't exist", "page cannot be found",
		"page can't be found", "page could not be found", "page you requested was not found", "page you are looking for", "page no longer exists",
		"seite nicht gefunden", "page introuvable", "página no encontrada", "página não encontrada", "страница не найдена", "pagina non trovata", "sidan hittades inte",
	}},
}

// labelOf is the label that the phrases of a page give it.
func labelOf(p *crawl.Page, doc *text.Doc) anchors.Label {
	if p.HTML == nil || len(doc.Words) > labelWords {
		return anchors.Content
	}
	said := strings.ReplaceAll(strings.ToLower(string(doc.Title)+"\n"+string(doc.Text)), "’", "'")
	for _, l := range phrases {
		for _, w := range l.words {
			if strings.Contains(said, w) {
				return l.label
			}
		}
	}
	return anchors.Content
}

// shortSize is the size of a record of a short page, big-endian: hash of host, title and text, hash of the URL, capture.
const shortSize = 24

// short notes a page that may turn out to be repeated.
func (r *pageReader) short(p *crawl.Page, doc *text.Doc) error {
	if p.HTML == nil || len(doc.Words) > repeatWords {
		return nil
	}
	var rec [shortSize]byte
	binary.BigEndian.PutUint64(rec[:], xxh3.HashSeed(doc.Text, xxh3.HashSeed(doc.Title, r.rec.Host)))
	binary.BigEndian.PutUint64(rec[8:], r.rec.Source)
	binary.BigEndian.PutUint64(rec[16:], r.rec.Capture)
	return r.shorts.Append(rec[:])
}

const repeatedFile = "work/repeated"

// writeRepeated writes the numbers of the captures that are repeated under many URLs of their host.
func (b *build) writeRepeated(ctx context.Context, s *extsort.Sorter) error {
	return create(b.dir.Temp(repeatedFile), func(w io.Writer) error {
		var run []byte // records of one text
		urls := 0
		put := func() error {
			if urls < repeatURLs {
				return nil
			}
			for ; len(run) > 0; run = run[shortSize:] {
				if _, err := w.Write(run[16:shortSize]); err != nil {
					return err
				}
			}
			return nil
		}
		err := records(ctx, s, func(rec []byte) error {
			n := len(run)
			switch {
			case n > 0 && !bytes.Equal(rec[:8], run[n-shortSize:n-shortSize+8]):
				if err := put(); err != nil {
					return err
				}
				run, urls = run[:0], 1
			case n == 0 || !bytes.Equal(rec[8:16], run[n-shortSize+8:n-shortSize+16]):
				urls++
			}
			run = append(run, rec...)
			return nil
		})
		return cmp.Or(err, put())
	})
}

// readCaptures reads a file of numbers of captures; there are few.
func (b *build) readCaptures(name string) (map[uint64]bool, error) {
	f, err := framed.ReadFile(b.dir.Path(name))
	if err != nil {
		return nil, err
	}
	set := make(map[uint64]bool, len(f)/8)
	for ; len(f) >= 8; f = f[8:] {
		set[binary.BigEndian.Uint64(f)] = true
	}
	return set, nil
}
