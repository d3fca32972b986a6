package crawl

import (
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// PackingOf returns how the file of a source is compressed. Call it after reading the source. For folders and zip
// archives, the name of the packing is "none".
func PackingOf(src record.Source) stream.Packing {
	if p, ok := src.(interface{ Packing() stream.Packing }); ok {
		return p.Packing()
	}
	return stream.Packing{Name: "none"}
}

// VersionOf returns the WARC version of the last record read, or "" for other sources.
func VersionOf(src record.Source) string {
	if s, ok := src.(*warc.Source); ok {
		return s.Version
	}
	return ""
}
