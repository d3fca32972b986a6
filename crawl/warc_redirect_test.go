package crawl_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// leads reads an input and describes it: redirects as FROM>TO, everything else that was left out as REASON, and pages
// as [URL].
func leads(t *testing.T, content string, o record.Options) string {
	t.Helper()
	var out []string
	src, err := crawl.NewSource("memory", strings.NewReader(content), o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(t.Context()) {
		var page record.Page
		if err == nil {
			page, err = rec.Page()
		}
		var skip *record.Skip
		switch {
		case err == nil:
			out = append(out, "["+page.Canonical+"]")
		case !errors.As(err, &skip):
			t.Fatal(err)
		case skip.Redirect != nil:
			if skip.Reason != record.ReasonRedirect && skip.Reason != record.ReasonTruncatedRecord {
				t.Errorf("a redirect for the reason %s", skip.Reason)
			}
			out = append(out, skip.Redirect.From+">"+skip.Redirect.To)
		default:
			out = append(out, string(skip.Reason))
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), "https://", "")
}

func TestRedirects(t *testing.T) {
	moved := func(status, location string) string {
		head := "HTTP/1.1 " + status + "\r\nContent-Type: text/html\r\n"
		if location != "" {
			head += "Location: " + location + "\r\n"
		}
		return WarcRecord("response", "http://a.example/x/y", head+"\r\n<p>moved</p>")
	}
	for _, c := range []struct{ name, status, location, want string }{
		{"absolute", "301 Moved", "https://www.b.example/z/", "a.example/x/y>b.example/z"},
		{"relative", "302 Found", "z", "a.example/x/y>a.example/x/z"},
		{"rooted", "303 See Other", "/z", "a.example/x/y>a.example/z"},
		{"scheme", "307 Temporary Redirect", "//b.example", "a.example/x/y>b.example"},
		{"kept method", "308 Permanent Redirect", "?q=1", "a.example/x/y>a.example/x/y?q=1"},
		{"to the same page", "301 Moved", "https://a.example/x/y#top", "http-status"},
		{"nowhere", "301 Moved", "", "http-status"},
		{"to no page of the web", "302 Found", "mailto:me@a.example", "http-status"},
		{"not modified", "304 Not Modified", "/z", "http-status"},
		{"choices", "300 Multiple Choices", "/z", "http-status"},
	} {
		if got := leads(t, moved(c.status, c.location), record.Options{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	before, err := record.ParseSelection("", "2001", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := leads(t, moved("301 Moved", "/z"), record.Options{Select: before}); got != "not-selected" {
		t.Errorf("of another time: %s", got)
	}
}

// TestRedirectCut cuts an archive that ends in a redirect. The redirect is found unless the cut is in its head.
func TestRedirectCut(t *testing.T) {
	whole := WarcRecord("response", "http://a.example/x", "HTTP/1.1 301 Moved\r\nLocation: /yonder\r\n\r\n<p>moved")
	behind, in := strings.Index(whole, "<p>"), strings.Index(whole, "nder")
	if got := leads(t, whole[:behind+2], record.Options{}); got != "a.example/x>a.example/yonder" {
		t.Error(got)
	}
	if got := leads(t, whole[:in], record.Options{}); got != "truncated-record" {
		t.Error(got)
	}
}

func TestRedirectOfRevisit(t *testing.T) {
	warc := WarcRecord("revisit", "http://a.example/x", "HTTP/1.1 301 Moved\r\nLocation: /y\r\n\r\n")
	if got := leads(t, warc, record.Options{}); got != "a.example/x>a.example/y" {
		t.Error(got)
	}
}

func TestRedirectsOfTables(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"internal_all", "Address,Status Code,Redirect URL\nhttps://a.example/x,301,https://a.example/y\nhttps://a.example/y,200,\n", "a.example/x>a.example/y empty-page"},
		{"json lines", `{"url":"https://a.example/x","redirect":"/y"}` + "\n" + `{"url":"https://a.example/y","html":"<p>here","redirect":""}`, "a.example/x>a.example/y [a.example/y]"},
		{"all inlinks", "Type,Source,Destination,Anchor\nHTTP Redirect,https://a.example/x,https://a.example/y,\nHyperlink,https://a.example/z,https://a.example/x,there\nImage,https://a.example/z,https://a.example/p.png,\n",
			"a.example/x>a.example/y [a.example/z] not-link"},
	} {
		if got := leads(t, c.content, record.Options{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRedirectTime(t *testing.T) {
	at := time.Date(2020, 5, 17, 0, 0, 0, 0, time.UTC)
	got, err := urls.DefaultRules().Redirect("http://a.example/", "/c/", "../b", at)
	if want := (urls.Redirect{From: "https://a.example", To: "https://a.example/b", Time: at}); err != nil || got != want {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := urls.DefaultRules().Redirect("http://a.example/", "", " ", at); !errors.Is(err, urls.ErrNoRedirect) {
		t.Error(err)
	}
}
