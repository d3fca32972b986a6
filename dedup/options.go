package dedup

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/sets"
)

// Options say what is removed. The zero value removes texts with a resemblance of .8 or more, and keeps the first.
type Options struct {
	Near         float64    `json:"near" default:"0.8" least:"0.5" most:"1" value:"R" doc:"remove a record if its resemblance to one that stays is at least R"`
	Contained    float64    `json:"contained,omitempty" most:"1" value:"SHARE" doc:"also remove a record if one that stays contains at least this SHARE of it (default off); then --keep is longest unless you say otherwise"`
	Keep         string     `json:"keep" value:"WHICH" doc:"of a group keep the first, longest or newest record, as WHICH says, or the one with the least value of a column, with - before its name the greatest, such as -inlinks (default first)"`
	By           string     `json:"by,omitempty" value:"COLUMN" doc:"count by the values of this COLUMN, such as source"`
	IgnoreCommon bool       `json:"ignore_common,omitempty" doc:"runs of words that more than half of the first 100 texts with a value of --by (of all texts without --by) have, such as menus, do not count"`
	MostLost     float64    `json:"most_lost,omitempty" default:"1" most:"1" value:"SHARE" doc:"write nothing and exit with 1 if a file, or a value of --by, loses more than this SHARE of its records"`
	Seen         []string   `json:"seen,omitempty"`    // files whose records stay and are written nowhere; they come before all others
	Against      []string   `json:"against,omitempty"` // evaluation sets: what records contain of them is listed
	Remove       bool       `json:"remove,omitempty" doc:"with --against, remove these records"`
	Map          record.Map `json:"map,omitempty"` // columns with unknown names
	Parquet      bool       `json:"parquet,omitempty" doc:"write the list of the removals to removed.parquet instead of removed.jsonl"`
	Strict       bool       `json:"strict,omitempty" doc:"stop at the first part of the input that cannot be read"`
	DryRun       bool       `json:"dry_run,omitempty" doc:"write the reports only"` // a later call without it writes the files

	Workers  int                                  `json:"-"`
	Memory   int64                                `json:"-"` // bytes; 0 means 1 GiB
	Progress func(step string, done, total int64) `json:"-"` // in parts; may be nil
}

// Parameters that are no options.
const (
	shingleWords = 5    // words in a shingle
	shortText    = 30   // texts of fewer words go only if all of their words are equal
	bins         = 64   // bytes of a signature
	reach        = 32   // with how many records of a key that stay a record is compared
	missed       = 1e-3 // probability that a pair that is just near enough is turned away for its signatures
	deep         = 4    // so many of the keys that many have are looked at for a record
	missedBehind = 1e-2 // and then so many pairs are missed that are just near enough
)

const (
	defaultNear   = 0.8
	defaultMemory = 1 << 30
	leastPart     = 4 << 20 // bytes of a part
	mostPart      = 256 << 20
	partsWanted   = 256
)

// bandBytes returns the number of bytes of a key. A pair below .7 would often have no key of 4 bytes in common.
func (o *Options) bandBytes() int { return 4 - sets.One(o.Near < 0.7) }

// withDefaults checks the options.
func (o Options) withDefaults() (Options, error) {
	o.Near, o.MostLost = cmp.Or(o.Near, defaultNear), cmp.Or(o.MostLost, 1)
	if o.Keep == "" {
		o.Keep = "first"
		if o.Contained > 0 {
			o.Keep = "longest" // what contains another text is longer
		}
	}
	if o.Keep == "most-linked" {
		return o, errors.New("keep most-linked: texts have no links; name the column that counts them, with - before it: -inlinks")
	}
	if o.Near < 0.5 || o.Near > 1 {
		return o, fmt.Errorf("near %g: must be from 0.5 to 1", o.Near)
	}
	if o.Contained != 0 && (o.Contained < 0.5 || o.Contained > 1) {
		return o, fmt.Errorf("contained %g: must be from 0.5 to 1", o.Contained)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	return o, nil
}

// timeColumns are the columns that hold the time of a record, for "newest".
var timeColumns = strings.Fields("time date timestamp fetch_time crawl_date crawl_time date_download warc_date metadata.date metadata.timestamp metadata.time")

// columns returns the columns that are read with each record: that of By, and those of Keep.
func (o *Options) columns() []string {
	switch o.Keep {
	case "first", "longest":
		return []string{o.By}
	case "newest":
		return append([]string{o.By}, timeColumns...)
	}
	return []string{o.By, strings.TrimPrefix(o.Keep, "-")}
}

// reading returns how files are read.
func (o *Options) reading(dir string) shard.Options {
	s := shard.Options{Columns: o.columns()}
	s.Map, s.Memory, s.TempDir = o.Map, max(o.Memory/int64(2*o.Workers), 8<<20), dir
	return s
}

func (o *Options) progress(step string, done, total int64) {
	if o.Progress != nil {
		o.Progress(step, done, total)
	}
}
