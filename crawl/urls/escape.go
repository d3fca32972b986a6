package urls

import (
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

// The classes of bytes in URLs.
const (
	hostByte   = 1 << iota // in a host that needs no conversion: a-z 0-9 - . _
	pathByte               // allowed unescaped in a path
	queryByte              // allowed unescaped in a query
	unreserved             // does not need an escape (RFC 3986)
)

var class = func() (t [256]uint8) {
	set := func(bytes string, c uint8) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	set(lower+digits+"-._", hostByte)
	set(upper+lower+digits+"-._~", unreserved|pathByte|queryByte)
	set("!$&'()*+,;=:@/[]", pathByte|queryByte)
	set("?", queryByte)
	return t
}()

const hexDigits = "0123456789ABCDEF"

// encode escapes the bytes that are not allowed in a URL. It keeps percent signs and reserved characters.
func encode(s string) string {
	n := 0
	for i := range len(s) {
		if mustEncode(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*n)
	for i := range len(s) {
		if c := s[i]; mustEncode(c) {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

func mustEncode(c byte) bool {
	return class[c]&queryByte == 0 && c != '%' && c != '#'
}

// unescape decodes every valid escape.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c, ok := escape(s, i); ok {
			b = append(b, c)
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// escape decodes the escape at s[i:].
func escape(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	hi, lo := ascii.Unhex(s[i+1]), ascii.Unhex(s[i+2])
	return hi<<4 | lo, hi < 16 && lo < 16
}

func normalisePercent(p *parts) {
	p.path, p.query, p.fragment = normalEscapes(p.path), normalEscapes(p.query), normalEscapes(p.fragment)
}

// normalEscapes writes escapes in upper case and decodes those of unreserved characters. It escapes a percent sign that
// does not begin an escape, so that decoding cannot create an escape.
func normalEscapes(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		c, ok := escape(s, i)
		switch {
		case ok && class[c]&unreserved != 0:
			b = append(b, c)
			i += 2
		case ok:
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
			i += 2
		case s[i] == '%':
			b = append(b, "%25"...)
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// lowerPath converts the letters of a path to lower case and keeps its escapes.
func lowerPath(s string) string {
	if !ascii.HasUpper(s) {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); i++ {
		if _, ok := escape(s, i); ok {
			i += 2
		} else if ascii.IsUpper(b[i]) {
			b[i] |= 0x20
		}
	}
	return string(b)
}

// resolveDots removes the segments . and .. as specified in RFC 3986, section 5.2.4.
func resolveDots(p *parts) {
	if !strings.Contains(p.path, "/.") {
		return
	}
	b := make([]byte, 0, len(p.path))
	for rest := p.path; rest != ""; {
		segment := rest
		if i := strings.IndexByte(rest[1:], '/'); i >= 0 {
			segment = rest[:i+1]
		}
		rest = rest[len(segment):]
		switch segment {
		case "/.":
		case "/..":
			b = b[:max(0, strings.LastIndexByte(string(b), '/'))]
		default:
			b = append(b, segment...)
			continue
		}
		if rest == "" {
			b = append(b, '/')
		}
	}
	if p.path = string(b); p.path == "" {
		p.path = "/"
	}
}

func collapseSlashes(p *parts) {
	if !strings.Contains(p.path, "//") {
		return
	}
	b := make([]byte, 0, len(p.path))
	for i := range len(p.path) {
		if p.path[i] != '/' || i == 0 || p.path[i-1] != '/' {
			b = append(b, p.path[i])
		}
	}
	p.path = string(b)
}
