package stream

// Packing describes how a file is compressed.
type Packing struct {
	Name    string `json:"name"`              // "gzip", "zstd", or "none"
	Members int64  `json:"members,omitempty"` // gzip members or zstd frames begun
}

// Packing returns how the file is compressed. Call it after reading the file.
func (m *Members) Packing() Packing {
	switch m.Kind {
	case Gzip:
		return Packing{"gzip", m.count}
	case Zstd:
		return Packing{"zstd", m.count}
	}
	return Packing{Name: "none"}
}
