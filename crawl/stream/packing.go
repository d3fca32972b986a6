package stream

// Packing is how a file is compressed.
type Packing struct {
	Name    string `json:"name"`              // "gzip", "zstd", or "none"
	Members int64  `json:"members,omitempty"` // of gzip, or frames of zstd, that were begun
}

// Packing tells how the file is compressed, once it was read.
func (m *Members) Packing() Packing {
	switch m.Kind {
	case Gzip:
		return Packing{"gzip", m.count}
	case Zstd:
		return Packing{"zstd", m.count}
	}
	return Packing{Name: "none"}
}
