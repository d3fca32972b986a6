package crawl

import (
	"cmp"
	"strings"
	"time"
)

// About is what a record says of itself before it is decoded, empty where it does not.
type About struct {
	Type      string // WARC-Type, lower case
	URL       string
	Time      time.Time
	Status    int    // of HTTP
	MediaType string // of the response, without parameters
	Encoding  string // of the content and of its transfer, as the server names them, such as "gzip" or "chunked, br"
}

// About looks at the head of a record.
func (r *Record) About() About {
	a := About{Type: r.kind, URL: r.url, Time: r.time, MediaType: mediaType(r.contentType)}
	if r.kind != "response" {
		return a
	}
	head, _ := parseHead(r.data)
	a.Status, a.MediaType = head.status, mediaType(cmp.Or(head.contentType, r.contentType))
	a.Encoding = strings.Join(strings.FieldsFunc(head.transferEncoding+","+head.contentEncoding, func(c rune) bool { return c == ',' || c == ' ' }), ", ")
	return a
}

// Packing is how a file is compressed.
type Packing struct {
	Name    string `json:"name"`              // "gzip", "zstd", or "none"
	Members int64  `json:"members,omitempty"` // of gzip, or frames of zstd, that were begun
}

// PackingOf tells how the file of a source is compressed, once it was read; it does not know of folders and zip archives.
func PackingOf(src Source) Packing {
	if p, ok := src.(interface{ packing() Packing }); ok {
		return p.packing()
	}
	return Packing{Name: "none"}
}

func (m *members) packing() Packing {
	switch m.kind {
	case gzipped:
		return Packing{"gzip", m.count}
	case zstandard:
		return Packing{"zstd", m.count}
	}
	return Packing{Name: "none"}
}

// VersionOf is the version of WARC of the last record that was read, empty for other sources.
func VersionOf(src Source) string {
	if s, ok := src.(*archiveSource); ok {
		return s.version
	}
	return ""
}
