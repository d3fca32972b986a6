package record_test

import (
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
)

func TestParseTime(t *testing.T) {
	for s, want := range map[string]string{
		"2020-01-02T03:04:05Z":           "2020-01-02T03:04:05Z",
		"2020-01-02T03:04:05.5+01:00":    "2020-01-02T02:04:05.5Z",
		"2014-02-10T00:00:01.000000002Z": "2014-02-10T00:00:01.000000002Z",
		"2020-01-02T03:04Z":              "2020-01-02T03:04:00Z",
		"2020-01-02":                     "2020-01-02T00:00:00Z",
		"2014-01":                        "2014-01-01T00:00:00Z",
		"20200102030405":                 "2020-01-02T03:04:05Z",
		"202001020304":                   "2020-01-02T03:04:00Z",
		"2020":                           "2020-01-01T00:00:00Z",
		"20201302":                       "",
		"123":                            "",
		"yesterday":                      "",
		"":                               "",
	} {
		got := ""
		if tm := record.ParseTime(s); !tm.IsZero() {
			got = tm.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
