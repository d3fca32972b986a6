package crawl_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func TestWARCFixtures(t *testing.T) {
	manifest := Path(t, "warc/MANIFEST.tsv")
	seen := 0
	for name, types := range manifestRecords(t, manifest) {
		want, ok := WarcFixtures[name]
		if !ok {
			t.Errorf("%s: no expectation", name)
			continue
		}
		seen++
		t.Run(name, func(t *testing.T) {
			pages, l, err := Read(t, filepath.Join(filepath.Dir(manifest), name), record.Options{})
			t.Logf("records in the manifest %v; pages %d, expected %d; damage %q, expected %q; left out %q %s",
				types, len(pages), want.Pages, DamageOf(l, err), want.Damage, Tallied(l, false), want.Note)
			if got := DamageOf(l, err); len(pages) != want.Pages || got != want.Damage {
				t.Errorf("%d pages and damage %q, want %d and %q (%s); %v", len(pages), got, want.Pages, want.Damage, want.Note, l.Tallies())
			}
			if want.Rest != "" {
				if got := Tallied(l, false); got != want.Rest {
					t.Errorf("%q left out, want %q", got, want.Rest)
				}
			} else if err == nil {
				checkManifest(t, types, int64(len(pages)), l)
			}
		})
	}
	if seen != len(WarcFixtures) {
		t.Errorf("%d of %d fixtures found", seen, len(WarcFixtures))
	}
}

// checkManifest compares the number of records of every type. A record that can hold a page is either a page or is
// counted under a reason.
func checkManifest(t *testing.T, types map[string]int64, pages int64, l *crawl.Ledger) {
	t.Helper()
	kept := pages
	for _, r := range []record.Reason{record.ReasonNotHTML, record.ReasonHTTPStatus, record.ReasonEmptyPage, record.ReasonNoURL, record.ReasonTruncatedRecord} {
		kept += l.Count(r)
	}
	kept += l.Count(record.ReasonRedirect) + l.Count(record.ReasonRecordType("revisit")) // a revisit may be one of a redirect
	if want := types["response"] + types["resource"] + types["conversion"] + types["revisit"]; kept != want {
		t.Errorf("%d records that can hold pages, manifest has %d", kept, want)
	}
	for _, kind := range []string{"warcinfo", "request", "metadata"} {
		if got := l.Count(record.ReasonRecordType(kind)); got != types[kind] {
			t.Errorf("%d records of type %s, manifest has %d", got, kind, types[kind])
		}
	}
}

func manifestRecords(t *testing.T, path string) map[string]map[string]int64 {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]map[string]int64{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		row := strings.Split(sc.Text(), "\t")
		if len(row) < 8 || strings.HasPrefix(row[0], "#") {
			continue
		}
		out[row[0]] = map[string]int64{}
		for item := range strings.SplitSeq(row[7], ",") {
			kind, n, _ := strings.Cut(item, "=")
			out[row[0]][kind], _ = strconv.ParseInt(n, 10, 64)
		}
	}
	return out
}

// TestJSONLFixtures reads a whole set of real pages.
func TestJSONLFixtures(t *testing.T) {
	pages, l, err := Read(t, Path(t, "docs/pages.jsonl.gz"), record.Options{})
	if err != nil || len(pages) != 2910 || l.Total() != 0 {
		t.Errorf("%d pages, %v, %v; want 2910", len(pages), l.Tallies(), err)
	}
	pages, l, err = Read(t, Path(t, "neardup-rfc/docs.jsonl.gz"), record.Options{})
	if err != nil || len(pages) != 696 || l.Total() != 0 || pages[0].Text == nil {
		t.Errorf("%d texts, %v, %v; want 696", len(pages), l.Tallies(), err)
	}
}
