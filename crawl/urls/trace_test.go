package urls

import (
	"testing"

	"pgregory.net/rapid"
)

func TestJoinedBy(t *testing.T) {
	for _, c := range []struct{ a, b, rule string }{
		{"https://example.org/a", "https://example.org/a", ""},
		{"https://example.org/a", "https://EXAMPLE.org/a", ""},
		{"https://example.org/a", "http://example.org/a", "scheme"},
		{"https://example.org/a", "https://www.example.org/a", "www"},
		{"https://example.org/a", "https://example.org/a/", "slash"},
		{"https://example.org/a/", "https://example.org/a/default.html", "index"},
		{"https://example.org/a", "https://example.org/a/default.html", "index"},
		{"https://example.org/#!a", "https://example.org/#!b", "fragment"},
		{"http://www.example.org/a/?ref=hn", "http://www.example.org/a/?ref=rss", "ref"},
		{"http://www.example.org/a/?ref=hn", "https://example.org/a", "ref"},
		{"http://www.example.org/a?utm_id=1&sid=0123456789abcdef0123456789abcdef", "http://www.example.org/a?utm_id=1", "session"},
		{"https://example.org/a?b=1&&", "https://example.org/a?b=1&", "query"},
		{"https://github.com/a/B", "https://github.com/a/b", "codehost"},
		{"id 7", "id 7", ""},
	} {
		r := DefaultRules()
		if got := r.Trace(c.a, "").JoinedBy(r.Trace(c.b, "")); got != c.rule {
			t.Errorf("%s and %s: joined by %q, want %q", c.a, c.b, got, c.rule)
		}
	}
}

// Of two different URLs with one canonical form, some rule joins them, in either order.
func TestJoinedByLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, r := drawURL(t), drawURL(t), DefaultRules()
		canonical, err := r.Canonical(a)
		other, err2 := r.Canonical(b)
		if err != nil || err2 != nil || canonical != other {
			b = canonical
		}
		if err != nil {
			return
		}
		other, _ = r.Canonical(b)
		x, y := r.Trace(a, canonical), r.Trace(b, other)
		if x != r.Trace(a, "") || y != r.Trace(b, "") {
			t.Fatalf("%q or %q has another trace beside its canonical form", a, b)
		}
		if seen := r.AsCrawled(a, ""); seen != canonical && seen != r.AsCrawled(a, canonical) {
			t.Fatalf("%q was crawled as %q, and beside its canonical form as %q", a, seen, r.AsCrawled(a, canonical))
		}
		if rule := x.JoinedBy(y); rule != y.JoinedBy(x) || (rule == "") != (x.Given == y.Given) {
			t.Fatalf("%q and %q are joined by %q, and in the other order by %q", a, b, rule, y.JoinedBy(x))
		}
	})
}
