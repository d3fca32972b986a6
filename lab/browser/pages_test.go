package browser

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// maxBody leaves out the few pages whose layout takes a browser seconds.
const maxBody = 300 << 10

// sample is a page for both sides: what the browser is served, and the same as a record that package crawl reads.
type sample struct {
	Page
	set  string // where it is from
	warc []byte
}

// lines says how many pages of each host of a file of JSON Lines are taken.
var lines = map[string]int{
	"directory/pages.jsonl.gz":                20,
	"docs/pages.jsonl.gz":                     15,
	"versions-hugo/pages-2026-08-01.jsonl.gz": 10,
	"versions-llvm/pages-19.jsonl.gz":         8,
}

// archives are the sound WARC files with pages of the open web.
var archives = []string{
	"ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz", "ipwb__warcs_sample-1.warc.gz", "ipwb__warcs_froggie.warc.gz",
	"ipwb__warcs_mkelly1.warc", "ipwb__warcs_baconIpsum.warc.gz", "webarchive-commons__format_gzip_IAH-urls-wget.warc.gz",
	"webarchive-commons__resource_html_link-extraction-test.warc", "warcio__example-iana.org-chunked.warc", "warcio__example.warc.gz",
	"whirlwind-python__whirlwind.warc.gz", "jwarc__org_netpreserve_jwarc_cc.warc.gz",
}

// samples chooses the pages. The choice depends on URLs and bytes alone.
func samples(t *testing.T) (all []sample) {
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		all = append(all, fromLines(t, name, lines[name])...)
	}
	all = append(all, recoded(t, all)...)
	seen := map[string]bool{}
	for _, name := range archives {
		for _, s := range fromArchive(t, filepath.Join(shareddata.Dir(t, "warc"), name)) {
			if key := s.URL + string(s.Body); !seen[key] && len(s.Body) <= maxBody {
				seen[key] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// fromLines takes the pages of each host whose URLs have the lowest hashes.
func fromLines(t *testing.T, name string, perHost int) (chosen []sample) {
	t.Helper()
	file, err := os.Open(filepath.Join(shareddata.Dir(t, filepath.Dir(name)), filepath.Base(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	hosts := map[string][]sample{}
	for in := bufio.NewReaderSize(unpacked, maxBody*2); ; {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		address, host := urlOf(t, line)
		worst := hosts[host]
		if len(line) > maxBody || len(worst) == perHost && bytes.Compare(hash(address), hash(worst[perHost-1].URL)) > 0 {
			continue
		}
		var page struct{ HTML string }
		if err := json.Unmarshal(line, &page); err != nil {
			t.Fatal(err)
		}
		s := sample{Page: Page{address, "text/html; charset=utf-8", []byte(page.HTML)}, set: filepath.Dir(name)}
		hosts[host] = lowest(append(worst, s), perHost)
	}
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		chosen = append(chosen, hosts[host]...)
	}
	for i := range chosen {
		chosen[i].warc = record(chosen[i].URL, httpResponse(chosen[i].ContentType, chosen[i].Body))
	}
	return chosen
}

// urlOf reads the URL, which comes first in a line, and no more of it: there are 14,612 lines.
func urlOf(t *testing.T, line []byte) (address, host string) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(line[:min(len(line), 4096)]))
	for range 3 { // {, "url", its value
		token, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		address, _ = token.(string)
	}
	_, host, _ = strings.Cut(address, "://")
	host, _, _ = strings.Cut(host, "/")
	return address, host
}

// lowest keeps the n samples with the lowest hashes, in the order of these.
func lowest(s []sample, n int) []sample {
	slices.SortFunc(s, func(a, b sample) int { return bytes.Compare(hash(a.URL), hash(b.URL)) })
	return s[:min(n, len(s))]
}

func hash(url string) []byte {
	sum := sha256.Sum256([]byte(url))
	return sum[:]
}

// charsets are those that pages are written anew in, declared by a header or by a meta element.
var charsets = []string{
	"windows-1252", "iso-8859-2", "iso-8859-15", "windows-1251", "koi8-r", "shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030",
	"big5", "euc-kr", "windows-1254", "macintosh",
}

// recoded writes pages anew in other charsets: the first two that each of these can hold and that are more than ASCII.
func recoded(t *testing.T, from []sample) (out []sample) {
	t.Helper()
	for _, name := range charsets {
		enc, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, s := range from {
			head, rest, ok := bytes.Cut(s.Body, []byte(`<meta charset="utf-8">`))
			body, err := enc.NewEncoder().Bytes(bytes.Join([][]byte{head, rest}, nil))
			if !ok || err != nil || isASCII(body) || found == 2 {
				continue
			}
			s.set, s.ContentType = "recoded", "text/html; charset="+name
			if found == 1 {
				s.ContentType = "text/html"
				body = bytes.Replace(body, []byte("<head>"), []byte("<head><meta charset="+name+">"), 1)
			}
			s.URL, s.Body, found = fmt.Sprintf("%s?%s-%d", s.URL, name, found), body, found+1
			s.warc = record(s.URL, httpResponse(s.ContentType, s.Body))
			out = append(out, s)
		}
		if found == 0 {
			t.Logf("no page in %s", name)
		}
	}
	return out
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

func httpResponse(contentType string, body []byte) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", contentType, len(body), body)
}

func record(url string, block []byte) []byte {
	return fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
}

// fromArchive reads the HTML pages of a sound WARC file, sharing no code with package crawl.
func fromArchive(t *testing.T, path string) (pages []sample) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if strings.HasSuffix(path, ".gz") {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = bufio.NewReader(unpacked)
	}
	for {
		head, block, err := nextRecord(in)
		if errors.Is(err, io.EOF) {
			return pages
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		uri := strings.Trim(head.Get("WARC-Target-URI"), "<>")
		if page, ok := htmlPage(block); ok && head.Get("WARC-Type") == "response" && uri != "" {
			page.URL = uri
			pages = append(pages, sample{page, "warc", record(page.URL, block)})
		}
	}
}

func nextRecord(in *bufio.Reader) (textproto.MIMEHeader, []byte, error) {
	for { // to the first line, over the two empty ones behind a record
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(line, "WARC/") {
			break
		}
	}
	head, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return nil, nil, err
	}
	size, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		return nil, nil, err
	}
	block := make([]byte, size)
	_, err = io.ReadFull(in, block)
	return head, block, err
}

func htmlPage(block []byte) (Page, bool) {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
	if err != nil {
		return Page{}, false
	}
	defer answer.Body.Close()
	contentType := answer.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(contentType)
	var body io.Reader = answer.Body
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(answer.Body); err != nil {
			return Page{}, false
		}
	}
	all, err := io.ReadAll(body)
	return Page{ContentType: contentType, Body: all}, err == nil && answer.StatusCode == http.StatusOK && media == "text/html" && len(all) > 0
}

// read gives what package crawl makes of the record.
func (s *sample) read(t *testing.T) (page crawl.Page, ok bool) {
	t.Helper()
	src, err := crawl.NewSource(s.URL, bytes.NewReader(s.warc), crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if page, err = rec.Page(); err != nil {
			t.Logf("%s: %v", s.URL, err)
			return page, false
		}
		return page, len(page.HTML) > 0
	}
	return page, false
}
