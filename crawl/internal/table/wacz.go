package table

import (
	"bytes"
	"context"
	"iter"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

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
