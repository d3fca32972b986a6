package record

import (
	"fmt"
	"math"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/urls"
)

// Options say how inputs are read. The zero value is good.
type Options struct {
	Base    string      // URL of the top of a folder of HTML; see Open
	MaxPage int64       // bytes of a decoded page that are kept, default 16 MiB; the rest is cut and counted
	MaxLine int64       // bytes of a JSONL line, default six times MaxPage and more; a longer line is skipped and counted
	Rules   *urls.Rules // rules for canonical URLs, default all of them
	Map     Map         // what the columns of tables and the members of JSON objects mean, where their names do not tell
	Workers int         // goroutines that read one large WARC or ARC file at once; what they give out is the same for any number
	Range   int64       // bytes of such a file that one of them reads at a time, default 512 KiB to 2 MiB by the size of the file
	Select  Selection   // of captures, by time, status and mime; default all pages

	// Memory is the number of bytes that a goroutine may use while it reads, 0 for no limit. With a limit, large buffers are
	// temporary files in TempDir, and the caller must release every Record or Page. The limit does not change what is read: an
	// input that needs more memory gives a [*MemoryError].
	Memory  int64
	TempDir string // default is that of the system

	space *scratch.Space
}

const (
	defaultMaxPage = 16 << 20
	minMaxLine     = 64 << 20
	mostMaxPage    = math.MaxInt64 / 16
	memoryShares   = 64 // large buffers that a goroutine may have at once, and the rest
)

// WithDefaults returns the options with a value for each that is zero.
func (o Options) WithDefaults() *Options {
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	o.MaxPage = min(o.MaxPage, mostMaxPage)
	if o.MaxLine <= 0 { // a byte of the page takes six where it is escaped, and there are other fields
		o.MaxLine = max(6*o.MaxPage, minMaxLine) + 1<<20
	}
	if o.Memory > 0 {
		o.space = scratch.New(o.TempDir, o.Memory/memoryShares)
	}
	if o.Rules == nil {
		o.Rules = urls.DefaultRules()
	}
	return &o
}

// MaxRecord bounds a WARC block: a page may be larger on the wire than decoded (chunk sizes, UTF-16).
func (o *Options) MaxRecord() int64 { return 2*o.MaxPage + 1<<20 }

// NewRoom returns an empty room for a record.
func (o *Options) NewRoom() payload.Room { return payload.NewRoom(o.space) }

// MemoryError says that an input cannot be read within Options.Memory.
type MemoryError struct {
	Pos    Position
	What   string // of the input
	Needed int64  // bytes of Options.Memory that are enough for it
	Have   int64
}

// Error says how much is needed.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("%v: %s: reading it takes %d MiB of memory, and there are %d", e.Pos, e.What, (e.Needed+1<<20-1)>>20, e.Have>>20)
}

// Needs returns a *MemoryError if bytes is more than Memory.
func (o *Options) Needs(bytes int64, pos Position, what string, args ...any) error {
	if o.Memory <= 0 || bytes <= o.Memory {
		return nil
	}
	return &MemoryError{pos, fmt.Sprintf(what, args...), bytes, o.Memory}
}

// Map says which column is what, for names that are not known or mean something else: the field url may be the column
// metadata.source. A field that is mapped is looked for nowhere else.
type Map map[string]string
