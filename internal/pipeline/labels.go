package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/zeebo/xxh3"
)

// Some pages have no content, though their status is 200: error pages, requests for consent, shells that need
// JavaScript. They are short, and either are mostly a set phrase (see text.Notice) or appear with the same title and text
// under many URLs of one host, or on many hosts if their own names and numbers are left aside. These pages get a label. In
// the syntactic view, labelled pages may equal others but are paired with none, so that error pages do not resemble one
// another. Only HTML is labelled: a short text file is content.

const (
	repeatWords = 40 // maximum number of words of a page labelled as repeated
	repeatURLs  = 10 // number of URLs of one host, or of hosts, from which on a text is called repeated
)

// noticeLabels maps the notices that package text recognizes to labels.
var noticeLabels = [...]anchors.Label{
	text.NoNotice: anchors.Content, text.NeedsJavaScript: anchors.JavaScript, text.AsksConsent: anchors.Consent, text.NotFound: anchors.NotFound,
}

// labelOf returns the label that the text of a page determines.
func labelOf(p *crawl.Page, doc *text.Doc) anchors.Label {
	if !isShown(p) {
		return anchors.Content
	}
	return noticeLabels[doc.Notice()]
}

// shortSize is the size of a record of a short page, big-endian: hash of host, title and text, hash of the URL,
// capture. Another record has the hash of title and text without the host's name and numbers, the hash of the host, and
// the capture.
const shortSize = 24

// isShort reports whether a page is short enough to be labelled as repeated.
func isShort(p *crawl.Page, doc *text.Doc) bool {
	return isShown(p) && len(doc.Words) <= repeatWords
}

// isShown reports whether a page is HTML, or the text of HTML that a browser rendered.
func isShown(p *crawl.Page) bool { return p.HTML != nil || p.Rendered != crawl.NotRendered }

// hashOfShort returns the hash of host, title and text of a short page.
func hashOfShort(doc *text.Doc, page *anchors.Record) uint64 {
	return xxh3.HashSeed(doc.Text, xxh3.HashSeed(doc.Title, page.Host))
}

// hashOnHosts returns the hash of title and text of a short page without the name of its host and without numbers. It is
// 0 if no letter is left.
func hashOnHosts(p *crawl.Page, doc *text.Doc) uint64 {
	page := bytes.ToLower(slices.Concat(doc.Title, []byte{'\n'}, doc.Text))
	host := strings.ToLower(urls.Host(p.Canonical))
	page = bytes.ReplaceAll(page, []byte("www."+host), nil)
	page = bytes.ReplaceAll(page, []byte(host), nil)
	page = slices.DeleteFunc(page, func(c byte) bool { return '0' <= c && c <= '9' })
	if !bytes.ContainsFunc(page, unicode.IsLetter) {
		return 0
	}
	return xxh3.HashSeed(page, onHosts)
}

// onHosts is the seed of hashOnHosts.
const onHosts = 1

// short records a short page by the hash of its text.
func (n *captureNotes) short(text, document uint64, number capture.Number) error {
	var rec [shortSize]byte
	binary.BigEndian.PutUint64(rec[:], text)
	binary.BigEndian.PutUint64(rec[8:], document)
	binary.BigEndian.PutUint64(rec[16:], uint64(number))
	return n.shorts.append(rec[:])
}

const repeatedFile = "work/repeated.lsh"

// writeRepeated writes the numbers of captures whose texts many URLs of their host repeat.
func (b readStage) writeRepeated(ctx context.Context, shorts eachRecordFunc) error {
	dir := b.dir.Temp("sort-read")
	return sortOne(ctx, extsort.Config{Size: 8, Memory: b.memory / 16, Dir: dir}, func(to *extsort.Appender) error {
		r := repeats{out: to, path: filepath.Join(dir, "repeats")}
		defer r.begin()
		return shorts(r.add)
	}, func(each eachRecordFunc) error {
		_, err := tables.WriteCaptureSet(b.dir.Temp(repeatedFile), each)
		return err
	})
}

// repeats finds the captures of texts that appear under at least repeatURLs URLs. The captures of a text wait until
// it has that many. Because one URL may have any number of captures, only pendingBytes of them wait in memory; a file
// holds the others.
type repeats struct {
	out  *extsort.Appender
	last [16]byte // text and URL of the last record
	urls int      // number of URLs of this text
	path string
	file *mapped.Writer // first waiting captures; nil if buf holds all of them
	to   *mapped.Section
	buf  []byte // other waiting captures
}

// pendingBytes is the maximum size of buf.
const pendingBytes = 64 << 10

// add adds the next record. Records must be sorted by text and URL.
func (r *repeats) add(rec []byte) error {
	switch {
	case r.urls == 0 || !bytes.Equal(rec[:8], r.last[:8]):
		r.begin()
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
		return r.out.Append(rec[16:shortSize])
	}
	r.buf = append(r.buf, rec[16:shortSize]...)
	if len(r.buf) < pendingBytes {
		return nil
	}
	return r.spill()
}

// begin discards the waiting captures.
func (r *repeats) begin() {
	r.buf = r.buf[:0]
	if r.file != nil {
		r.file.Abort()
		r.file = nil
	}
}

// spill moves the waiting captures from memory to the file.
func (r *repeats) spill() error {
	if r.file == nil {
		r.file = mapped.Create(r.path, workKind, workVersion)
		r.to = r.file.Section("data", 1)
	}
	r.to.Bytes(r.buf)
	r.buf = r.buf[:0]
	return r.file.Err()
}

// release passes on the waiting captures.
func (r *repeats) release() error {
	defer r.begin()
	if r.file != nil {
		if err := r.file.Close(); err != nil {
			return err
		}
		if err := readWork(context.Background(), r.path, r.out.AppendAll); err != nil {
			return err
		}
	}
	return r.out.AppendAll(r.buf)
}
