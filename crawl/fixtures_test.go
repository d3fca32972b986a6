package crawl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// read reads an input to its end and holds it to what every source promises.
func read(t testing.TB, path string, o Options) ([]Page, *Ledger, error) {
	t.Helper()
	src, err := Open(path, o)
	if err != nil {
		var s *Skip
		if !errors.As(err, &s) || s.Pos.File != path {
			t.Fatalf("Open(%s): %v is not a located *Skip", path, err)
		}
		return nil, &Ledger{}, err
	}
	defer src.Close()
	pages, l := drain(t, src)
	return pages, l, nil
}

// readBytes reads an input from memory.
func readBytes(t testing.TB, b []byte, o Options) ([]Page, *Ledger, error) {
	t.Helper()
	src, err := NewSource("memory", bytes.NewReader(b), o)
	if err != nil {
		return nil, &Ledger{}, err
	}
	defer src.Close()
	pages, l := drain(t, src)
	return pages, l, nil
}

func drain(t testing.TB, src Source) (pages []Page, l *Ledger) {
	t.Helper()
	l = &Ledger{}
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			var p Page
			if p, err = rec.Page(); err == nil {
				checkPage(t, &p)
				pages = append(pages, p)
				l.AddPage(&p)
				continue
			}
		}
		var s *Skip
		if !errors.As(err, &s) || !l.Add(err) || s.Pos.File == "" {
			t.Fatalf("%s: %v is not a located *Skip", src.Name(), err)
		}
	}
	return pages, l
}

func checkPage(t testing.TB, p *Page) {
	t.Helper()
	if !utf8.Valid(p.HTML) || !utf8.Valid(p.Text) || len(p.HTML)+len(p.Text) == 0 && p.Links == nil || p.HTML != nil && p.Text != nil {
		t.Fatalf("%v: page of %d bytes HTML and %d bytes text is not valid", p.Pos, len(p.HTML), len(p.Text))
	}
	if c, err := DefaultRules().Canonical(p.URL); err != nil && p.Canonical != p.URL || err == nil && c != p.Canonical {
		t.Fatalf("%v: %q has canonical %q", p.Pos, p.URL, p.Canonical)
	}
}

// warcFixtures: what each file of data/warc gives. Pages were counted a second time by a script that shares
// no code with this; where the two differ, note says why.
var warcFixtures = map[string]struct {
	pages  int
	damage string // reasons with counts, "" for none
	note   string
	rest   string // the other reasons, where the manifest does not count records
}{
	"ipwb__indexes_5mementos.cdxj":                                                    {damage: "bad-index=5", note: "= for : in JSON"},
	"ipwb__indexes_froggie_badHeaderHash.cdxj":                                        {damage: "no-archive=3", note: "as in all of these the records lie in IPFS"},
	"ipwb__indexes_salam-home.cdxj":                                                   {damage: "no-archive=1"},
	"ipwb__indexes_sample-1.cdxj":                                                     {damage: "no-archive=65"},
	"ipwb__indexes_sample-2.cdxj":                                                     {damage: "no-archive=1"},
	"ipwb__indexes_sample-encrypted.cdxj":                                             {damage: "no-archive=1"},
	"ipwb__indexes_sample-old.cdxj":                                                   {damage: "no-archive=65"},
	"ipwb__warcs_1memento.warc":                                                       {pages: 3},
	"ipwb__warcs_1memento_noContentType.warc":                                         {pages: 1, note: "no Content-Type, known as HTML by its content"},
	"ipwb__warcs_2mementos.warc":                                                      {pages: 4},
	"ipwb__warcs_2mementos_htmlXhtml.warc":                                            {pages: 2},
	"ipwb__warcs_2mementos_queryString.warc":                                          {pages: 2},
	"ipwb__warcs_3mementos.warc":                                                      {pages: 5},
	"ipwb__warcs_4mementos.warc":                                                      {pages: 6},
	"ipwb__warcs_5mementos.warc":                                                      {pages: 7},
	"ipwb__warcs_5mementosAndFroggie.warc":                                            {pages: 7},
	"ipwb__warcs_HTTP204.warc":                                                        {pages: 1, damage: "bad-record=2", note: "two lengths are too short"},
	"ipwb__warcs_HTTP404.warc":                                                        {},
	"ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz":                          {pages: 94},
	"ipwb__warcs_baconIpsum.warc.gz":                                                  {pages: 1},
	"ipwb__warcs_baconIpsum_chunked.warc":                                             {pages: 1},
	"ipwb__warcs_baconIpsum_chunkedWithMetadata.warc":                                 {pages: 1},
	"ipwb__warcs_baconIpsum_chunked_httpTrailors.warc":                                {pages: 1},
	"ipwb__warcs_broken.warc":                                                         {pages: 1, damage: "bad-record=1", note: "an image of length 7"},
	"ipwb__warcs_frogTest.warc":                                                       {pages: 1},
	"ipwb__warcs_froggie.warc.gz":                                                     {pages: 1},
	"ipwb__warcs_mkelly1.warc":                                                        {pages: 1},
	"ipwb__warcs_mkelly2.warc":                                                        {pages: 1},
	"ipwb__warcs_redirect.warc":                                                       {damage: "truncated-record=1", note: "the length is 9 bytes too long"},
	"ipwb__warcs_redirectRelative.warc":                                               {},
	"ipwb__warcs_salam-home.warc":                                                     {pages: 1},
	"ipwb__warcs_sample-1.warc.gz":                                                    {pages: 63},
	"ipwb__warcs_slash.warc":                                                          {pages: 1},
	"ipwb__warcs_variableSizedDates.warc":                                             {pages: 4},
	"jwarc__org_netpreserve_jwarc_cc.warc.gz":                                         {pages: 1},
	"jwarc__org_netpreserve_jwarc_gzip_extra_sl.warc.gz":                              {},
	"warcio__bad.arc":                                                                 {damage: "bad-record=3", rest: "not-html=1", note: "lengths -1, -1 and abc"},
	"warcio__example-bad-non-chunked.warc.gz":                                         {pages: 1},
	"warcio__example-bad.warc.gz.bad":                                                 {pages: 1},
	"warcio__example-digest.warc":                                                     {},
	"warcio__example-iana.org-chunked.warc":                                           {pages: 1},
	"warcio__example-resource.warc.gz":                                                {pages: 1},
	"warcio__example-space-in-target-uri.warc.gz":                                     {},
	"warcio__example-space-in-url.arc":                                                {pages: 1, damage: "truncated-record=1", rest: "arc-filedesc=1", note: "12 carriage returns are missing"},
	"warcio__example-trunc.warc":                                                      {pages: 1, damage: "bad-record=1 truncated-payload=1", note: "the gzip body was cut short"},
	"warcio__example-wget-bad-target-uri.warc.gz":                                     {pages: 1},
	"warcio__example-wrong-chunks.warc.gz":                                            {pages: 1},
	"warcio__example.arc":                                                             {pages: 1, rest: "arc-filedesc=1"},
	"warcio__example.arc.gz":                                                          {pages: 1, rest: "arc-filedesc=1"},
	"warcio__example.warc":                                                            {pages: 1},
	"warcio__example.warc.gz":                                                         {pages: 1},
	"warcio__post-test.warc.gz":                                                       {},
	"webarchive-commons__format_gzip_IAH-urls-wget.warc.gz":                           {pages: 2},
	"webarchive-commons__format_gzip_abcd.gz":                                         {damage: "unsupported-format"},
	"webarchive-commons__format_gzip_double-single-inflate-error.gz":                  {damage: "bad-gzip"},
	"webarchive-commons__format_gzip_empty.gz":                                        {damage: "empty-file"},
	"webarchive-commons__format_gzip_hi-2.gz":                                         {damage: "unsupported-format"},
	"webarchive-commons__format_gzip_hi.gz":                                           {damage: "unsupported-format"},
	"webarchive-commons__format_warc_IAH-urls-wget.warc":                              {pages: 2},
	"webarchive-commons__format_warc_mutliple-headers.warc":                           {pages: 1},
	"webarchive-commons__resource_html_link-extraction-test.warc":                     {pages: 6, note: "a seventh has no URL"},
	"whirlwind-python__whirlwind.warc":                                                {pages: 1},
	"whirlwind-python__whirlwind.warc.gz":                                             {pages: 1},
	"whirlwind-python__whirlwind.warc.wat":                                            {note: "about a request, which has no links"},
	"whirlwind-python__whirlwind.warc.wat.gz":                                         {note: "the same"},
	"whirlwind-python__whirlwind.warc.wet":                                            {pages: 1, note: "plain text"},
	"whirlwind-python__whirlwind.warc.wet.gz":                                         {pages: 1, note: "plain text"},
	"webarchive-commons__format_arc_IAH-20080430204825-00000-blackbook-truncated.arc": {pages: 2, rest: "arc-filedesc=1 not-html=6"},
}

func TestWARCFixtures(t *testing.T) {
	manifest := dataPath(t, "warc/MANIFEST.tsv")
	seen := 0
	for name, types := range manifestRecords(t, manifest) {
		want, ok := warcFixtures[name]
		if !ok {
			t.Errorf("%s: no expectation", name)
			continue
		}
		seen++
		t.Run(name, func(t *testing.T) {
			pages, l, err := read(t, filepath.Join(filepath.Dir(manifest), name), Options{})
			t.Logf("records in the manifest %v; pages %d, expected %d; damage %q, expected %q; left out %q %s",
				types, len(pages), want.pages, damageOf(l, err), want.damage, tallied(l, false), want.note)
			if got := damageOf(l, err); len(pages) != want.pages || got != want.damage {
				t.Errorf("%d pages and damage %q, want %d and %q (%s); %v", len(pages), got, want.pages, want.damage, want.note, l.Tallies())
			}
			if want.rest != "" {
				if got := tallied(l, false); got != want.rest {
					t.Errorf("%q left out, want %q", got, want.rest)
				}
			} else if err == nil {
				checkManifest(t, types, int64(len(pages)), l)
			}
		})
	}
	if seen != len(warcFixtures) {
		t.Errorf("%d of %d fixtures found", seen, len(warcFixtures))
	}
}

func damageOf(l *Ledger, err error) string {
	var s *Skip
	if errors.As(err, &s) {
		return string(s.Reason)
	}
	return tallied(l, true)
}

func tallied(l *Ledger, damage bool) string {
	var out []string
	for _, row := range l.Tallies() {
		if row.Damage == damage {
			out = append(out, string(row.Reason)+"="+strconv.FormatInt(row.Count, 10))
		}
	}
	return strings.Join(out, " ")
}

// checkManifest compares the number of records of every type. Records that can hold a page are either one
// or counted under a reason.
func checkManifest(t *testing.T, types map[string]int64, pages int64, l *Ledger) {
	t.Helper()
	kept := pages
	for _, r := range []Reason{ReasonNotHTML, ReasonHTTPStatus, ReasonEmptyPage, ReasonNoURL, ReasonTruncatedRecord} {
		kept += l.Count(r)
	}
	kept += l.Count(ReasonRedirect) + l.Count(ReasonRecordType("revisit")) // a revisit may be of a redirect
	if want := types["response"] + types["resource"] + types["conversion"] + types["revisit"]; kept != want {
		t.Errorf("%d records that can hold pages, manifest has %d", kept, want)
	}
	for _, kind := range []string{"warcinfo", "request", "metadata"} {
		if got := l.Count(ReasonRecordType(kind)); got != types[kind] {
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
	pages, l, err := read(t, dataPath(t, "docs/pages.jsonl.gz"), Options{})
	if err != nil || len(pages) != 2910 || l.Total() != 0 {
		t.Errorf("%d pages, %v, %v; want 2910", len(pages), l.Tallies(), err)
	}
	pages, l, err = read(t, dataPath(t, "neardup-rfc/docs.jsonl.gz"), Options{})
	if err != nil || len(pages) != 696 || l.Total() != 0 || pages[0].Text == nil {
		t.Errorf("%d texts, %v, %v; want 696", len(pages), l.Tallies(), err)
	}
}
