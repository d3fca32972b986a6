package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// cdxSource reads an index of captures. It reads the records that Options.Select wants from the archives next to the
// index. A line of CDXJ is
//
//	org,example)/ 20200102030405 {"url": …, "mime": …, "status": …, "offset": …, "filename": …}
//
// A line that begins with ! is not a capture. Classic CDX names its columns by letters in the first line, such as " CDX
// N b a m s k r M S V g". Of these, cdxSource uses a (URL), b (time), m (mime), s (status), V (offset) and g (file
// name). Lines of 9 to 11 fields need no such first line. An archive is searched for where its name says, seen from the
// index, then by the last part of the name: among the archives that are read too, beside the index, and in the folders
// in which archives usually are.
type cdxSource struct {
	stream.Lines
	columns string // columns of classic CDX, if the first line names them
	fetch   Fetcher
	where   map[string]string // paths of the archives found so far, by the name in the index
	given   map[string]string // paths of the archives in the options, by their last part
}

// cdxColumns holds the columns of classic CDX by their number.
var cdxColumns = map[int]string{9: "N b a m s k r V g", 10: "N b a m s k r M V g", 11: "N b a m s k r M S V g"}

const (
	cdxBatch   = 1 << 15 // captures that are sorted by position and read together
	batchNames = 4 << 20 // bytes of URLs and names in a batch
	maxCDXLine = 1 << 20
	maxName    = 4 << 10 // maximum length in bytes of a file name
)

// cdxCapture is one line of the index.
type cdxCapture struct {
	at       record.Position // position in the index
	url      string
	time     time.Time
	mime     string
	status   int
	post     bool // the answer to a form
	filename string
	offset   int64
}

func openCDX(m *stream.Members, o *record.Options) record.Source {
	s := &cdxSource{Lines: stream.Lines{Members: m, Opts: o, Limit: maxCDXLine}, fetch: Fetcher{Options: *o},
		where: map[string]string{}, given: map[string]string{}}
	for _, path := range slices.Backward(o.Archives) {
		s.given[filepath.Base(path)] = path
	}
	return s
}

func (s *cdxSource) Format() string { return "cdx" }

// Close closes the index and the archive.
func (s *cdxSource) Close() error {
	s.fetch.Close()
	return s.Members.Close()
}

// ArchivesOf lists the archives from which an index of captures reads records, sorted by path. For any other input it
// returns none.
func ArchivesOf(ctx context.Context, path string, o record.Options) ([]string, error) {
	src, err := Open(path, o)
	if err != nil {
		return nil, nil //nolint:nilerr // the error is reported when the input is read
	}
	defer src.Close()
	s, ok := src.(*cdxSource)
	if !ok {
		return nil, nil
	}
	found := map[string]bool{}
	for ctx.Err() == nil {
		c, err := s.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			found[s.find(c.filename)] = true
		}
	}
	delete(found, "") // archives that were not found
	return slices.Sorted(maps.Keys(found)), ctx.Err()
}

// Records implements record.Source. It reads the captures of a batch of lines in the order of archive and offset.
func (s *cdxSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		var batch []cdxCapture
		size := 0
		for {
			c, err := s.line()
			end := errors.Is(err, io.EOF)
			if err == nil {
				c.url = record.Clip(c.url, 200)
				if len(c.filename) > maxName {
					c.filename = record.Clip(c.filename, 200)
				}
				batch, size = append(batch, c), size+len(c.url)+len(c.mime)+len(c.filename)
			}
			full := end || len(batch) == cdxBatch || size >= batchNames
			if full && !s.fetched(ctx, batch, yield) {
				return
			}
			if full {
				clear(batch)
				batch, size = batch[:0], 0
			}
			if end {
				return
			}
			if err != nil && !yield(nil, err) {
				return
			}
		}
	}
}

func (s *cdxSource) fetched(ctx context.Context, batch []cdxCapture, yield func(*record.Record, error) bool) bool {
	slices.SortFunc(batch, func(a, b cdxCapture) int {
		return cmp.Or(cmp.Compare(a.filename, b.filename), cmp.Compare(a.offset, b.offset), cmp.Compare(a.at.Record, b.at.Record))
	})
	for _, c := range batch {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return false
		}
		if !yield(s.record(c)) {
			return false
		}
	}
	return true
}

// record reads the record of one capture.
func (s *cdxSource) record(c cdxCapture) (*record.Record, error) {
	wanted, leads := &s.Opts.Select, record.IsRedirect(c.status)
	if !wanted.WantsTime(c.time) || !leads && (!wanted.WantsMime(c.mime) || len(wanted.Status) > 0 && !wanted.WantsStatus(c.status)) {
		return nil, &record.Skip{Pos: c.at, Reason: record.ReasonNotSelected, URL: c.url}
	}
	if c.post {
		return nil, &record.Skip{Pos: c.at, Reason: record.ReasonPost, URL: c.url}
	}
	path := s.find(c.filename)
	if path == "" {
		return nil, &record.Skip{Pos: c.at, Reason: record.ReasonNoArchive, URL: c.url,
			Err: fmt.Errorf("%.200q is neither beside the index nor given", c.filename)}
	}
	rec, err := s.fetch.Record(record.Position{File: path, Offset: c.offset})
	if err != nil {
		if skip, ok := errors.AsType[*record.Skip](err); ok && !skip.Reason.Damage() {
			return nil, skip
		}
		return nil, &record.Skip{Pos: c.at, Reason: record.ReasonNoArchive, URL: c.url, Err: err}
	}
	return rec, nil
}

// usualFolders are where archives are, seen from their index.
var usualFolders = []string{".", "../archive", "../archives", "../warcs", "../warc", "archive", "warcs"}

// find returns the path of an archive, or "" if it does not exist.
func (s *cdxSource) find(name string) string {
	path, ok := s.where[name]
	if ok {
		return path
	}
	local := filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))
	base, dir := filepath.Base(local), filepath.Dir(s.Name())
	candidates := []string{filepath.Join(dir, local), s.given[base]}
	if !filepath.IsLocal(local) {
		candidates = candidates[1:]
	}
	for _, folder := range usualFolders {
		candidates = append(candidates, filepath.Join(dir, folder, base))
	}
	if name != "" && filepath.IsLocal(base) && s.Name() != "-" {
		for _, candidate := range candidates {
			if info, err := os.Stat(candidate); candidate != "" && err == nil && info.Mode().IsRegular() {
				path = candidate
				break
			}
		}
	}
	if len(s.where) < 1<<12 && len(name) <= maxName {
		s.where[name] = path
	}
	return path
}

// line reads the next capture. The error is a *Skip for a line that is not a capture, and io.EOF at the end.
func (s *cdxSource) line() (cdxCapture, error) {
	for {
		room := s.Opts.NewRoom()
		pos, b, err := s.NextLine(&room)
		if err != nil {
			return cdxCapture{}, err
		}
		text := string(b)
		room.Free()
		if columns, ok := strings.CutPrefix(text, " CDX "); ok {
			s.columns = strings.TrimSpace(columns)
			continue
		}
		if strings.TrimSpace(text) == "" || text[0] == '!' {
			continue
		}
		c, err := parseCDX(text, s.columns)
		c.at = pos
		if err != nil {
			return c, &record.Skip{Pos: pos, Reason: record.ReasonBadIndex, URL: record.Clip(c.url, 200), Err: err}
		}
		return c, nil
	}
}

// looseNumber accepts "200", 200 and "-".
type looseNumber int64

// UnmarshalJSON implements json.Unmarshaler.
func (n *looseNumber) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(string(bytes.Trim(b, `"`)), 10, 64)
	if err != nil {
		v = -1
	}
	*n = looseNumber(v)
	return nil
}

// parseCDX parses a line of CDXJ or classic CDX.
func parseCDX(line, columns string) (c cdxCapture, err error) {
	key, rest, _ := strings.Cut(line, " ")
	stamp, fields, _ := strings.Cut(rest, " ")
	if strings.HasPrefix(strings.TrimLeft(stamp, " "), "{") { // a TimeMap in CDXJ
		key, stamp, fields = "", key, rest
	}
	c.time = record.ParseTime(stamp)
	if fields = strings.TrimSpace(fields); !strings.HasPrefix(fields, "{") {
		return parseClassic(line, columns)
	}
	f := struct {
		URL      string      `json:"url"`
		Original string      `json:"original_uri"`
		Mime     string      `json:"mime"`
		MimeType string      `json:"mime_type"`
		Method   string      `json:"method"`
		Status   looseNumber `json:"status"`
		Code     looseNumber `json:"status_code"`
		Offset   looseNumber `json:"offset"`
		Filename string      `json:"filename"`
		Locator  string      `json:"locator"`
	}{Offset: -1}
	if err := json.Unmarshal([]byte(fields), &f); err != nil {
		return c, err
	}
	c.url = cmp.Or(f.URL, f.Original, key)
	c.post = f.Method != "" && f.Method != http.MethodGet && f.Method != http.MethodHead || record.IsPost(key)
	c.mime, c.status = knownMime(cmp.Or(f.Mime, f.MimeType)), max(0, int(cmp.Or(f.Status, f.Code)))
	c.filename, c.offset = f.Filename, int64(f.Offset)
	if f.Filename == "" {
		c.filename = f.Locator
	} else if c.offset < 0 {
		return c, errors.New("no offset")
	}
	return c, nil
}

// parseClassic parses a line of columns that are separated by spaces.
func parseClassic(line, columns string) (c cdxCapture, err error) {
	values := strings.Fields(line)
	names := strings.Fields(cmp.Or(columns, cdxColumns[len(values)], cdxColumns[11]))
	if len(values) != len(names) {
		return c, fmt.Errorf("%d fields, not %d", len(values), len(names))
	}
	c.offset = -1
	for i, v := range values {
		switch names[i] {
		case "a":
			c.url = v
		case "b":
			c.time = record.ParseTime(v)
		case "m":
			c.mime = knownMime(v)
		case "s":
			c.status, _ = strconv.Atoi(v)
		case "V":
			if c.offset, err = strconv.ParseInt(v, 10, 64); err != nil {
				return c, fmt.Errorf("offset %.40q", v)
			}
		case "g":
			c.filename = v
		}
	}
	if c.filename == "" || c.offset < 0 {
		return c, errors.New("no file name and offset")
	}
	return c, nil
}

// knownMime returns "" for media types that say nothing about the response, such as those of revisits.
func knownMime(s string) string {
	if s == "-" || s == "unk" || s == "warc/revisit" {
		return ""
	}
	return record.MediaType(s)
}
