package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// jsonlSource reads JSON objects, which may be JSON Lines, the elements of an array or the entries of a HAR (see
// objects): pages, or links (see fieldNames for the known members). It ignores other members. Positions are offsets
// into the uncompressed stream.
type jsonlSource struct {
	objects
	names  *names
	format string
	decode func(r *record.Record) (record.Page, error)
	begun  bool           // an object has been cut
	known  bool           // an object has been cut whose members say that it is a page or a link
	fields []byte         // the first object, if its members do not
	ready  []item         // what is returned next
	early  []*record.Skip // bad JSON before the first object
	ended  bool
}

// item is a record or the reason for one that is left out.
type item struct {
	rec *record.Record
	err error
}

// maxEarly is the number of lines after which an input without an object is given up.
const maxEarly = 20

// OpenJSONL reads the members as JSON objects.
func OpenJSONL(m *stream.Members, o *record.Options) record.Source {
	s := &jsonlSource{objects: newObjects(m, o), names: knownNames, format: "jsonl"}
	if len(o.Map) > 0 {
		s.names = namesFor(o.Map)
	}
	s.decode, s.inside = s.page, s.array
	head, _ := m.Buf.Peek(payload.SniffLen)
	switch {
	case harHead.Match(head):
		s.format, s.decode, s.known = "har", decodeHAR, true
	case firstOf(head) == '[':
		s.format = "json"
	}
	return s
}

func (s *jsonlSource) Format() string { return s.format }

// Records implements record.Source.
func (s *jsonlSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return record.Iterate(ctx, func() (*record.Record, error) {
		next := s.item()
		return next.rec, next.err
	})
}

// item returns the next item, an empty one if there is none yet, or io.EOF.
func (s *jsonlSource) item() item {
	if len(s.ready) > 0 {
		next := s.ready[0]
		s.ready = s.ready[1:]
		return next
	}
	if s.ended {
		return item{err: io.EOF}
	}
	var skip *record.Skip
	m := s.Opts.NewRoom()
	pos, object, err := s.next(&m)
	switch {
	case err == nil:
		return s.cut(&record.Record{Pos: pos, URL: s.address(), Data: object, Opts: s.Opts, Decode: s.decode, Room: m})
	case errors.Is(err, io.EOF):
		s.ended = true
		return item{err: s.conclude()}
	case errors.As(err, &skip) && skip.Reason == record.ReasonBadJSON && !s.begun:
		if s.early = append(s.early, skip); len(s.early) == maxEarly {
			s.ended = true
			return item{err: s.Skip(record.ReasonUnsupportedFormat, fmt.Errorf("no JSON object on its first %d lines: %w", maxEarly, skip.Err))}
		}
		return item{}
	}
	return item{err: err}
}

// cut returns an object that was cut, or what was left out before it.
func (s *jsonlSource) cut(rec *record.Record) item {
	s.begun = true
	if !s.known {
		s.examine(rec)
	}
	next := item{rec: rec}
	for _, skip := range s.early {
		s.ready = append(s.ready, item{err: skip})
	}
	s.early = nil
	if len(s.ready) > 0 {
		s.ready, next = append(s.ready[1:], next), s.ready[0]
	}
	return next
}

// examine finds out whether an object is a page or a link, as far as the names of its members say.
func (s *jsonlSource) examine(rec *record.Record) {
	room := s.Opts.NewRoom()
	defer room.Free()
	v, err := parseObject(rec.Data, s.names, &room)
	switch {
	case err != nil:
	case v.means() != nothing:
		s.known = true
	case s.fields == nil:
		s.fields = bytes.Clone(rec.Data[:min(len(rec.Data), payload.MaxAside)])
	}
}

// conclude returns what there is to say about an input at its end, or io.EOF.
func (s *jsonlSource) conclude() error {
	switch {
	case s.known, s.first == 0, s.begun && s.fields == nil:
		return io.EOF
	case s.begun:
		return s.Skip(record.ReasonUnknownColumns, unknownFields(s.fields))
	case len(s.early) == 0:
		return s.Skip(record.ReasonEmptyFile, errors.New("JSON without an object"))
	}
	skip := *s.early[0]
	if n := len(s.early); n > 1 {
		skip.Err = fmt.Errorf("%w; there are %d such lines and no object", skip.Err, n)
	}
	return &skip
}

// values returns the values of an object, or of a string whose key is its URL.
func (s *jsonlSource) values(r *record.Record) (v Values, err error) {
	if r.Data[0] != '"' {
		v, err = parseObject(r.Data, s.names, &r.Room)
	} else {
		in := readerOf(r.Data, &r.Room)
		defer in.done()
		raw, wrong := in.ReadValue()
		if err = wrong; err == nil {
			v.Of[fieldContent] = in.text(raw)
		}
	}
	if r.URL != "" && v.name(r.Opts.Map) == "" {
		v.Of[fieldURL] = []byte(r.URL)
	}
	return v, err
}

// page returns the page of an object.
func (s *jsonlSource) page(r *record.Record) (record.Page, error) {
	v, err := s.values(r)
	switch {
	case err != nil:
		return record.Page{}, r.Skip(record.ReasonBadJSON, "", err)
	case v.listed && v.name(r.Opts.Map) == "":
		return record.Page{}, r.Skip(record.ReasonUnknownColumns, "", fmt.Errorf("the URL %w", errNotRows))
	}
	rows := means(v.has)
	if rows != linkRows && v.isText() && v.name(r.Opts.Map) == "" {
		if name := withAddress(r.Data); name != "" {
			return record.Page{}, r.Skip(record.ReasonNoURL, "", fmt.Errorf("%s holds an address: --map url=%s makes it the URL", name, name))
		}
		rows = textRows
	}
	return PageOf(r, &v, rows)
}

// parseFeatures parses a set of features given as strings or numbers. Two numbers are the same feature if they are
// written the same way.
func parseFeatures(raw []byte, room *payload.Room) (out []string, err error) {
	r := readerOf(raw, room)
	defer r.done()
	err = r.elements(func() error {
		switch v, err := r.ReadValue(); {
		case err != nil:
			return err
		case v.Kind() == '"':
			out = append(out, payload.ValidString(r.text(v)))
		case v.Kind() == '0':
			out = append(out, string(v))
		default:
			return fmt.Errorf("%.20s is neither string nor number", v)
		}
		return nil
	})
	if err = errors.Join(err, r.end()); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	return out, nil
}

// SniffJSONL reports whether head is the beginning of a file of JSON objects or of an array of them.
func SniffJSONL(head []byte) bool {
	head = bytes.TrimLeft(head, jsonBlanks)
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		return true
	case bytes.HasPrefix(head, []byte("[")):
		head = bytes.TrimLeft(head[1:], jsonBlanks)
		return len(head) > 0 && bytes.IndexByte([]byte("{[]"), head[0]) >= 0 || bytes.HasPrefix(head, []byte("null"))
	}
	return false
}

// jsonBlanks are what may come before an object or an array.
const jsonBlanks = " \t\r\n\x1e\ufeff"

// firstOf returns the first byte of head that is not blank, 0 if there is none.
func firstOf(head []byte) byte {
	if head = bytes.TrimLeft(head, jsonBlanks); len(head) > 0 {
		return head[0]
	}
	return 0
}

// textSource reads from a list of pages in a WACZ the text that was saved with the pages.
type textSource struct{ *jsonlSource }

// OpenTexts opens a list of pages in a WACZ.
func OpenTexts(m *stream.Members, o *record.Options) record.Source {
	return textSource{&jsonlSource{objects: newObjects(m, o), names: waczNames, format: "jsonl", known: true, decode: decodeWACZText}}
}

// Records implements record.Source. Lines without a text yield no record.
func (s textSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for rec, err := range s.jsonlSource.Records(ctx) {
			if rec != nil && !bytes.Contains(rec.Data, []byte(`"text"`)) {
				rec.Release()
				continue
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

func decodeWACZText(r *record.Record) (record.Page, error) {
	line, err := parseLine(r.Data, waczNames, &r.Room)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadJSON, "", err)
	}
	r.URL = payload.ValidString(line.Of[fieldURL])
	r.Time = line.timeOf(r, r.URL)
	return r.TextPage(line.Of[fieldText], "text/plain; charset=utf-8", "", record.RenderedLoaded)
}

// waczNames holds the names of the members in a line of a list of pages.
var waczNames = namesOf(map[Field]string{fieldURL: "url", fieldText: "text", fieldTime: "ts"})

// CanBegin implements [record.Beginner]. What follows an object may depend on its indentation and on what surrounds it.
func (s *jsonlSource) CanBegin(at record.Position) bool {
	simple := s.known && len(s.around.open) == 0 && len(s.ready) == 0
	return simple && s.began == 0 && at.Offset >= s.far && s.Lines.CanBegin()
}

// Begin implements [record.Beginner].
func (s *jsonlSource) Begin(at record.Position) error {
	head, _ := s.Buf.Peek(payload.SniffLen)
	s.first, s.known, s.begun, s.inside = firstOf(head), true, true, nil
	s.number = at.Record
	return s.BeginAt(at)
}
