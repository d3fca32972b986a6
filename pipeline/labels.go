package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
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
func (n *captureNotes) short(p *crawl.Page, doc *text.Doc, page *anchors.Record) error {
	if p.HTML == nil || len(doc.Words) > repeatWords {
		return nil
	}
	var rec [shortSize]byte
	binary.BigEndian.PutUint64(rec[:], xxh3.HashSeed(doc.Text, xxh3.HashSeed(doc.Title, page.Host)))
	binary.BigEndian.PutUint64(rec[8:], page.Source)
	binary.BigEndian.PutUint64(rec[16:], page.Capture)
	return n.shorts.Append(rec[:])
}

const repeatedFile = "work/repeated.lsh"

// writeRepeated writes the numbers of the captures that are repeated under many URLs of their host.
func (b *build) writeRepeated(ctx context.Context, s *extsort.Sorter) error {
	dir := b.dir.Temp("sort-read")
	sorted, err := extsort.New(extsort.Config{Size: 8, Memory: b.memory / 16, Dir: dir})
	if err != nil {
		return err
	}
	defer sorted.Close()
	r := repeats{to: sorted.Appender(), path: filepath.Join(dir, "repeats")}
	err = records(ctx, s, r.add)
	if err := cmp.Or(err, r.begin(), r.to.Close()); err != nil {
		return err
	}
	_, err = tables.WriteCaptureSet(b.dir.Temp(repeatedFile), func(number func([]byte) error) error { return records(ctx, sorted, number) })
	return err
}

// repeats finds the captures of texts that stand under repeatURLs URLs or more. The captures of a text wait until it has so many
// URLs. One URL may have any number of captures, so that those that wait for long are in a file.
type repeats struct {
	to   *extsort.Appender
	last [16]byte // text and URL of the last record
	urls int      // of this text
	path string
	file *framed.Writer // captures that wait, nil if there are few
	buf  []byte         // captures that wait behind these
}

// pendingBytes is how much of what waits is in memory.
const pendingBytes = 64 << 10

// add takes the next record, in the order of text and URL.
func (r *repeats) add(rec []byte) error {
	switch {
	case r.urls == 0 || !bytes.Equal(rec[:8], r.last[:8]):
		if err := r.begin(); err != nil {
			return err
		}
		r.urls = 1
	case !bytes.Equal(rec[8:16], r.last[8:]):
		if r.urls++; r.urls == repeatURLs {
			if err := r.release(); err != nil {
				return err
			}
		}
	}
	copy(r.last[:], rec)
	if r.urls >= repeatURLs {
		return r.to.Append(rec[16:shortSize])
	}
	r.buf = append(r.buf, rec[16:shortSize]...)
	if len(r.buf) < pendingBytes {
		return nil
	}
	return r.spill()
}

// begin forgets what waits.
func (r *repeats) begin() error {
	r.buf = r.buf[:0]
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file = nil
	return file.Close()
}

// spill moves what waits from memory to the file.
func (r *repeats) spill() error {
	if r.file == nil {
		f, err := framed.Create(r.path)
		if err != nil {
			return err
		}
		r.file = framed.NewWriter(f)
	}
	_, err := r.file.Write(r.buf)
	r.buf = r.buf[:0]
	return err
}

// release passes on what waits.
func (r *repeats) release() error {
	if r.file == nil {
		err := r.to.AppendAll(r.buf)
		return cmp.Or(err, r.begin())
	}
	if err := cmp.Or(r.spill(), r.begin()); err != nil {
		return err
	}
	f, err := framed.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var number [8]byte
	for {
		switch _, err := io.ReadFull(f, number[:]); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := r.to.Append(number[:]); err != nil {
			return err
		}
	}
}
