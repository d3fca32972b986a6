package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/serve/api"
)

// negotiate returns the media type among some that a request accepts best, "" for none. Of equally good ones the first
// wins.
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

// quality returns how well header lines of Accept like a media type: the q of the most specific range that holds it.
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

// encode writes a model in a media type. The bytes hold no character that a terminal obeys.
func encode(media string, m api.Model) ([]byte, error) {
	switch media {
	case api.NDJSON:
		var out bytes.Buffer
		rows := reflect.ValueOf(m.(api.List).Rows())
		for i := range rows.Len() {
			line, err := json.Marshal(rows.Index(i).Interface())
			if err != nil {
				return nil, err
			}
			out.Write(line)
			out.WriteByte('\n')
		}
		return harmless.JSON(out.Bytes()), nil
	case api.CSV:
		return encodeCSV(reflect.ValueOf(m.(api.List).Rows()))
	}
	line, err := json.Marshal(m)
	return append(harmless.JSON(line), '\n'), err
}

// encodeCSV writes a slice of structs with a column for each field.
func encodeCSV(rows reflect.Value) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	var columns []string
	row := rows.Type().Elem()
	for i := range row.NumField() {
		name, _, _ := strings.Cut(row.Field(i).Tag.Get("json"), ",")
		columns = append(columns, name)
	}
	if err := w.Write(columns); err != nil {
		return nil, err
	}
	cells := make([]string, len(columns))
	for i := range rows.Len() {
		for j := range cells {
			var err error
			if cells[j], err = cell(rows.Index(i).Field(j)); err != nil {
				return nil, err
			}
		}
		if err := w.Write(cells); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// cell returns a field as a cell: text on one line and without formulas, lists of phrases with commas between them, and
// what else has parts as JSON.
func cell(v reflect.Value) (string, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", nil
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case string:
		return harmless.Formula(harmless.Cell(x)), nil
	case []string:
		return harmless.Formula(harmless.Cell(strings.Join(x, ", "))), nil
	}
	line, err := json.Marshal(v.Interface())
	return harmless.Cell(string(line)), err
}

// trouble answers with a problem.
func trouble(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	troubleHeaders(w.Header(), p)
	line, err := json.Marshal(p)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	write(w, r, p.Status, append(harmless.JSON(line), '\n'))
}

// troubleHeaders sets the headers of an answer with a problem.
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

// write writes an answer with its length, without the body for HEAD.
func write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone
	}
}
