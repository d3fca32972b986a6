package tables

import "github.com/lshclust/lshclust/internal/mapped"

// Gone is a row of gone.lsh.
type Gone struct {
	URL  string // canonical, or the name of a capture
	Last int64  // time of the last capture, in milliseconds since 1970; 0 unknown
}

// GoneWriter writes gone.lsh.
type GoneWriter struct {
	w          *mapped.Writer
	hash, last *mapped.Section
	url        *mapped.StringsWriter
}

// CreateGone starts gone.lsh.
func CreateGone(path string) (*GoneWriter, error) {
	w, err := mapped.Create(path, "gone", version)
	if err != nil {
		return nil, err
	}
	return &GoneWriter{w: w, hash: w.Side("hash", 8), last: w.Side("last", 8), url: w.StreamStrings("url")}, nil
}

// Add appends a row. Rows ascend by the hash of the URL.
func (w *GoneWriter) Add(g Gone) {
	w.hash.U64(Hash(g.URL))
	w.last.U64(uint64(g.Last))
	w.url.Add(g.URL)
}

// Close publishes the table.
func (w *GoneWriter) Close() error { return w.w.Close() }

// Abort removes what was written.
func (w *GoneWriter) Abort() { w.w.Abort() }

// GoneTable reads gone.lsh.
type GoneTable struct {
	file
	hash, last column64
	url        mapped.Strings
}

// OpenGone opens gone.lsh.
func OpenGone(path string) (*GoneTable, error) {
	r := open(path, "gone")
	t := &GoneTable{file: file{r.f}, hash: r.u64("hash"), last: r.u64("last"), url: r.strings("url")}
	return t, r.done(t.last.Len() == t.hash.Len() && t.url.Len() == t.hash.Len())
}

// Len returns the number of rows.
func (t *GoneTable) Len() int { return t.hash.Len() }

// At returns row i; its URL points into the table.
func (t *GoneTable) At(i int) Gone { return Gone{URL: t.url.At(i), Last: int64(t.last.At(i))} }

// Find returns the row of a URL that is gone.
func (t *GoneTable) Find(url string) (Gone, bool) {
	h := Hash(url)
	for i, _ := search(t.hash, h); i < t.Len() && t.hash.At(i) == h; i++ {
		if t.url.At(i) == url {
			return t.At(i), true
		}
	}
	return Gone{}, false
}
