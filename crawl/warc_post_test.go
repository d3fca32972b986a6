package crawl_test

import (
	"fmt"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
)

// The answer to a form is no page, whether or not the records are members of their own.
func TestPost(t *testing.T) {
	rec := func(kind, id, more, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Target-URI: http://example.org/%s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, id, id, more, len(block), block)
	}
	pair := func(id, to, method string) []string {
		return []string{rec("response", id, "", Response("", "<p>"+id)), rec("request", "request-"+id, "WARC-Concurrent-To: <urn:"+to+">\r\n", method+" / HTTP/1.1\r\n\r\nq=1")}
	}
	var all []string
	for _, p := range [][]string{pair("get", "get", "GET"), pair("post", "post", "POST"), pair("other", "another", "POST")} {
		all = append(all, p...)
	}
	for _, first := range []string{"POST", "GET"} { // as wget writes them
		all = append(all, rec("request", "first-"+first, "", first+" / HTTP/1.1\r\n\r\nq=1"),
			rec("response", "second-"+first, "WARC-Concurrent-To: <urn:first-"+first+">\r\n", Response("", "<p>"+first)))
	}
	plain := ""
	for _, r := range all {
		plain += r
	}
	for name, b := range map[string][]byte{"plain": []byte(plain), "gzip": Gzip(all...), "one member": Gzip(plain), "zstd": Zstd(nil, all...)} {
		pages, l, err := ReadBytes(t, b, record.Options{})
		if err != nil || len(pages) != 3 || l.Count(record.ReasonPost) != 2 {
			t.Errorf("%s: %d pages, %+v, %v", name, len(pages), l.Tallies(), err)
		}
	}
}
