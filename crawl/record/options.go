package record

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Options describe how inputs are read. The zero value is ready to use.
type Options struct {
	Base    string      // URL of the top of a folder of HTML; see Open
	Literal bool        // URLs of files are their names, even if canonical links, a sitemap or links call guide.html /guide
	MaxPage int64       // bytes of a decoded page to keep, default 16 MiB; a longer page is cut and counted
	MaxLine int64       // bytes of a JSON line, by default a little more than six times MaxPage; a longer line is skipped and counted
	Rules   *urls.Rules // rules for canonical URLs, default all of them
	Map     Map         // meaning of table columns and JSON members whose names are not known
	Workers int         // goroutines that read one large WARC or ARC file at once; the records do not depend on the number
	Range   int64       // bytes of such a file that one goroutine reads at a time, default 512 KiB to 2 MiB depending on the file size
	// Archives are the paths of all inputs. An index searches among them for the archives that it names, and texts without
	// ids are called by as much of their path as tells it from the others.
	Archives []string
	Select   Selection // wanted captures, by time, status and media type; default all pages

	// TextsOnly says that the texts of tables and JSON are wanted whatever their names, times and statuses are. Columns are
	// further columns of tables, whose values are wanted with each record.
	TextsOnly bool
	Columns   []string

	// Expanded says that the archives in a folder are inputs of their own, as Expand returns them. Otherwise they are
	// counted as left out.
	Expanded bool

	// Memory is the number of bytes that a goroutine may use while it reads, 0 for no limit. With a limit, large
	// buffers are temporary files in TempDir, and the caller must release every Record or Page. The limit does not
	// change what is read: for an input that needs more memory, the error is a [*MemoryError].
	Memory  int64
	TempDir string // default is that of the system

	space *scratch.Space
	short *sync.Map // of ShortName: the results
}

const (
	defaultMaxPage = 16 << 20
	minMaxLine     = 64 << 20
	mostMaxPage    = math.MaxInt64 / 16
	memoryShares   = 64 // large buffers that a goroutine may have at once, plus everything else
)

// WithDefaults returns the options with every zero value replaced by its default.
func (o Options) WithDefaults() *Options {
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	o.MaxPage = min(o.MaxPage, mostMaxPage)
	if o.MaxLine <= 0 { // an escaped byte of the page takes six, and there are other members
		o.MaxLine = max(6*o.MaxPage, minMaxLine) + 1<<20
	}
	if o.Memory > 0 {
		o.space = scratch.New(o.TempDir, o.Memory/memoryShares)
	}
	o.short = new(sync.Map)
	o.Rules = cmp.Or(o.Rules, urls.DefaultRules())
	return &o
}

// MaxRecord is the maximum size of a WARC block. A page may be larger in the archive than decoded (chunk sizes,
// UTF-16).
func (o *Options) MaxRecord() int64 { return 2*o.MaxPage + 1<<20 }

// NewRoom returns an empty room for a record.
func (o *Options) NewRoom() payload.Room { return payload.NewRoom(o.space) }

// ShortName returns the end of the path of a file, as much as no other input ends with: usually its last element. A file
// in a container has its whole name there.
func (o *Options) ShortName(file string) string {
	if short, ok := o.short.Load(file); ok {
		return short.(string)
	}
	outer, inside, in := strings.Cut(filepath.ToSlash(file), "!/")
	ends := func(other string, end string) bool {
		other = filepath.ToSlash(other)
		return other != outer && (other == end || strings.HasSuffix(other, "/"+end))
	}
	short := path.Base(outer)
	for len(short) < len(outer) && slices.ContainsFunc(o.Archives, func(other string) bool { return ends(other, short) }) {
		short = outer[strings.LastIndexByte(strings.TrimSuffix(outer[:len(outer)-len(short)], "/"), '/')+1:]
	}
	if in {
		short += "!/" + inside
	}
	o.short.Store(file, short)
	return short
}

// MemoryError says that an input cannot be read within Options.Memory.
type MemoryError struct {
	Pos    Position
	What   string // what about the input needs the memory
	Needed int64  // value of Options.Memory that is sufficient
	Have   int64
}

// Error returns a message that includes how much memory is needed.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("%v: %s: reading it takes %d MiB of memory, and only %d are available", e.Pos, e.What, (e.Needed+1<<20-1)>>20, e.Have>>20)
}

// Needs returns a *MemoryError if bytes is more than Memory.
func (o *Options) Needs(bytes int64, pos Position, what string, args ...any) error {
	if o.Memory <= 0 || bytes <= o.Memory {
		return nil
	}
	return &MemoryError{pos, fmt.Sprintf(what, args...), bytes, o.Memory}
}

// Map names the columns of fields whose columns have unknown or misleading names. For example, the field url may be the
// column metadata.source. A field in the map is not searched for under any other name.
type Map map[string]string

// Selection describes the wanted captures. The zero value selects all pages: any time, status 200, HTML.
type Selection struct {
	From, To time.Time // fetch time, From included and To excluded; a capture without a time is always wanted
	Status   []int     // HTTP status; empty means only 200
	Mime     []string  // media types; empty means all that can be read
}

// ParseSelection parses a selection. Times are in RFC 3339 format or a prefix of it, or have up to 14 digits. The
// selection includes the whole period that to names: "2020" includes the last second of that year. An empty status or
// mime selects the default.
func ParseSelection(from, to string, status, mime []string) (s Selection, err error) {
	if from != "" {
		if s.From = parseTime(from); s.From.IsZero() {
			return s, fmt.Errorf("%q is not a time such as 2020, 2020-05-17 or 20200517120000", from)
		}
	}
	if to != "" {
		if s.To = parseTime(to); s.To.IsZero() {
			return s, fmt.Errorf("%q is not a time such as 2020, 2020-05-17 or 20200517120000", to)
		}
		digits := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "", " ", "").Replace(to)
		if !strings.HasPrefix(digits, s.To.Format("2006")) { // not a date but seconds since 1970
			digits = ""
		}
		s.To = endOf(s.To, len(digits))
	}
	for _, code := range status {
		n, err := strconv.Atoi(strings.TrimSpace(code))
		if err != nil || n < 100 || n > 599 {
			return s, fmt.Errorf("%q is no HTTP status", code)
		}
		s.Status = append(s.Status, n)
	}
	for _, m := range mime {
		s.Mime = append(s.Mime, MediaType(m))
	}
	return s, nil
}

// endOf returns the end of the year, month, day, hour, minute or second that a time of this number of digits names.
func endOf(t time.Time, digits int) time.Time {
	switch digits {
	case 4:
		return t.AddDate(1, 0, 0)
	case 6:
		return t.AddDate(0, 1, 0)
	case 8:
		return t.AddDate(0, 0, 1)
	case 10:
		return t.Add(time.Hour)
	case 12:
		return t.Add(time.Minute)
	}
	return t.Add(time.Second)
}

// WantsTime reports whether a capture of this time is wanted.
func (s *Selection) WantsTime(t time.Time) bool {
	return t.IsZero() || (s.From.IsZero() || !t.Before(s.From)) && (s.To.IsZero() || t.Before(s.To))
}

// WantsStatus reports whether an HTTP status is wanted. The unknown status, 0, always is.
func (s *Selection) WantsStatus(status int) bool {
	if status == 0 || len(s.Status) == 0 {
		return status == 0 || status == 200
	}
	return slices.Contains(s.Status, status)
}

// WantsMime reports whether a media type is wanted. An empty media type always is.
func (s *Selection) WantsMime(kind string) bool {
	return kind == "" || len(s.Mime) == 0 || slices.Contains(s.Mime, kind)
}

// MediaType returns a content type without its parameters and in lower case. It accepts what some servers write around
// it, such as quotes or a colon. It returns "" for what names no type: a word alone and, as the MIME sniffing standard has
// it, */*, unknown/unknown and application/unknown.
func MediaType(contentType string) string {
	s := strings.TrimLeft(contentType, " \t\"'")
	n := 0
	for n < len(s) && (s[n] > ' ' && s[n] < 0x7f && !strings.ContainsRune("\"'(),:;<=>?@[\\]{}", rune(s[n]))) {
		n++
	}
	kind, sub, _ := strings.Cut(ascii.Lower(s[:n]), "/")
	if kind == "" || sub == "" || strings.Contains(sub, "/") || kind == "*" || sub == "unknown" && (kind == sub || kind == "application") {
		return ""
	}
	return kind + "/" + sub
}

// IsHTML reports whether a media type is one of HTML.
func IsHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml" || mediaType == "application/vnd.wap.xhtml+xml"
}

// otherTypes are media types of what is certainly not HTML, or begins of them.
var otherTypes = []string{"image/", "audio/", "video/", "font/", "text/css", "text/csv", "text/xml", "multipart/", "application/pdf",
	"application/xml", "application/zip", "application/gzip", "application/font", "application/vnd.", "application/ogg", "application/wasm"}

// MayBeHTML reports whether a body of a media type other than HTML may be HTML all the same.
func MayBeHTML(mediaType string) bool {
	return !strings.Contains(mediaType, "script") && !strings.Contains(mediaType, "json") && !strings.HasSuffix(mediaType, "+xml") &&
		!slices.ContainsFunc(otherTypes, func(s string) bool { return strings.HasPrefix(mediaType, s) })
}
