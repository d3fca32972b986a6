package urls

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/shareddata"
)

var canonicalTable = []struct{ raw, want string }{
	{"https://example.org", "https://example.org"},
	{"https://example.org/", "https://example.org"},
	{"HTTP://WWW.Example.ORG:80/", "https://example.org"},
	{"http://example.org:443/a", "https://example.org/a"},
	{"http://example.org:0080/a", "https://example.org/a"},
	{"http://example.org:8080/a/", "https://example.org:8080/a"},
	{"http://127.0.0.1:8080/a/", "http://127.0.0.1:8080/a"},
	{"https://127.0.0.1:443/a", "https://127.0.0.1/a"},
	{"http://example.org:/a/", "https://example.org/a"},
	{"http://user:pa@ss@example.org/a", "https://example.org/a"},
	{"http://www.www.example.org./a", "https://example.org/a"},
	{"http://www.com/", "https://www.com"},
	{"http://www.gov.uk/", "https://gov.uk"},
	{"https://example.org/a#frag?x", "https://example.org/a"},
	{"https://example.org/a/b/../c/./d", "https://example.org/a/c/d"},
	{"https://example.org/../../a/..", "https://example.org"},
	{"https://example.org/a/%2e%2E/b", "https://example.org/b"},
	{"https://example.org//a///b//", "https://example.org/a/b"},
	{"https://example.org/%7euser/%c3%a4%2fb", "https://example.org/~user/%C3%A4%2Fb"},
	{"https://example.org/ä b", "https://example.org/%C3%A4%20b"},
	{"https://example.org/100%", "https://example.org/100%25"},
	{"https://example.org/%%341", "https://example.org/%2541"},
	{"https://example.org/a/index.html", "https://example.org/a"},
	{"https://example.org/index.html/index.php/", "https://example.org"},
	{"https://example.org/Default.aspx?id=1", "https://example.org?id=1"},
	{"https://example.org/my-index.html", "https://example.org/my-index.html"},
	{"https://example.org/a?utm_source=x&b=1&UTM_medium=y&fbclid=3&ref=hn", "https://example.org/a?b=1"},
	{"https://example.org/a?ref=A01", "https://example.org/a?ref=A01"},
	{"https://example.org/a?ref=main&REF=v1.2", "https://example.org/a?ref=main&REF=v1.2"},
	{"https://example.org/a?ref=www.example.com&Ref=https%3A%2F%2Fexample.com%2Fa", "https://example.org/a"},
	{"https://example.org/a?ref=", "https://example.org/a"},
	{"https://example.org/a?ref=twitter-share", "https://example.org/a"},
	{"https://example.org/a?ref=google-pixel-8", "https://example.org/a?ref=google-pixel-8"},
	{"https://example.org/map?utm_zone=32&utm_e=5000&utm_nooverride=1", "https://example.org/map?utm_zone=32&utm_e=5000"},
	{"https://example.org/a;jsessionid=1F?x=1", "https://example.org/a?x=1"},
	{"https://example.org/a;JSESSIONID=1F!2/b;v=2", "https://example.org/a/b;v=2"},
	{"https://example.org/;jsessionid=1F/..;jsessionid=2/b", "https://example.org/b"},
	{"https://example.org/a?x=1;jsessionid=1F&y=2", "https://example.org/a?x=1&y=2"},
	{"https://example.org/a?PHPSESSID=abc&osCsid=1&zenid=2&ASPSESSIONIDQA=F&x=1", "https://example.org/a?x=1"},
	{"https://example.org/a?sid=0123456789abcdef0123456789ABCDEF&s=0123456789abcdef0123456789abcdef", "https://example.org/a"},
	{"https://example.org/a?sid=17&s=query&session_id=5", "https://example.org/a?sid=17&s=query&session_id=5"},
	{"https://example.org/a?CFID=1&CFTOKEN=2", "https://example.org/a"},
	{"https://example.org/a?cfid=1", "https://example.org/a?cfid=1"},
	{"https://example.org/x/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "https://example.org/x/a.aspx"},
	{"https://example.org/(X(1)S(lit3py55t21z5v55vlm25s55))", "https://example.org"},
	{"https://example.org/(S(1))/a", "https://example.org/(S(1))/a"},
	{"https://example.org/a?&&b=1&&c", "https://example.org/a?b=1&c"},
	{"https://example.org/a?", "https://example.org/a"},
	{"https://example.org/a?utm_source=x", "https://example.org/a"},
	{"https://example.org?q=a/b?c", "https://example.org?q=a/b?c"},
	{"https://example.org/a?preference=1&q=%7e+x", "https://example.org/a?preference=1&q=~+x"},
	{"https://GitHub.com/User/Repo.git/", "https://github.com/user/repo"},
	{"https://gitlab.com/A/B.git?x=Y", "https://gitlab.com/a/b?x=Y"},
	{"https://github.com/A/%2fB", "https://github.com/a/%2Fb"},
	{"https://github.com/A/B/blob/main/README.md", "https://github.com/a/b/blob/main/README.md"},
	{"https://github.com/..git", "https://github.com/..git"},
	{"https://github.com/A/B/tree/main/C.git", "https://github.com/a/b/tree/main/C.git"},
	{"https://gitlab.com/A/B/C.git", "https://gitlab.com/a/b/c"},
	{"https://gitlab.com/A/B/C/-/blob/main/README.md", "https://gitlab.com/a/b/c/-/blob/main/README.md"},
	{"https://example.org/A.git", "https://example.org/A.git"},
	{" \t https://exa\nmple.org/a\tb \r\n", "https://example.org/ab"},
	{`http:\\example.org\a\b?c\d`, "https://example.org/a/b?c%5Cd"},
	{"https:example.org/a", "https://example.org/a"},
	{"https:////example.org/a", "https://example.org/a"},
	{"https://bücher.example/", "https://xn--bcher-kva.example"},
	{"https://XN--bcher-kva.example/", "https://xn--bcher-kva.example"},
	{"https://b%C3%BCcher.example/", "https://xn--bcher-kva.example"},
	{"https://ex%61mple.org/", "https://example.org"},
	{"https://[::1]:8080/a", "https://[::1]:8080/a"},
	{"https://[0:0::1]/a", "https://[::1]/a"},
	{"https://127.0.0.1/a", "https://127.0.0.1/a"},
	{"https://under_score.example.org/", "https://under_score.example.org"},
}

func TestCanonicalTable(t *testing.T) {
	for _, c := range canonicalTable {
		if got, err := DefaultRules().Canonical(c.raw); got != c.want || err != nil {
			t.Errorf("Canonical(%q) = %q, %v; want %q", c.raw, got, err, c.want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for raw, want := range map[string]Error{
		"":                          ErrBad,
		"example.org/a":             ErrBad,
		"//example.org/a":           ErrBad,
		"http://":                   ErrBad,
		"http:///":                  ErrBad,
		"http://./":                 ErrBad,
		"http://a..b/":              ErrBad,
		"http://{{host}}/":          ErrBad,
		"http://a b/":               ErrBad,
		"http://example.org:99999/": ErrBad,
		"http://example.org:8x/":    ErrBad,
		"http://[::1/":              ErrBad,
		"http://xn--a/":             ErrBad,
		"ftp://example.org/":        ErrScheme,
		"dns:example.org":           ErrScheme,
		"javascript:void(0)":        ErrJavaScript,
		"http://e.org/" + strings.Repeat("a", MaxURL-14):  "",
		"http://e.org/" + strings.Repeat("a", MaxURL-13):  ErrTooLong,
		"http://e.org/" + strings.Repeat("a", 100<<10):    ErrTooLong,
		"http://e.org/" + "ä" + strings.Repeat("a", 2020): "",
		"http://e.org/" + strings.Repeat("a", 2030) + "ä": ErrTooLong,
	} {
		_, err := DefaultRules().Canonical(raw)
		var got Error
		errors.As(err, &got)
		if got != want {
			t.Errorf("Canonical(%.60q) gives %q, want %q", raw, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	base, err := Base("http://www.example.org/a/b.html?q=1#f", "")
	if err != nil {
		t.Fatal(err)
	}
	for href, want := range map[string]string{
		"":                                    "https://example.org/a/b.html?q=1",
		"#top":                                "https://example.org/a/b.html?q=1",
		"?x=2":                                "https://example.org/a/b.html?x=2",
		"c.html":                              "https://example.org/a/c.html",
		" ../c.html ":                         "https://example.org/c.html",
		"../../../c/":                         "https://example.org/c",
		"/x/index.html":                       "https://example.org/x",
		"//other.org/x":                       "https://other.org/x",
		`\\other.org\x`:                       "https://other.org/x",
		"https://other.org/x":                 "https://other.org/x",
		"HTTPS://other.org/x":                 "https://other.org/x",
		"http:c.html":                         "https://example.org/a/c.html",
		"http:/c.html":                        "https://example.org/c.html",
		"http:":                               "https://example.org/a/b.html?q=1",
		"https:other.org/x":                   "https://other.org/x",
		`http:\\other.org\x`:                  "https://other.org/x",
		"./c d.html":                          "https://example.org/a/c%20d.html",
		"c:d":                                 string(ErrScheme),
		"javascript:void(0)":                  string(ErrJavaScript),
		"JavaScript:void(0)":                  string(ErrJavaScript),
		"java\nscript:void(0)":                string(ErrJavaScript),
		"mailto:a@example.org":                string(ErrMailTo),
		"tel:123":                             string(ErrMailTo),
		"data:text/html,x":                    string(ErrData),
		"data:" + strings.Repeat("a", 100000): string(ErrData),
		"ftp://example.org/":                  string(ErrScheme),
		"/" + strings.Repeat("a", 100000):     string(ErrTooLong),
		"http://":                             string(ErrBad),
		"http://a b.example.org/":             string(ErrBad),
	} {
		got, err := DefaultRules().Resolve(base, href)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Resolve(%.60q) = %q; want %q", href, got, want)
		}
	}
	if _, err := DefaultRules().Resolve(nil, "c.html"); !errors.Is(err, ErrBad) {
		t.Errorf("no base: %v", err)
	}
}

func TestBase(t *testing.T) {
	for _, c := range []struct{ page, href, want string }{
		{"http://e.org/a/b", "", "http://e.org/a/b"},
		{"http://e.org/a/b", "/c/", "http://e.org/c/"},
		{"http://e.org/a/b", "http://f.org", "http://f.org/"},
		{"http://e.org/a/b", "javascript:x", "http://e.org/a/b"},
		{"http://e.org/a b/%zz", "", "http://e.org/a%20b/%zz"},
	} {
		u, err := Base(c.page, c.href)
		if err != nil {
			t.Errorf("Base(%q, %q): %v", c.page, c.href, err)
			continue
		}
		got, _ := DefaultRules().Resolve(u, "x")
		want, _ := DefaultRules().Canonical(c.want[:strings.LastIndex(c.want, "/")] + "/x")
		if got != want {
			t.Errorf("Base(%q, %q): x resolves to %q, want %q", c.page, c.href, got, want)
		}
	}
}

func TestRulesSwitchedOff(t *testing.T) {
	for _, c := range []struct{ off, raw, want string }{
		{"-www", "http://www.example.org/", "https://www.example.org"},
		{"-scheme", "http://example.org:80/", "http://example.org"},
		{"-scheme", "https://example.org:443/", "https://example.org"},
		{"-slash", "http://example.org/a/", "https://example.org/a/"},
		{"-slash", "http://example.org", "https://example.org/"},
		{"-tracking", "http://example.org/?utm_id=a", "https://example.org?utm_id=a"},
		{"-ref", "http://example.org/?ref=rss", "https://example.org?ref=rss"},
		{"-session", "http://example.org/a;jsessionid=1?sid=", "https://example.org/a;jsessionid=1?sid="},
		{"-fragment", "http://example.org/#A b", "https://example.org#A%20b"},
		{"-userinfo", "http://u:p@example.org/", "https://u:p@example.org"},
		{"-codehost", "http://github.com/A.git", "https://github.com/A.git"},
		{"-index", "http://e.org/index.html", "https://e.org/index.html"},
		{"-query", "http://e.org/?&", "https://e.org?&"},
		{"-percent", "http://e.org/%7e%zz", "https://e.org/%7e%zz"},
	} {
		r, err := ParseRules(c.off)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Canonical(c.raw); got != c.want || err != nil {
			t.Errorf("%s: Canonical(%q) = %q, %v; want %q", c.off, c.raw, got, err, c.want)
		}
	}
	if _, err := ParseRules("-nonsense"); err == nil {
		t.Error("unknown rule accepted")
	}
	if r, _ := ParseRules("-www", "-slash", "+www"); r.off != 1<<ruleIndex("slash") {
		t.Errorf("rules switched off: %b", r.off)
	}
}

// urlPieces are the fragments of test URLs. Random bytes would seldom match a rule.
var urlPieces = []string{"http", "https", "HTTPS", ":", "/", "//", `\`, "www.", "example", ".", "..", "org", "github.com", "ÄÖ", "xn--",
	"bcher-kva", "@", ":80", ":443", ":8080", "index.html", "default.php", ".git", "/./", "/../", "%2e", "%2E", "%", "%4", "1", "%7e", "%2f",
	"%C3%A4", "?", "&", "=", "utm_a", "ref", "#", ";jsessionid=", ";", "(S(lit3py55t21z5v55vlm25s55))", "sid=0123456789abcdef0123456789abcdef", "cfid", "cftoken=", "/-/", " ", "\t", "\n", "a", "B", "[", "]", "::1", "%25", "www", "。", "ß", "\x00", "\xff", "I", "\u00ad"}

func drawURL(t *rapid.T) string {
	head := rapid.SampledFrom([]string{"http://", "https://", "https://www.", "https://github.com/", "https://example.org/", ""}).Draw(t, "head")
	return head + strings.Join(rapid.SliceOfN(rapid.SampledFrom(urlPieces), 0, 12).Draw(t, "pieces"), "")
}

func TestCanonicalLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawURL(t)
		checkCanonical(t, &Rules{}, raw)
		checkCanonical(t, &Rules{off: rapid.Uint32Range(0, 1<<len(ruleList)-1).Draw(t, "off")}, raw)
	})
}

// checkCanonical checks the laws of Canonical: the result is a fixed point,
// short, and printable ASCII.
func checkCanonical(t interface{ Fatalf(string, ...any) }, r *Rules, raw string) {
	c, err := r.Canonical(raw)
	if err != nil {
		var reason Error
		if !errors.As(err, &reason) || c != "" {
			t.Fatalf("Canonical(%q) = %q, %v: not a urlError", raw, c, err)
		}
		return
	}
	if again, err := r.Canonical(c); again != c || err != nil {
		t.Fatalf("%v: Canonical(%q) = %q, whose canonical form is %q, %v", r, raw, c, again, err)
	}
	if len(c) > MaxURL || !ascii.Is(c) || strings.ContainsAny(c, " \t\r\n\"<>\\") || Host(c) == "" {
		t.Fatalf("Canonical(%q) = %q, host %q", raw, c, Host(c))
	}
	SURT(c)
}

func FuzzCanonical(f *testing.F) {
	for _, c := range canonicalTable {
		f.Add(c.raw, uint32(0))
	}
	f.Fuzz(func(t *testing.T, raw string, off uint32) {
		checkCanonical(t, &Rules{off: off % (1 << len(ruleList))}, raw)
		if base, err := Base("http://example.org/a/b?c", raw); err != nil {
			t.Fatalf("Base(%q): %v", raw, err)
		} else if c, err := DefaultRules().Resolve(base, raw); err == nil {
			checkCanonical(t, DefaultRules(), c)
		}
	})
}

func TestSURTAndHost(t *testing.T) {
	for _, c := range []struct{ url, host, surt string }{
		{"https://example.org", "example.org", "org,example)/"},
		{"https://docs.example.org/A?b=2&a=1", "docs.example.org", "org,example,docs)/a?a=1&b=2"},
		{"https://example.org:8080/a", "example.org", "org,example:8080)/a"},
		{"https://www2.example.org/a", "www2.example.org", "org,example)/a"},
		{"https://127.0.0.1/a", "127.0.0.1", "127.0.0.1)/a"},
		{"https://[::1]:80/a", "[::1]", "[::1]:80)/a"},
		{"https://example.org?q", "example.org", "org,example)/?q"},
	} {
		if Host(c.url) != c.host || SURT(c.url) != c.surt {
			t.Errorf("%s: host %q, want %q; SURT %q, want %q", c.url, Host(c.url), c.host, SURT(c.url), c.surt)
		}
	}
}

// TestCanonicalGold compares Canonical with an independent implementation on all targets of the directory set. That one
// drops every ref, and lower-cases the whole path on code hosts.
func TestCanonicalGold(t *testing.T) {
	rows := goldRows(t)
	for _, row := range rows {
		got, err := DefaultRules().Canonical(row[0])
		same, _, _ := strings.Cut(got, "?ref=")
		if isCodeHost(Host(got)) {
			same = strings.ToLower(same)
		}
		if got != row[2] && same != row[2] || err != nil {
			t.Errorf("%s gives %q, %v; gold has %s", row[0], got, err, row[2])
		}
	}
	if len(rows) < 8900 {
		t.Errorf("only %d rows of gold", len(rows))
	}
}

func goldRows(t testing.TB) (rows [][]string) {
	f, err := os.Open(filepath.Join(shareddata.Dir(t, "directory"), "gold.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if row := strings.Split(sc.Text(), "\t"); len(row) >= 3 && !strings.HasPrefix(row[0], "#") {
			rows = append(rows, row)
		}
	}
	return rows
}
