package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// jsonlSource reads lines that are JSON objects: pages, or links (see fieldNames for the known members). It ignores
// other members. Positions are offsets into the uncompressed stream.
type jsonlSource struct {
	stream.Lines
	names *names
	lists Lists // links of a line that holds lists
	first bool  // the first object has been examined
}

// OpenJSONL reads the members as JSON Lines.
func OpenJSONL(m *stream.Members, o *record.Options) record.Source {
	s := &jsonlSource{Lines: stream.Lines{Members: m, Opts: o}, names: knownNames}
	if len(o.Map) > 0 {
		s.names = namesFor(o.Map)
	}
	return s
}

func (s *jsonlSource) Format() string { return "jsonl" }

// Records implements record.Source.
func (s *jsonlSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			rec, err := s.line()
			if errors.Is(err, io.EOF) {
				return
			}
			if rec == nil && err == nil {
				continue // a blank line
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// line reads one line. It returns a record, neither a record nor an error for a blank line, a *Skip, or io.EOF.
func (s *jsonlSource) line() (*record.Record, error) {
	if rec, ok := s.lists.Next(); ok {
		return rec, nil
	}
	m := s.Opts.NewRoom()
	pos, line, err := s.NextLine(&m)
	if err != nil || len(bytes.TrimLeft(line, " \t")) == 0 {
		m.Free()
		return nil, err
	}
	rec := &record.Record{Pos: pos, Data: line, Opts: s.Opts, Decode: s.decode, Room: m}
	if !s.first {
		s.first = true
		s.lists.on = isLists(line)
	}
	if s.lists.on {
		return nil, s.lists.open(rec)
	}
	return rec, nil
}

// decode returns the page of a line.
func (s *jsonlSource) decode(r *record.Record) (record.Page, error) {
	v, err := parseLine(r.Data, s.names, &r.Room)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadJSON, "", err)
	}
	return PageOf(r, &v, means(v.has))
}

// parseFeatures parses a set of features given as strings or numbers. Two numbers are the same feature if they are
// written the same way.
func parseFeatures(raw []byte) ([]string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	out := make([]string, len(list))
	for i, v := range list {
		switch {
		case len(v) > 0 && v[0] == '"':
			if err := json.Unmarshal(v, &out[i]); err != nil {
				return nil, fmt.Errorf("features: %w", err)
			}
		case len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9'):
			out[i] = string(v)
		default:
			return nil, fmt.Errorf("features: %.20s is neither string nor number", v)
		}
	}
	return out, nil
}

// SniffJSONL reports whether head is the beginning of a JSON Lines file.
func SniffJSONL(head []byte) bool {
	head = bytes.TrimPrefix(head, payload.Utf8BOM)
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
}
