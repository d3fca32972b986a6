package pipeline

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
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

const repeatedFile = "work/repeated.lsh"

// writeRepeated writes the numbers of the captures that are repeated under many URLs of their host.
func (b *build) writeRepeated(ctx context.Context, s *extsort.Sorter) error {
	sorted, err := extsort.New(extsort.Config{Size: 8, Memory: b.memory / 16, Dir: b.dir.Temp("sort-read")})
	if err != nil {
		return err
	}
	defer sorted.Close()
	pending, err := os.Create(filepath.Join(b.dir.Temp("sort-read"), "pending"))
	if err != nil {
		return err
	}
	defer pending.Close()
	r := repeats{to: sorted.Appender(), pending: pending}
	err = records(ctx, s, r.add)
	if err := cmp.Or(err, r.to.Close()); err != nil {
		return err
	}
	_, err = writeCaptureSet(b.dir.Temp(repeatedFile), func(number func([]byte) error) error { return records(ctx, sorted, number) })
	return err
}

// repeats finds the texts that stand under repeatURLs URLs or more. The captures of a text wait until there are as many; of one
// URL there may be any number, so that they wait in a file.
type repeats struct {
	to      *extsort.Appender
	last    [16]byte // text and URL of the last record
	urls    int      // of this text
	pending *os.File
	waiting int64  // captures in the file
	buf     []byte // and those behind them
}

func (r *repeats) add(rec []byte) error {
	switch {
	case r.urls == 0 || !bytes.Equal(rec[:8], r.last[:8]):
		r.urls, r.waiting, r.buf = 1, 0, r.buf[:0]
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
	_, err := r.pending.WriteAt(r.buf, 8*r.waiting)
	r.waiting, r.buf = r.waiting+int64(len(r.buf)/8), r.buf[:0]
	return err
}

// pendingBytes is how much waits in memory.
const pendingBytes = 64 << 10

// release gives what has waited.
func (r *repeats) release() error {
	file := bufio.NewReader(io.NewSectionReader(r.pending, 0, 8*r.waiting))
	var number [8]byte
	for range r.waiting {
		if _, err := io.ReadFull(file, number[:]); err != nil {
			return err
		}
		if err := r.to.Append(number[:]); err != nil {
			return err
		}
	}
	for n := range bytesOf(r.buf, 8) {
		if err := r.to.Append(n); err != nil {
			return err
		}
	}
	r.waiting, r.buf = 0, r.buf[:0]
	return nil
}
