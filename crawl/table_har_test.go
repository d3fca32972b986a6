package crawl_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
)

// TestHAR reads the entries of a HAR.
func TestHAR(t *testing.T) {
	entry := func(path, more, response string) string {
		return fmt.Sprintf(`{"startedDateTime":"2024-05-01T10:00:00.000Z","_initiator":{"type":"other"},%s"request":{"method":"GET","url":"https://x.example/%s","headers":[{"name":"a","value":"b"}]},"response":{%s}}`, more, path, response)
	}
	html := func(content string) string {
		return `"status":200,"content":{"size":9,"mimeType":"text/html; charset=iso-8859-1",` + content + `}`
	}
	for _, c := range []struct{ entry, want string }{
		{entry("a", "", html(`"text":"<p>a\u00e9"`)), "https://x.example/a html <p>aé"},
		{entry("b", `"_resourceType":"document",`, html(`"text":"`+base64.StdEncoding.EncodeToString([]byte("<p>b\xe9"))+`","encoding":"base64"`)), "https://x.example/b html <p>bé"},
		{entry("c", `"_resourceType":"xhr",`, html(`"text":"<p>c"`)), "not-document=1"},
		{entry("d", "", `"status":200,"content":{"mimeType":"image/png","text":"iVBORw0KGgo=","encoding":"base64"}`), "not-html=1"},
		{entry("e", "", `"status":200,"content":{"mimeType":"text/plain","text":"<html>e"}`), "looks-like-html=1"},
		{entry("f", "", `"status":404,"content":{"mimeType":"text/html","text":"<p>f"}`), "http-status=1"},
		{entry("g", "", `"status":0,"content":{}`), "http-status=1"},
		{entry("h", "", `"status":301,"redirectURL":"/i","content":{"mimeType":"text/html"}`), "redirect=1"},
		{entry("j", "", html(`"size":7`)), "empty-page=1"},
		{strings.Replace(entry("k", "", html(`"text":"<p>k"`)), "GET", "POST", 1), "answer-to-post=1"},
		{entry("l", "", html(`"text":"%%%","encoding":"base64"`)), "bad-encoding=1"},
		{entry("n", "", html(`"text":"<p>n","encoding":"base64"`)), "https://x.example/n html <p>n"},
		{entry("m", "", `"status":200,"content":{"text":"<!doctype html>m"}`), "https://x.example/m html <!doctype html>m"},
		{`{"request":5}`, "http-status=1"},
	} {
		in := "{\n \"log\": {\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"pages\":[{\"id\":\"p\",\"title\":\"https://x.example/\"}],\"entries\":[" + c.entry + "]}}"
		pages, l, err := ReadBytes(t, []byte(in), record.Options{})
		if got := strings.Join(LinesOf(pages), "") + LeftOut(l); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q: %v", c.entry, got, c.want, err)
		}
		if len(pages) == 1 && (pages[0].Time.IsZero() || pages[0].Status != 200 || pages[0].Pos.Record != 2) {
			t.Errorf("%s: time %v, status %d, at %v", c.entry, pages[0].Time, pages[0].Status, pages[0].Pos)
		}
	}
}

// TestMembers reads what members of other kinds hold: lists, wrapped values, groups that are written as text, links.
func TestMembers(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"url":"https://x.example/a","text":["one","two \"2\"","",null]}`, "https://x.example/a text one\ntwo \"2\""},
		{`{"url":"https://x.example/a","text":[{"a":1}]}`, "empty-page=1"},
		{`{"text":"x","metadata":"{\"url\":\"https://x.example/a\",\"date\":\"2024-05-01\"}"}`, "https://x.example/a text x"},
		{`{"text":"x","metadata":"{not JSON","url":"https://x.example/a"}`, "https://x.example/a text x"},
		{`{"_id":{"$oid":"65f0"},"text":"x","date":{"$date":{"$numberLong":"20240501"}}}`, "65f0 text x"},
		{`{"id":{"a":"b"},"text":"x"}`, "no-url=1"},
		{`{"_id":"7","_source":{"url":"https://x.example/a","html":"<p>x"}}`, "https://x.example/a html <p>x"},
		{`{"text":"x"}`, "memory#1 text x"},
		{`{"text":"x","title":"T","n":1}`, "memory#1 text x T"},
		{`{"text":"x","permalink":"https://x.example/a"}`, "no-url=1"},
		{`{"text":"x","url":null}`, "no-url=1"},
		{`{"text":""}`, "empty-page=1"},

		{`{"url":"https://x.example/a","text":"x","links":["/b","https://y.example/",7]}`, "https://x.example/a → /b [||]\nhttps://x.example/a → https://y.example/ [||]\nhttps://x.example/a text x"},
		{`{"url":"https://x.example/a","text":"x","links":[{"href":"/b","text":"","title":"B"},{"url":"/c","text":"C","rel":"ugc","nofollow":true},{"text":"none"}]}`, "https://x.example/a → /b [|B|]\nhttps://x.example/a → /c [|C|] ugc nofollow\nhttps://x.example/a text x"},
		{`{"url":"https://x.example/a","links":{"internal":[{"href":"/b","text":"B"}],"external":["https://y.example/"]}}`, "https://x.example/a → /b [|B|]\nhttps://x.example/a → https://y.example/ [||]"},
		{`{"url":"https://x.example/a","html":"<p>x","links":["/b"]}`, "https://x.example/a html <p>x"},
		{`{"url":"https://x.example/a","text":"x","links":"none"}`, "https://x.example/a text x"},
		{`{"url":"https://x.example/a","text":"x","links":[]}`, "https://x.example/a text x"},
		{`{"nodes":[{"id":1}],"links":[{"source":"https://x.example/a","target":"https://x.example/b"}]}`, "https://x.example/a → https://x.example/b [||]"},
	} {
		pages, l, err := ReadBytes(t, []byte(c.in), record.Options{})
		if got := strings.Join(LinesOf(pages), "\n") + LeftOut(l); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q: %v", c.in, got, c.want, err)
		}
	}
}
