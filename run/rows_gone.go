package run

import "unsafe"

// GoneTable is the name of the Parquet table of a run that comes after an earlier one.
const GoneTable = "gone.parquet"

// GoneRow is a URL that an earlier sweep had a page of, and this one has not.
type GoneRow struct {
	URL      string `parquet:"url"`
	LastSeen int64  `parquet:"last_seen,optional,timestamp(millisecond)"` // ms since 1970, UTC, of the last capture; 0 is null
}

func (r GoneRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) }
