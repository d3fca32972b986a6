package serve

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// negotiate returns the offered media type that a request prefers, or "" if it accepts none. Of equally good ones it
// returns the first.
func negotiate(accept []string, offered []string) string {
	if len(accept) == 0 {
		return offered[0]
	}
	best, at := "", 0.0
	for _, media := range offered {
		if q := quality(accept, media); q > at {
			best, at = media, q
		}
	}
	return best
}

// quality returns how well Accept headers like a media type: the q of the most specific matching range.
func quality(accept []string, media string) float64 {
	q, specific := 0.0, -1
	kind, _, _ := strings.Cut(media, "/")
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		of, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		level := map[string]int{media: 2, kind + "/*": 1, "*/*": 0}
		n, fits := level[of]
		if !fits || n <= specific {
			continue
		}
		weight := 1.0
		if text, ok := params["q"]; ok {
			if weight, err = strconv.ParseFloat(text, 64); err != nil || !(weight >= 0 && weight <= 1) {
				continue
			}
		}
		q, specific = weight, n
	}
	return q
}

// encode encodes a model in a media type.
func encode(media string, m api.Model) ([]byte, error) {
	format, ok := map[string]string{api.NDJSON: ask.JSONL, api.CSV: ask.CSV}[media]
	if !ok {
		line, err := ask.Marshal(m)
		return append(line, '\n'), err
	}
	var out bytes.Buffer
	e := ask.NewEncoder(&out, m, ask.Encoding{Format: format, Safe: true})
	if err := e.Put(m); err != nil {
		return nil, err
	}
	err := e.Close()
	return out.Bytes(), err
}

// trouble answers with a problem.
func trouble(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	troubleHeaders(w.Header(), p)
	line, err := ask.Marshal(p)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	write(w, r, p.Status, append(line, '\n'))
}

// troubleHeaders sets the headers of an answer that is a problem.
func troubleHeaders(h http.Header, p *api.Problem) {
	h.Del("Etag")
	h.Set("Content-Type", api.Trouble)
	h.Set("Cache-Control", "no-store")
	if p.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(p.Retry))
	}
	if p.Status == http.StatusUnauthorized {
		h["Www-Authenticate"] = []string{`Bearer realm="lshclust"`, `Basic realm="lshclust", charset="UTF-8"`}
	}
}

// packed compresses answers of 1 KiB and more for clients that accept it.
func packed(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1<<10), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are wrong
	}
	return wrap(h)
}

// write writes an answer with its length. It omits the body for HEAD.
func write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone
	}
}
