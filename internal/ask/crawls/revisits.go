package crawls

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
)

// RevisitLine is a line of a CDXJ index of revisit records, without its key.
type RevisitLine struct {
	URL          string `json:"url"`
	Mime         string `json:"mime"`
	Status       string `json:"status"`
	Digest       string `json:"digest"`
	Length       string `json:"length"`
	Offset       string `json:"offset"`
	Filename     string `json:"filename"`
	OrigLength   string `json:"orig.length"` // of the record with the content
	OrigOffset   string `json:"orig.offset"`
	OrigFilename string `json:"orig.filename"`
	WasLength    string `json:"was.length"` // of the record that could have been a revisit
	WasOffset    string `json:"was.offset"`
	WasFilename  string `json:"was.filename"`
}

// RevisitCounts counts what [Revisits] found.
type RevisitCounts struct {
	Captures int   // responses of status 200 with content and a payload digest
	Without  int   // responses without a payload digest, and those that are cut or share a member of gzip
	Revisits int   // captures that could have been revisits
	Bytes    int64 // that their records take
	Instead  int64 // that the revisit records take
}

// mostContents is the maximum number of distinct contents that Revisits holds, about 200 bytes each.
const mostContents = 1 << 22

// archived is a response in an archive.
type archived struct {
	rec    *crawl.Record
	size   int64        // bytes of its record in the file
	digest string       // as the archive states it; "" if the record cannot be compared
	sum    xxh3.Uint128 // of the payload
	head   []byte       // of HTTP
}

// content identifies a payload. A digest alone would not do: some archives state false ones.
type content struct {
	digest string
	sum    xxh3.Uint128
}

func (a *archived) content() content { return content{a.digest, a.sum} }

// earliest is the earliest capture of a content.
type earliest struct {
	url  string
	time time.Time
	at   crawl.Position
	size int64
	more bool // whether other captures have it
}

// Revisits reads the archives of the run and finds the captures whose payload an earlier capture has: the archives
// state the same digest, and the bytes are the same. It writes a revisit record for each to w, as members of their own if zipped, and
// calls line with the line of a CDXJ index, where file is the name of the file that w writes.
func Revisits(ctx context.Context, r *runs.Run, w io.Writer, file string, zipped bool, line func(key string, l *RevisitLine) error) (n RevisitCounts, err error) {
	known := map[content]*earliest{}
	err = eachResponse(ctx, r, func(a *archived) error {
		if a.digest == "" {
			n.Without++
			return nil
		}
		n.Captures++
		switch f := known[a.content()]; {
		case f == nil:
			if len(known) == mostContents {
				return fmt.Errorf("the archives have more than %d different contents; cluster fewer of them into a run", mostContents)
			}
			known[a.content()] = &earliest{a.rec.URL, a.rec.Time, a.rec.Pos, a.size, false}
		case a.rec.Time.Before(f.time):
			*f = earliest{a.rec.URL, a.rec.Time, a.rec.Pos, a.size, true}
		default:
			f.more = true
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	err = eachResponse(ctx, r, func(a *archived) error {
		f := known[a.content()]
		if a.digest == "" || !f.more || f.at == a.rec.Pos {
			return nil
		}
		raw, err := revisitRecord(a, f, zipped)
		if err != nil {
			return err
		}
		at := n.Instead
		n.Revisits, n.Bytes, n.Instead = n.Revisits+1, n.Bytes+a.size, n.Instead+int64(len(raw))
		if _, err := w.Write(raw); err != nil {
			return err
		}
		l := &RevisitLine{
			URL: a.rec.URL, Mime: "warc/revisit", Status: "200", Digest: a.digest,
			Length: fmt.Sprint(len(raw)), Offset: fmt.Sprint(at), Filename: filepath.Base(file),
			OrigLength: fmt.Sprint(f.size), OrigOffset: fmt.Sprint(f.at.Offset), OrigFilename: filepath.Base(f.at.File),
			WasLength: fmt.Sprint(a.size), WasOffset: fmt.Sprint(a.rec.Pos.Offset), WasFilename: filepath.Base(a.rec.Pos.File),
		}
		key := a.rec.URL
		if url, err := r.Rules.Canonical(key); err == nil {
			key = urls.SURT(url)
		}
		return line(key+" "+a.rec.Time.UTC().Format(timestamp), l)
	})
	return n, err
}

const timestamp = "20060102150405"

// withContent reports whether a record is a response of status 200 that has content.
func withContent(about record.About, body []byte) bool {
	return about.Type == "response" && about.Status == 200 && len(body) > 0
}

// eachResponse calls response with every response that has content, in the archives of the run that can be read in order.
// It passes over damaged records.
func eachResponse(ctx context.Context, r *runs.Run, response func(*archived) error) error {
	any := false
	for _, in := range r.Manifest.Inputs {
		if ext := filepath.Ext(strings.TrimSuffix(in.Path, ".gz")); !strings.EqualFold(ext, ".warc") && !isFolder(in.Path) {
			continue
		}
		any = true
		if err := eachResponseOf(ctx, r, in.Path, response); err != nil {
			return err
		}
	}
	if !any {
		return errors.New("the run has no WARC file among its inputs; indexes and WACZ files are not read for this")
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func eachResponseOf(ctx context.Context, r *runs.Run, path string, response func(*archived) error) error {
	src, err := runs.OpenInput(r, path)
	if err != nil {
		return err
	}
	defer src.Close()
	var last *archived
	end := func(next crawl.Position) error {
		if last == nil {
			return nil
		}
		a := last
		last = nil
		if next.File == a.rec.Pos.File {
			a.size = next.Offset - a.rec.Pos.Offset
		} else if info, err := os.Stat(a.rec.Pos.File); err == nil {
			a.size = info.Size() - a.rec.Pos.Offset
		}
		if a.size <= 0 || a.rec.Pos.Inner != 0 {
			a.digest = "" // it has no place of its own in the file
		}
		return response(a)
	}
	var skip *crawl.Skip
	for rec, err := range src.Records(ctx) {
		switch {
		case errors.As(err, &skip):
			err = end(skip.Pos)
		case err == nil:
			err = end(rec.Pos)
		}
		if err != nil {
			return err
		}
		if rec == nil {
			continue
		}
		head, body, ok := bytes.Cut(rec.Data, []byte("\r\n\r\n"))
		bare := false // whether lines end without a carriage return
		if !ok {
			head, body, bare = bytes.Cut(rec.Data, []byte("\n\n"))
		}
		if v, original := rec.Original(); original && (ok || bare) && withContent(rec.About(), body) {
			if len(rec.Notes) > 0 || !ok {
				v.Digest = ""
			}
			last = &archived{rec: &crawl.Record{Pos: rec.Pos, URL: rec.URL, Time: rec.Time}, digest: v.Digest, sum: xxh3.Hash128(body),
				head: append(bytes.Clone(head), "\r\n\r\n"...)}
		}
	}
	return end(crawl.Position{})
}

// revisitRecord returns the revisit record of a capture, as warcio writes it.
func revisitRecord(a *archived, original *earliest, zipped bool) ([]byte, error) {
	version := "WARC/1.0"
	date := func(t time.Time) string {
		if t.Nanosecond() != 0 {
			version = "WARC/1.1"
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	fields := [][2]string{
		{"WARC-Type", "revisit"}, {"WARC-Record-ID", ""}, {"WARC-Target-URI", a.rec.URL}, {"WARC-Date", date(a.rec.Time)},
		{"WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"},
		{"WARC-Refers-To-Target-URI", original.url}, {"WARC-Refers-To-Date", date(original.time)},
		{"WARC-Payload-Digest", a.digest}, {"Content-Type", "application/http; msgtype=response"}, {"Content-Length", fmt.Sprint(len(a.head))},
	}
	id := xxh3.HashString128(fmt.Sprint(fields)).Bytes()
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID of version 8
	be := binary.BigEndian
	fields[1][1] = fmt.Sprintf("<urn:uuid:%08x-%04x-%04x-%04x-%012x>", be.Uint32(id[:]), be.Uint16(id[4:]), be.Uint16(id[6:]),
		be.Uint16(id[8:]), id[10:])
	var b bytes.Buffer
	b.WriteString(version + "\r\n")
	for _, f := range fields {
		b.WriteString(f[0] + ": " + f[1] + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(a.head)
	b.WriteString("\r\n\r\n")
	if !zipped {
		return b.Bytes(), nil
	}
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	_, err := g.Write(b.Bytes())
	if err = cmp.Or(err, g.Close()); err != nil {
		return nil, err
	}
	return z.Bytes(), nil
}
