package markup

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// same fails if the tokens of a page differ from those of x/net/html.
func same(t testing.TB, s *Scanner, page []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(page))
	s.Reset(page)
	for at := 0; ; at += len(s.Raw()) {
		want, got := kindOf(z.Next()), s.Next()
		if got != want {
			t.Fatalf("byte %d of %.200q: kind %d, not %d", at, page, got, want)
		}
		if got == End {
			return
		}
		if !bytes.Equal(s.Raw(), z.Raw()) {
			t.Fatalf("byte %d of %.200q: token %.200q, not %.200q", at, page, s.Raw(), z.Raw())
		}
		switch got {
		case Text:
			sameText(t, s, z)
		case StartTag, SelfClosingTag, EndTag:
			sameTag(t, s, z)
		}
	}
}

func kindOf(t html.TokenType) Kind {
	switch t {
	case html.TextToken:
		return Text
	case html.StartTagToken:
		return StartTag
	case html.SelfClosingTagToken:
		return SelfClosingTag
	case html.EndTagToken:
		return EndTag
	case html.CommentToken, html.DoctypeToken:
		return Comment
	}
	return End
}

func sameText(t testing.TB, s *Scanner, z *html.Tokenizer) {
	t.Helper()
	raw := bytes.Clone(s.Raw())
	got, want := s.AppendText(nil), z.Text()
	if p, ok := s.Plain(); ok && !bytes.Equal(p, got) {
		t.Fatalf("plain text %.200q is %.200q", p, got)
	}
	if bytes.IndexByte(raw, '\r') >= 0 { // x/net/html turns them into line feeds before it resolves references
		got, want = folded(got), folded(want)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%.200q is %.200q, not %.200q", raw, got, want)
	}
}

// folded returns s with one line feed for each sequence of line ends.
func folded(s []byte) []byte {
	return bytes.Join(bytes.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), []byte("\n"))
}

func sameTag(t testing.TB, s *Scanner, z *html.Tokenizer) {
	t.Helper()
	raw := bytes.Clone(s.Raw())
	name, more := z.TagName()
	if want := NameOf(strings.ReplaceAll(string(name), "\uFFFD", "\x00")); s.Name() != NameOf(string(name)) && s.Name() != want {
		t.Fatalf("%.200q: name %x, not %x", raw, s.Name(), want)
	}
	seen := map[string]bool{}
	for _, a := range s.attrs {
		key := bytes.Clone(s.page[a.key:a.keyEnd])
		for j, c := range key {
			key[j] = lower[c]
		}
		if seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		if !more {
			t.Fatalf("%.200q: attribute %q is one too many", raw, key)
		}
		var k, v []byte
		k, v, more = z.TagAttr()
		if want := bytes.ReplaceAll(key, []byte{0}, []byte("\uFFFD")); !bytes.Equal(k, want) {
			t.Fatalf("%.200q: attribute %q, not %q", raw, want, k)
		}
		if got, ok := s.Attribute(string(key)); !ok || got != string(v) {
			t.Fatalf("%.200q: %q is %q (%v), not %q", raw, k, got, ok, v)
		}
	}
	if more {
		t.Fatalf("%.200q: an attribute is missing", raw)
	}
}

var tricky = []string{
	"", "a", "<", "a<", "</", "a</", "<a", "<a>", "</a", "</a>", "</>", "</3>x", "< a>", "<<a>", "<a<b>", "a < b", "1<2", "<3",
	"<!", "<!>", "<!x", "<!x>y", "<!-", "<!->y", "<!--", "<!-->y", "<!--->y", "<!---->y", "<!--a-->y", "<!--a--!>y", "<!----!>y", "<!--!>-->y",
	"<!--a--!-->y", "<!--a-- >-->y", "<!--a>b->-->y", "<!--a--!x>-->y", "<!doctype html>y", "<!DOCTYPE", "<!DOCTYPE ", "<!DOC", "<![CDATA[x]]>y", "<?xml?>y", "<?",
	"<p/>", "<p />", "<p a/>", "<p a=/>", "<p a=1 a=/>", "<p a='/'>", "<p a=''/>", "<p a=b/ >", "<p / a>", "<p /a/=x>", "<p =>", "<p ==/>", "<p a==b>", "<p a = b>",
	"<p a = >", "<p a=\"1", "<p a=\"1\"b='2'c=3>", "<p A=1 a=2>", "<p a\x00=\x00>", "<p\x00>", "<a\x00>", "<a\x00 href\x00=1 href=2>", "<p a=a\rb\r\nc\nd>", "<p a=&amp;&amp&ampx&amp=&semi;&fjlig;&notit;&#39&#39=&#x&#&;&>",
	"&amp; &ampx &notit; &notin; &semi; &#13;\r&#10; &#x110000; &#0; &#128; &#xD800; & &; &x; &CounterClockwiseContourIntegral; &#x27g; &lt", "a\x00b", "a\r\nb",
	"<script>if (a<b) {}</script>c", "<script></script>", "<script>", "<SCRIPT>a</SCRIPT >b", "<script>a</script", "<script>a</scriptx></script/>b", "<script/>a</script>b",
	"<script><!--<script></script>x--></script>y", "<script><!-- </script>y", "<script><!--<script></script>", "<script>\x00\r\n&amp;</script>",
	"<style>a</style><title>&amp;\x00</title><textarea>&lt;p></textarea>x", "<title></title>x", "<title></titlex></ti</title>", "<plaintext>a</plaintext>&amp;",
	"<noscript><p></noscript>", "<iframe><a></iframe>", "<xmp>&amp;</xmp>", "<noembed>x", "<noframes><</noframes>", "<BlockQuote><figCaption><PLAINTEXT><p>", "<blockquotex>",
}

func TestTricky(t *testing.T) {
	var s Scanner
	for _, page := range tricky {
		same(t, &s, []byte(page))
	}
}

// FuzzScanner compares the Scanner with x/net/html on any bytes.
func TestNotRaw(t *testing.T) {
	page := "<style>a<b></style>"
	z, s := html.NewTokenizer(strings.NewReader(page)), Scanner{}
	s.Reset([]byte(page))
	for z.Next() != html.ErrorToken {
		s.Next()
		if string(s.Raw()) != string(z.Raw()) {
			t.Errorf("%q, not %q", s.Raw(), z.Raw())
		}
		z.NextIsNotRawText()
		s.NotRaw()
	}
}

func FuzzScanner(f *testing.F) {
	for _, page := range tricky {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		var s Scanner
		before := bytes.Clone(page)
		same(t, &s, page)
		if !bytes.Equal(before, page) {
			t.Error("the page has changed")
		}
	})
}

func TestSample(t *testing.T) {
	var s Scanner
	for d := json.NewDecoder(sample.Open()); d.More(); {
		var page struct{ HTML string }
		if err := d.Decode(&page); err != nil {
			t.Fatal(err)
		}
		same(t, &s, []byte(page.HTML))
	}
}

func TestLongRealPages(t *testing.T) {
	var s Scanner
	for _, name := range []string{"directory/pages.jsonl.gz", "docs/pages.jsonl.gz", "warc/ipwb__warcs_sample-1.warc.gz", "warc/ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"} {
		folder, file := filepath.Split(filepath.FromSlash(name))
		src, err := crawl.Open(filepath.Join(shareddata.Dir(t, filepath.Clean(folder)), file), crawl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, size := 0, 0
		for rec, err := range src.Records(context.Background()) {
			if err != nil {
				continue // not a page
			}
			if page, err := rec.Page(); err == nil && page.HTML != nil {
				same(t, &s, page.HTML)
				n, size = n+1, size+len(page.HTML)
			}
		}
		if n == 0 {
			t.Errorf("%s has no pages", name)
		}
		t.Logf("%s: %d pages, %d bytes", name, n, size)
		src.Close()
	}
}
