package tables

import (
	"slices"

	"github.com/lshclust/lshclust/internal/mapped"
)

// NoInput is the input of a document that was not crawled.
const NoInput = ^uint32(0)

// CapturesWriter writes captures.lsh.
type CapturesWriter struct {
	w                       *mapped.Writer
	input, hash, documentOf *mapped.Section
}

// CreateCaptures starts captures.lsh.
func CreateCaptures(path string) (*CapturesWriter, error) {
	w, err := mapped.Create(path, "captures", version)
	if err != nil {
		return nil, err
	}
	return &CapturesWriter{w: w, input: w.Section("input", 4), hash: w.Side("hash", 8), documentOf: w.Side("document", 4)}, nil
}

// Add appends a document: the number of the input that holds its page, or NoInput. Documents come in the order of the ids.
func (w *CapturesWriter) Add(input uint32) { w.input.U32(input) }

// AddCapture appends a document that is one of the captures of a URL, which is given by its hash. Captures ascend by
// (hash, document).
func (w *CapturesWriter) AddCapture(url uint64, document uint32) {
	w.hash.U64(url)
	w.documentOf.U32(document)
}

// Close publishes the table.
func (w *CapturesWriter) Close() error { return w.w.Close() }

// Abort removes what was written.
func (w *CapturesWriter) Abort() { w.w.Abort() }

// Captures reads captures.lsh.
type Captures struct {
	f               *mapped.File
	hash            []uint64
	input, document []uint32
}

// OpenCaptures opens captures.lsh.
func OpenCaptures(path string) (*Captures, error) {
	r := open(path, "captures")
	t := &Captures{f: r.f, input: r.u32("input"), hash: r.u64("hash"), document: r.u32("document")}
	return t, r.done(len(t.hash) == len(t.document))
}

// Len is the number of documents.
func (t *Captures) Len() int { return len(t.input) }

// Input is the number of the input that holds the page of a document, NoInput for one that was not crawled.
func (t *Captures) Input(id uint32) uint32 {
	if int64(id) >= int64(len(t.input)) {
		return NoInput
	}
	return t.input[id]
}

// Rows is the number of documents that are captures of a URL.
func (t *Captures) Rows() int { return len(t.hash) }

// At returns row i: the hash of a URL and one of its captures.
func (t *Captures) At(i int) (url uint64, document uint32) { return t.hash[i], t.document[i] }

// Of returns the documents that may be captures of a URL: those of the same hash, in the order of the ids.
func (t *Captures) Of(url string) []uint32 {
	h := Hash(url)
	from, _ := slices.BinarySearch(t.hash, h)
	to := from
	for to < len(t.hash) && t.hash[to] == h {
		to++
	}
	return t.document[from:to:to]
}

// Close unmaps the table.
func (t *Captures) Close() error { return t.f.Close() }
