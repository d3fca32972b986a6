package urls

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/lshclust/lshclust/internal/ascii"
)

// IsHostName distinguishes host names such as "www.postgresql.org", "example.org:8080", "bücher.example", "192.0.2.7"
// and "localhost" from names such as "v1.2": the top-level domain must exist or be reserved for use without a registry.
func IsHostName(name string) bool {
	name, port, _ := strings.Cut(strings.ToLower(name), ":")
	if _, err := strconv.ParseUint(port, 10, 16); err != nil && port != "" {
		return false
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.Is4() || name == "localhost" {
		return true
	}
	if !strings.Contains(name, ".") || strings.HasPrefix(name, ".") {
		return false
	}
	host, ok := asciiHost(name)
	if !ok || host != name && ascii.Is(name) {
		return false
	}
	switch host[strings.LastIndexByte(host, '.')+1:] {
	case "example", "test", "localhost", "local", "internal", "lan", "onion":
		return true
	}
	suffix, known := publicsuffix.PublicSuffix(host)
	return known || strings.Contains(suffix, ".")
}

func isCodeHost(host string) bool {
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		return true
	}
	return false
}

// trimCodeHost normalizes the name of a repository, in which case does not matter. In the rest of the path, the names of
// files, branches and pages, it does.
func trimCodeHost(p *parts) {
	if !isCodeHost(p.host) {
		return
	}
	repository, rest := p.path, ""
	if i := endOfRepository(p.host, p.path); i >= 0 {
		repository, rest = p.path[:i], p.path[i:]
	}
	repository = lowerPath(repository)
	name := strings.TrimSuffix(repository, ".git")
	if (rest == "" || rest == "/") && !strings.HasSuffix(name, "/.") && !strings.HasSuffix(name, "/..") {
		repository = name
	}
	p.path = repository + rest
}

// endOfRepository returns where the part of a path after the repository begins, or -1: after the two names of owner and
// repository, or at GitLab, whose groups have groups, at "/-/".
func endOfRepository(host, path string) int {
	if host == "gitlab.com" {
		return strings.Index(path, "/-/")
	}
	end := 0
	for range 3 {
		i := strings.IndexByte(path[end:], '/')
		if i < 0 {
			return -1
		}
		end += i + 1
	}
	return end - 1
}

// Place returns what counts as a site among others: the host of a canonical URL, and on a code host also the owner and the
// repository.
func Place(canonical string) string {
	host := Host(canonical)
	if !isCodeHost(host) {
		return host
	}
	_, path, _ := strings.Cut(canonical, "://")
	names := strings.SplitN(strings.TrimSuffix(path, "/"), "/", 4)
	return strings.Join(names[:min(3, len(names))], "/")
}

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
	path = cmp.Or(path, "/")
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
