package tables

import "github.com/lshclust/lshclust/internal/mapped"

// NoInput is the input of a document that was not crawled.
const NoInput = ^uint32(0)

// CapturesWriter writes captures.lsh.
type CapturesWriter struct {
	writer
	input, hash, documentOf *mapped.Section
}

// CreateCaptures starts captures.lsh.
func CreateCaptures(path string) *CapturesWriter {
	w := mapped.Create(path, "captures", version)
	return &CapturesWriter{writer: writer{w}, input: w.Section("input", 4), hash: w.Side("hash", 8), documentOf: w.Side("document", 4)}
}

// Add appends the next document in order of ids: the number of the input that contains its page, or NoInput.
func (w *CapturesWriter) Add(input uint32) { w.input.U32(input) }

// AddCapture appends a document that is a capture of the URL with the given hash. Captures must ascend by (hash,
// document).
func (w *CapturesWriter) AddCapture(url uint64, document uint32) {
	w.hash.U64(url)
	w.documentOf.U32(document)
}

// Captures reads captures.lsh.
type Captures struct {
	file
	hash            column64
	input, document column32
}

// OpenCaptures opens captures.lsh.
func OpenCaptures(path string) (*Captures, error) {
	r := open(path, "captures")
	t := &Captures{file: file{r.f}, input: r.u32("input"), hash: r.u64("hash"), document: r.u32("document")}
	return t, r.done(t.hash.Len() == t.document.Len())
}

// Len returns the number of documents.
func (t *Captures) Len() int { return t.input.Len() }

// Input returns the number of the input that contains the page of a document, or NoInput if it was not crawled.
func (t *Captures) Input(id uint32) uint32 {
	if int64(id) >= int64(t.input.Len()) {
		return NoInput
	}
	return t.input.At(int(id))
}

// Rows returns the number of documents that are captures of a URL.
func (t *Captures) Rows() int { return t.hash.Len() }

// At returns row i: the hash of a URL and a document that is a capture of it, or None if the table is damaged.
func (t *Captures) At(i int) (url uint64, document uint32) {
	if document = t.document.At(i); i >= t.Rows() || !t.below("document", i, document, t.Len()) {
		document = None
	}
	return t.hash.At(i), document
}

// Of returns the documents that may be captures of a URL, those with the same hash, in order of ids.
func (t *Captures) Of(url string) []uint32 {
	h := Hash(url)
	from, _ := search(t.hash, h)
	to := from
	for to < t.hash.Len() && t.hash.At(to) == h {
		to++
	}
	if ids := t.document.Slice(from, to); t.allBelow("document", from, ids, t.Len()) {
		return ids
	}
	return nil
}
