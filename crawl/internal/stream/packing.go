package stream

// Packing describes how a file is compressed.
type Packing struct {
	Name    string `json:"name"`              // "gzip", "zstd", "bzip2", "xz", "lz4", "snappy", "brotli", or "none"
	Members int64  `json:"members,omitempty"` // members begun
}

// Packing returns how the file is compressed. Call it after reading the file.
func (m *Members) Packing() Packing {
	return Packing{packings[m.Kind].name, m.count}
}
