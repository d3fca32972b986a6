package crawl

import (
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// The readers of the formats share these types with this package through package record, so that a reader need not
// import this package. A program that reads crawls uses the names here.
type (
	// Source is [record.Source].
	Source = record.Source
	// Beginner is [record.Beginner].
	Beginner = record.Beginner
	// Record is [record.Record].
	Record = record.Record
	// Page is [record.Page].
	Page = record.Page
	// Link is [record.Link].
	Link = record.Link
	// Rendering is [record.Rendering].
	Rendering = record.Rendering
	// Revisit is [record.Revisit].
	Revisit = record.Revisit
	// Redirect is [urls.Redirect].
	Redirect = urls.Redirect
	// Position is [record.Position].
	Position = record.Position
	// Options is [record.Options].
	Options = record.Options
	// MemoryError is [record.MemoryError].
	MemoryError = record.MemoryError
	// Skip is [record.Skip].
	Skip = record.Skip
	// Reason is [record.Reason].
	Reason = record.Reason
	// Packing is [stream.Packing].
	Packing = stream.Packing
)

// NotRendered is [record.NotRendered].
const NotRendered = record.NotRendered

// ParseSelection is [record.ParseSelection].
func ParseSelection(from, to string, status, mime []string) (record.Selection, error) {
	return record.ParseSelection(from, to, status, mime)
}

// ParseMap is [table.ParseMap].
func ParseMap(entries ...string) (record.Map, error) { return table.ParseMap(entries...) }
