package crawl

import (
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// Source and the others here are types that the readers of the formats share with this package through package record, so
// that a reader need not import this package. A program that reads crawls uses the names here.
type (
	Source      = record.Source
	Beginner    = record.Beginner
	Record      = record.Record
	Page        = record.Page
	Link        = record.Link
	Rendering   = record.Rendering
	Revisit     = record.Revisit
	Redirect    = urls.Redirect
	Position    = record.Position
	Options     = record.Options
	MemoryError = record.MemoryError
	Skip        = record.Skip
	Reason      = record.Reason
	Packing     = stream.Packing
)

// NotRendered is [record.NotRendered].
const NotRendered = record.NotRendered

// ParseSelection is [record.ParseSelection].
func ParseSelection(from, to string, status, mime []string) (record.Selection, error) {
	return record.ParseSelection(from, to, status, mime)
}

// ParseMap is [table.ParseMap].
func ParseMap(entries ...string) (record.Map, error) { return table.ParseMap(entries...) }
