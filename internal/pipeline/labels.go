package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
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

// writeRepeated writes the numbers of the captures of short pages whose texts are repeated: under many URLs of one host, or
// on many hosts. It is given the sorted records of short pages.
func (b readStage) writeRepeated(ctx context.Context, shorts eachRecordFunc) error {
	dir := b.dir.Temp("sort-read")
	sorted := filepath.Join(dir, "shorts")
	defer os.Remove(sorted)
	if err := writeRecords(sorted, shorts); err != nil {
		return err
	}
	return sortOne(ctx, extsort.Config{Size: 8, Memory: b.memory / 16, Dir: dir}, func(to *extsort.Appender) error {
		return readWork(ctx, sorted, func(data []byte) error { return eachRepeated(ctx, data, to.Append) })
	}, func(each eachRecordFunc) error {
		_, err := tables.WriteCaptureSet(b.dir.Temp(repeatedFile), each)
		return err
	})
}

// eachRepeated calls do with the encoded numbers of the captures whose texts appear under at least repeatURLs URLs, or on as
// many hosts, given the sorted records of short pages.
func eachRepeated(ctx context.Context, shorts []byte, do func(number []byte) error) error {
	for len(shorts) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		urls, end := 0, 0 // of the first text: its URLs or hosts, and the end of its records
		for ; end < len(shorts) && bytes.HasPrefix(shorts[end:], shorts[:8]); end += shortSize {
			if end == 0 || !bytes.Equal(shorts[end+8:end+16], shorts[end-16:end-8]) {
				urls++
			}
		}
		for at := 0; at < end && urls >= repeatURLs; at += shortSize {
			if err := do(shorts[at+16 : at+shortSize]); err != nil {
				return err
			}
		}
		shorts = shorts[end:]
	}
	return nil
}
