package urls

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Host returns the host of a canonical URL, without its port.
func Host(canonical string) string {
	h, _, _ := splitHost(canonical)
	return h
}

// Cut cuts a canonical URL into the host with its port, and the path with its query, without the first slash.
func Cut(canonical string) (host, path string) {
	if _, rest, ok := strings.Cut(canonical, "://"); ok {
		canonical = rest
	}
	at := strings.IndexAny(canonical+"/", "/?")
	return canonical[:at], strings.TrimPrefix(canonical[at:], "/")
}

// splitHost splits a canonical URL into the host, the port with its colon, and the rest.
func splitHost(canonical string) (host, port, rest string) {
	_, s, _ := strings.Cut(canonical, "://")
	host = s
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		host, rest = s[:i], s[i:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i:]
	}
	return host, port, rest
}

// SURT returns the key that Common Crawl's index calls url_surtkey: the host reversed, then the path and the sorted
// query in lower case. For https://docs.Example.org/A?b=2&a=1, it is org,example,docs)/a?a=1&b=2. Unlike Common Crawl,
// SURT keeps session ids.
func SURT(canonical string) string {
	host, port, rest := splitHost(canonical)
	rest, _ = cutBefore(rest, '#')
	path, query, _ := strings.Cut(rest, "?")
	if path == "" {
		path = "/"
	}
	var b strings.Builder
	b.Grow(len(canonical) + 4)
	b.WriteString(reverseHost(host))
	b.WriteString(port)
	b.WriteByte(')')
	b.WriteString(ascii.Lower(path))
	if query != "" {
		params := strings.Split(ascii.Lower(query), "&")
		slices.Sort(params)
		b.WriteByte('?')
		b.WriteString(strings.Join(params, "&"))
	}
	return b.String()
}

// reverseHost returns org,example for example.org. It drops www. and www2., and returns IP addresses unchanged.
func reverseHost(host string) string {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return host
	}
	labels := strings.Split(host, ".")
	if len(labels) > 2 && strings.HasPrefix(labels[0], "www") && (labels[0] == "www" || ascii.IsDigits(labels[0][3:])) {
		labels = labels[1:]
	}
	slices.Reverse(labels)
	return strings.Join(labels, ",")
}
