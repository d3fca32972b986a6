package urls

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzResolve compares Resolve with net/url where net/url accepts the lenient forms, and checks that the result does
// not depend on white space and other details of how the link is written.
func FuzzResolve(f *testing.F) {
	for _, c := range []struct{ base, href string }{
		{"http://example.org/a/b?c=d", "../x"}, {"https://example.org", "?q=1"}, {"https://example.org/a/", "#top"}, {"https://example.org/a/b", "//other.example/x"},
		{"http://example.org/a/b/c/d?q=x/../y", "./../../.././g;x=1/../y"}, {"https://example.org:8080/%7Ea/", "b%2Fc"}, {"https://example.org/a:b/", "c:d"}, {"https://[::1]/a", `\x\..\y`},
		{"https:0", "//"}, {"https://example.org/a", "///x/y"}, {"https://example.org/a", "//?q"},
		{"https://example.org/a/b", ""}, {"https://example.org/a/b", "HTTP://EXAMPLE.org/./c"}, {"https://example.org/a/b", "mailto:x"},
	} {
		f.Add(c.base, c.href)
	}
	f.Fuzz(func(t *testing.T, page, href string) {
		base, err := Base(page, "")
		if err != nil {
			return
		}
		rules := DefaultRules()
		got, err := rules.Resolve(base, href)
		if err == nil {
			checkCanonical(t, rules, got)
		}
		if again, err2 := rules.Resolve(base, got); err == nil && (again != got || err2 != nil) {
			t.Fatalf("%q on %q leads to %q, and that to %q, %v", href, page, got, again, err2)
		}
		if spaced, err2 := rules.Resolve(base, " \n"+href+"\t "); spaced != got || err != err2 { //nolint:errorlint // bare errors
			t.Fatalf("%q on %q leads to %q, %v, and with space around it to %q, %v", href, page, got, err, spaced, err2)
		}
		if namesNoHost(href) && err == nil {
			t.Fatalf("%q on %q names no host and leads to %q", href, page, got)
		}
		if want, ok := byNetURL(base, href); ok && (want != got || err != nil) {
			t.Fatalf("%q on %q leads to %q, %v, by net/url to %q", href, page, got, err, want)
		}
	})
}

// namesNoHost reports whether a link such as // or ///?q has no host. Two or more slashes precede a host. If none
// follows, the link is not a URL by the URL standard of browsers, but net/url takes the host of the page.
func namesNoHost(href string) bool {
	rest := strings.TrimLeft(href, "/")
	return strings.HasPrefix(href, "//") && (rest == "" || rest[0] == '?' || rest[0] == '#')
}

// byNetURL returns what net/url makes of a link. ok is false where the two differ by design: non-ASCII characters, a
// scheme before a relative path, and links without a host. byNetURL removes all but two leading slashes, because
// browsers treat more of them as two.
func byNetURL(base *url.URL, href string) (string, bool) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?#&=+,;@!$'()*"
	odd := func(c rune) bool { return !strings.ContainsRune(plain, c) }
	if strings.ContainsFunc(href, odd) || namesNoHost(href) || strings.HasPrefix(href, "//") && strings.HasPrefix(strings.TrimLeft(href, "/"), "@") {
		return "", false
	}
	if strings.HasPrefix(href, "//") {
		href = "//" + strings.TrimLeft(href, "/")
	}
	u, err := url.Parse(href)
	if err != nil {
		return "", false
	}
	abs := base.ResolveReference(u)
	if abs.Host == "" {
		return "", false
	}
	c, err := DefaultRules().Canonical(abs.String())
	return c, err == nil
}
