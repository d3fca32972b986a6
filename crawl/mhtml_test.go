package crawl_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// mhtmlOf returns a page as Chrome saves it.
func mhtmlOf(encoding, body string) string {
	return strings.ReplaceAll(`From: <Saved by Blink>
Snapshot-Content-Location: https://example.org/p?x=1
Subject: =?utf-8?Q?T=C3=A9?=
Date: Sun, 5 May 2024 10:00:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----MultipartBoundary--abc----"


------MultipartBoundary--abc----
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: `+encoding+`
Content-Location: https://example.org/p?x=1

`+body+`
------MultipartBoundary--abc----
Content-Type: text/html
Content-Location: https://example.org/frame

<p>a frame
------MultipartBoundary--abc------
`, "\n", "\r\n")
}

func TestMHTML(t *testing.T) {
	day := time.Date(2024, 5, 5, 10, 0, 0, 0, time.UTC)
	ie := strings.NewReplacer("Snapshot-Content-Location: https://example.org/p?x=1\r\n", "", "<Saved by Blink>", `"Saved by Windows Internet Explorer 8"`)
	word := "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"----=_NextPart\"\n\nThis document is a Single File Web Page.\n\n------=_NextPart\nContent-Location: file:///C:/d.htm\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html; charset=\"us-ascii\"\n\n<p>of Wor=\nd\n\n------=_NextPart--\n"
	for name, c := range map[string]struct {
		in, url, html, left string
		at                  time.Time
	}{
		"chrome":                {mhtmlOf("quoted-printable", "<p>caf=E9 wor=\nds"), "https://example.org/p?x=1", "<p>café words", "", day},
		"base64":                {mhtmlOf("base64", base64.StdEncoding.EncodeToString([]byte("<p>caf\xe9"))), "https://example.org/p?x=1", "<p>café", "", day},
		"8bit":                  {mhtmlOf("8bit", "<p>caf\xe9"), "https://example.org/p?x=1", "<p>café", "", day},
		"explorer":              {ie.Replace(mhtmlOf("quoted-printable", "<p>x")), "https://example.org/p?x=1", "<p>x", "", day},
		"word":                  {word, "https://localhost/page.mht", "<p>of Word\n", "", time.Time{}},
		"quotes in backslashes": {strings.Replace(mhtmlOf("7bit", "<p>x"), `"----MultipartBoundary--abc----"`, `\"----MultipartBoundary--abc----\"`, 1), "https://example.org/p?x=1", "<p>x", "", day},
		"no quotes":             {strings.NewReplacer(`"----MultipartBoundary--abc----"`, "----MultipartBoundary--abc----", `"text/html"`, "text/html").Replace(mhtmlOf("7bit", "<p>x")), "https://example.org/p?x=1", "<p>x", "", day},
		"one part":              {"From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Location: https://example.org/\n\n<p>x\n", "https://example.org/", "<p>x\n", "", time.Time{}},
		"cut":                   {strings.SplitAfter(mhtmlOf("quoted-printable", "<p>caf=E9 words"), "=E9")[0], "https://example.org/p?x=1", "<p>café", "truncated-payload=1", day},
		"no page":               {strings.ReplaceAll(mhtmlOf("7bit", "<p>x"), "Content-Type: text/html", "Content-Type: text/css"), "", "", "bad-encoding=1", day},
		"binary data":           {mhtmlOf("base64", base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"))), "", "", "not-html=1", day},
		"no boundary":           {"MIME-Version: 1.0\nContent-Type: multipart/related\n\n<p>x\n", "", "", "bad-encoding=1", day},
		"empty":                 {mhtmlOf("7bit", " "), "", "", "empty-page=1", day},
		"parts in deep":         {"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n--a\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: text/html\n\n<p>y\n--b--\n--a--\n", "https://localhost/page.mht", "<p>y", "", time.Time{}},
	} {
		src, err := crawl.NewSource("page.mht", strings.NewReader(c.in), record.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		pages, l := Drain(t, src)
		if src.Format() != "mhtml" || LeftOut(l) != c.left {
			t.Errorf("%s: %s, %v", name, src.Format(), l.Tallies())
		}
		if len(pages) == 1 && (pages[0].URL != c.url || !strings.HasPrefix(string(pages[0].HTML), c.html) || !pages[0].Time.Equal(c.at)) || (len(pages) == 1) != (c.url != "") {
			t.Errorf("%s: %+v", name, pages)
		}
	}
}

// A mail is no page, though its parts have the same form.
func TestMailIsNoMHTML(t *testing.T) {
	mail := strings.Replace(mhtmlOf("7bit", "<p>x"), "Date:", "Message-ID: <1@example.org>\r\nDate:", 1)
	if src, err := crawl.NewSource("x.eml", strings.NewReader(mail), record.Options{}); err == nil {
		t.Errorf("read as %s", src.Format())
	}
}

func FuzzMHTML(f *testing.F) {
	f.Add(mhtmlOf("quoted-printable", "<p>caf=E9 wor=\nds"))
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) < 1<<16 {
			_, _, _ = ReadBytes(t, []byte(in), record.Options{})
		}
	})
}
