package crawl

// Options say how inputs are read. The zero value is good.
type Options struct {
	Base    string    // URL of the top of a folder of HTML; see Open
	MaxPage int64     // bytes of a decoded page that are kept, default 16 MiB; the rest is cut and counted
	MaxLine int64     // bytes of a JSONL line, default 256 MiB; a longer line is skipped and counted
	Rules   *Rules    // rules for canonical URLs, default all of them
	Map     Map       // what the columns of tables and the members of JSON objects mean, where their names do not tell
	Workers int       // goroutines that read one large WARC or ARC file at once; what they give out is the same for any number
	Select  Selection // of captures, by time, status and mime; default all pages

	step int64 // of ranges, for tests
}

const (
	defaultMaxPage = 16 << 20
	defaultMaxLine = 256 << 20
)

func (o Options) withDefaults() *Options {
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	if o.MaxLine <= 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.Rules == nil {
		o.Rules = DefaultRules()
	}
	return &o
}

// maxRecord bounds a WARC block: a page may be larger on the wire than decoded (chunk sizes, UTF-16).
func (o *Options) maxRecord() int64 { return 2*o.MaxPage + 1<<20 }
