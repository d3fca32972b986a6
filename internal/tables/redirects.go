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

var redirectsTable = kind{"redirect", 1}

type redirectColumns struct {
	hash numbers64    `lsh:"hash" of:"row"`
	time numbers64    `lsh:"time" of:"row"`
	by   octets       `lsh:"by" of:"row"`
	hops octets       `lsh:"hops" of:"row"`
	from mapped.Texts `lsh:"from,stream" of:"row"`
	to   mapped.Texts `lsh:"to" of:"row"`
}

// RedirectsWriter writes redirects.lsh.
type RedirectsWriter struct {
	writer
	redirectColumns
	n int
}

// CreateRedirects starts redirects.lsh.
func CreateRedirects(path string) *RedirectsWriter {
	w := new(RedirectsWriter)
	w.writer = redirectsTable.create(path, &w.redirectColumns)
	return w
}

// Add appends a row. Rows must ascend by the hash of From.
func (w *RedirectsWriter) Add(r Redirect) {
	w.n++
	w.hash.Add(Hash(r.From))
	w.from.Add(r.From)
	w.to.Add(r.To)
	w.time.Add(uint64(r.Time))
	w.by.Add(byte(r.By))
	w.hops.Add(r.Hops)
}

// Len returns the number of rows so far.
func (w *RedirectsWriter) Len() int { return w.n }

// Redirects reads redirects.lsh.
type Redirects struct {
	file
	redirectColumns
}

// OpenRedirects opens redirects.lsh.
func OpenRedirects(path string) (*Redirects, error) {
	t := new(Redirects)
	return t, redirectsTable.open(path, &t.file, &t.redirectColumns, nil)
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
	for i, _ := search(t.hash.Column, h); i < t.hash.Len() && t.hash.At(i) == h; i++ {
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
	i, _ := search(t.hash.Column, lowest)
	return i < t.hash.Len() && t.hash.At(i) <= highest
}
