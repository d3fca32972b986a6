package record

import (
	"time"

	"github.com/lshclust/lshclust/internal/ascii"
)

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15Z07:00", "2006-01-02", "2006-01", "2006"}

// ParseTime parses a time in RFC 3339 format, in one of the shorter formats that WARC 1.1 allows, or as 4 to 14 digits
// of yyyymmddhhmmss. It returns the zero time for anything else.
func ParseTime(s string) time.Time {
	if len(s) < 4 || len(s) > 40 {
		return time.Time{}
	}
	if ascii.IsDigits(s) {
		if len(s) > 14 || len(s)%2 != 0 {
			return time.Time{}
		}
		return parsed("20060102150405"[:len(s)], s)
	}
	for _, layout := range timeLayouts {
		if t := parsed(layout, s); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func parsed(layout, s string) time.Time {
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t.UTC()
}
