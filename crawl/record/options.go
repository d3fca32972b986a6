package record

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/urls"
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
	short *sync.Map // results of ShortName
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
	if o.Rules == nil {
		o.Rules = urls.DefaultRules()
	}
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
