package crawl_test

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
)

func TestWAT(t *testing.T) {
	const head = `{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"https://a.example/p/","WARC-Date":"2024-05-06T07:08:09Z"},"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":`
	for _, c := range []struct{ name, body, want, left string }{
		{
			"links", head + `{"Head":{"Title":"A\n title","Base":"/base/"},"Links":[{"path":"A@/href","url":"x","text":" apple "},{"path":"IMG@/src","url":"i.png","alt":"no"},` +
				`{"path":"A@/href","url":"https://b.example/","title":"pear","rel":"nofollow"},{"path":"A@/href","url":"mailto:x@y.example"},{"path":"AREA@/href","url":"//c.example","alt":"area"},{"path":"FORM@/action","url":"/f"}]}}}}}`,
			"https://a.example/p/ → https://a.example/base/x [|apple|] 2024-05-06; https://a.example/p/ → https://b.example/ [|pear|] nofollow 2024-05-06; " +
				"https://a.example/p/ → mailto:x@y.example [||] 2024-05-06; https://a.example/p/ → https://c.example [|area|] 2024-05-06; title A title", "",
		},
		{"no link", head + `{"Head":{"Title":"x"}}}}}}`, "title x", ""},
		{"a title that is none", head + `{"Head":{"Title":["x"]},"Links":[{"path":"A@/href","url":"/x","text":"y"}]}}}}}`, "https://a.example/p/ → https://a.example/x [|y|] 2024-05-06; title ", ""},
		{"not found", strings.Replace(head, `"200"`, `"404"`, 1) + `{}}}}}`, "", "http-status=1"},
		{"an image", strings.TrimSuffix(head, `,"HTML-Metadata":`) + `}}}}`, "", "not-html=1"},
		{"a request", `{"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{}}}}`, "", "warc-metadata=1"},
		{"no JSON", `{"Envelope":`, "", "bad-json=1"},
		{"no URL of the web", strings.Replace(head, "https://a.example/p/", "dns:a.example", 1) + `{}}}}}`, "", "not-http-url=1"},
	} {
		for _, in := range [][]byte{[]byte(strings.Join(WatRecords(c.body), "")), Gzip(WatRecords(c.body)...)} {
			pages, l, err := ReadBytes(t, in, record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := LinesOf(pages)
			for _, p := range pages {
				got = append(got, "title "+p.Title)
				if p.Part || p.Links == nil {
					t.Errorf("%s: part %v, links %v", c.name, p.Part, p.Links)
				}
			}
			if s := strings.Join(got, "; "); s != c.want || strings.TrimSpace(strings.Replace(LeftOut(l), "warc-warcinfo=1", "", 1)) != c.left {
				t.Errorf("%s: %s; left out %s", c.name, s, LeftOut(l))
			}
		}
	}
}

func FuzzWAT(f *testing.F) {
	f.Add([]byte(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Target-URI":"https://a.example/"},"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Head":{"Base":"x"},"Links":[{"path":"A@/href","url":"x"}]}}}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, _ = ReadBytes(t, []byte(strings.Join(WatRecords(string(body)), "")), record.Options{}) // checks the pages
	})
}
