package crawl

import (
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/stream"
	"github.com/lshclust/lshclust/crawl/warc"
)

// PackingOf tells how the file of a source is compressed, once it was read; it does not know of folders and zip archives.
func PackingOf(src record.Source) stream.Packing {
	if p, ok := src.(interface{ Packing() stream.Packing }); ok {
		return p.Packing()
	}
	return stream.Packing{Name: "none"}
}

// VersionOf is the version of WARC of the last record that was read, empty for other sources.
func VersionOf(src record.Source) string {
	if s, ok := src.(*warc.Source); ok {
		return s.Version
	}
	return ""
}
