package tables

import (
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/mapped"
)

// Redirect is a row of redirects.lsh.
type Redirect struct {
	From, To string             // canonical URLs; the redirects end at To
	By       capture.RedirectBy // of the first redirect
	Hops     uint8              // number of redirects from From to To
	Time     int64              // of the capture of From, in milliseconds since 1970; 0 if unknown
}

// RedirectsWriter writes redirects.lsh.
type RedirectsWriter struct {
	writer
	hash, time *mapped.Section
	by, hops   *mapped.Section
	from, to   *mapped.StringsWriter
	n          int
}

// CreateRedirects starts redirects.lsh.
func CreateRedirects(path string) *RedirectsWriter {
	w := mapped.Create(path, "redirect", version)
	return &RedirectsWriter{
		writer: writer{w}, hash: w.Side("hash", 8), time: w.Side("time", 8), by: w.Side("by", 1), hops: w.Side("hops", 1),
		from: w.StreamStrings("from"), to: w.Strings("to"),
	}
}

// Add appends a row. Rows must ascend by the hash of From.
func (w *RedirectsWriter) Add(r Redirect) {
	w.n++
	w.hash.U64(Hash(r.From))
	w.from.Add(r.From)
	w.to.Add(r.To)
	w.time.U64(uint64(r.Time))
	w.by.Bytes([]byte{byte(r.By)})
	w.hops.Bytes([]byte{r.Hops})
}

// Len returns the number of rows so far.
func (w *RedirectsWriter) Len() int { return w.n }

// Redirects reads redirects.lsh.
type Redirects struct {
	file
	hash, time column64
	by, hops   column8
	from, to   mapped.Strings
}

// OpenRedirects opens redirects.lsh.
func OpenRedirects(path string) (*Redirects, error) {
	r := open(path, "redirect")
	t := &Redirects{
		file: file{r.f}, hash: r.u64("hash"), time: r.u64("time"), by: r.u8("by"), hops: r.u8("hops"), from: r.strings("from"), to: r.strings("to"),
	}
	n := t.hash.Len()
	return t, r.done(t.time.Len() == n && t.by.Len() == n && t.hops.Len() == n && t.from.Len() == n && t.to.Len() == n)
}

// Len returns the number of rows.
func (t *Redirects) Len() int { return t.hash.Len() }

// At returns row i; its strings point into the table.
func (t *Redirects) At(i int) Redirect {
	return Redirect{From: t.from.At(i), To: t.to.At(i), By: capture.RedirectBy(t.by.At(i)), Hops: t.hops.At(i), Time: int64(t.time.At(i))}
}

// Find returns the row of a canonical URL that redirects.
func (t *Redirects) Find(url string) (int, bool) { return t.FindHash(Hash(url), url) }

// FindHash is Find for a URL whose hash is known.
func (t *Redirects) FindHash(h uint64, url string) (int, bool) {
	for i, _ := search(t.hash, h); i < t.hash.Len() && t.hash.At(i) == h; i++ {
		if t.from.At(i) == url {
			return i, true
		}
	}
	return 0, false
}

// Target returns the URL at which the redirects of a canonical URL end, or the URL itself if it does not redirect.
func (t *Redirects) Target(url string) string {
	if i, ok := t.Find(url); ok {
		return t.to.At(i)
	}
	return url
}

// Any reports whether a URL with a hash from lowest to highest, inclusive, redirects.
func (t *Redirects) Any(lowest, highest uint64) bool {
	i, _ := search(t.hash, lowest)
	return i < t.hash.Len() && t.hash.At(i) <= highest
}
