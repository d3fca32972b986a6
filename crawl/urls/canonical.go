package urls

import (
	"cmp"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/lshclust/lshclust/internal/ascii"
)

// parts holds the components of a URL. All of them except host are encoded.
type parts struct {
	scheme   string // "http" or "https"
	user     string // user:password
	host     string // lower-case ASCII, without port
	port     string
	path     string // begins with a slash
	query    string
	hasQuery bool
	fragment string // with its #
}

// Canonical returns the canonical form of an absolute http or https URL, which it parses as leniently as browsers do.
// The error is an [Error]. The result may share memory with raw. A canonical URL is its own canonical form.
func (r *Rules) Canonical(raw string) (string, error) {
	p, err := parse(clean(raw))
	if err != nil {
		return "", err
	}
	r.apply(&p)
	if p.host == "" {
		return "", ErrBad
	}
	c := p.String()
	if len(c) > MaxURL {
		return "", ErrTooLong
	}
	return c, nil
}

// AsCrawled returns an absolute http or https URL as it is, but encoded, without a user and a password, and without a
// session id and a fragment unless the rules keep them. It returns "" if that is the canonical form, which the caller
// gives, for others, and for a URL that is too long.
func (r *Rules) AsCrawled(raw, canonical string) string {
	if untouched(raw, canonical) && strings.IndexByte(raw, '@') < 0 {
		return ""
	}
	p, err := parse(clean(raw))
	p.user = ""
	for _, rule := range []string{"session", "fragment"} {
		r.applyOne(ruleIndex(rule), &p, nil)
	}
	if s := p.String(); err == nil && s != canonical && len(s) <= MaxURL {
		return s
	}
	return ""
}

// Resolve returns the canonical form of a link on a page. The error is one of ErrJavaScript, ErrMailTo, ErrData,
// ErrScheme, ErrTooLong and ErrBad.
func (r *Rules) Resolve(base *url.URL, href string) (string, error) {
	if strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://") {
		return r.Canonical(href)
	}
	abs, err := Absolute(base, href)
	if err != nil {
		return "", err
	}
	return r.Canonical(abs)
}

// Base returns the URL against which to resolve the links of a page. It resolves baseHref, the href of the first <base>
// element (empty if there is none), against the URL of the page.
func Base(pageURL, baseHref string) (*url.URL, error) {
	abs := clean(pageURL)
	if clean(baseHref) != "" {
		page, err := Base(pageURL, "")
		if err != nil {
			return nil, err
		}
		if joined, err := Absolute(page, baseHref); err == nil {
			if _, err := parse(joined); err == nil { // browsers ignore a <base> that is not an http URL
				abs = joined
			}
		}
	}
	p, err := parse(abs)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: p.scheme, Host: p.authority(), Path: unescape(p.path), RawPath: p.path, RawQuery: p.query}, nil
}

// Absolute joins a link to its base as text. It leaves dot segments to the rules.
func Absolute(base *url.URL, href string) (string, error) {
	href = clean(href)
	if len(href) > 8*MaxURL {
		if s := Scheme(href); s != "" && s != "http" && s != "https" {
			return "", schemeReason(s)
		}
		return "", ErrTooLong
	}
	switch s := Scheme(href); s {
	case "":
	case "http", "https":
		path := href[len(s)+1:]
		if base == nil || s != base.Scheme || len(path) > 1 && isSlash(path[0]) && isSlash(path[1]) {
			return href, nil
		}
		href = path // "http:x" is "x" on a page of that scheme: the URL standard, section 4.4
	default:
		return "", schemeReason(s)
	}
	if base == nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return "", ErrBad
	}
	site := base.Scheme + "://" + base.Host
	path := base.EscapedPath()
	switch {
	case href == "" || href[0] == '#':
		return withQuery(site+path, base.RawQuery), nil
	case href[0] == '?':
		return site + path + href, nil
	case isSlash(href[0]) && len(href) > 1 && isSlash(href[1]):
		return base.Scheme + ":" + href, nil
	case isSlash(href[0]):
		return site + href, nil
	}
	return site + cmp.Or(path[:strings.LastIndexByte(path, '/')+1], "/") + href, nil
}

func withQuery(s, query string) string {
	if query == "" {
		return s
	}
	return s + "?" + query
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// Scheme returns the scheme of a cleaned link in lower case. It is empty for a relative link.
func Scheme(s string) string {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			return ascii.Lower(s[:i])
		default:
			return ""
		}
	}
	return ""
}

func schemeReason(scheme string) Error {
	switch scheme {
	case "javascript", "vbscript":
		return ErrJavaScript
	case "mailto", "tel", "sms", "callto":
		return ErrMailTo
	case "data", "blob", "about":
		return ErrData
	}
	return ErrScheme
}

// String joins the components to a URL.
func (p *parts) String() string {
	var b strings.Builder
	b.Grow(len(p.scheme) + len(p.user) + len(p.host) + len(p.port) + len(p.path) + len(p.query) + len(p.fragment) + 6)
	b.WriteString(p.scheme)
	b.WriteString("://")
	if p.user != "" {
		b.WriteString(p.user)
		b.WriteByte('@')
	}
	b.WriteString(p.authority())
	b.WriteString(p.path)
	if p.hasQuery {
		b.WriteByte('?')
		b.WriteString(p.query)
	}
	b.WriteString(p.fragment)
	return b.String()
}

func (p *parts) authority() string {
	if p.port == "" {
		return p.host
	}
	return p.host + ":" + p.port
}

// clean trims white space and control characters, and removes tabs and line endings within s, as browsers do.
func clean(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\r\n") {
		s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	}
	return s
}

// parse splits a cleaned absolute URL into its components and encodes them if necessary. The error is an [Error].
func parse(s string) (parts, error) {
	var p parts
	p.scheme = Scheme(s)
	switch {
	case p.scheme == "":
		return p, ErrBad
	case p.scheme != "http" && p.scheme != "https":
		return p, schemeReason(p.scheme)
	case len(s) > 8*MaxURL:
		return p, ErrTooLong
	}
	s = s[len(p.scheme)+1:]
	s, p.fragment = cutBefore(s, '#')
	p.fragment = encode(p.fragment)
	s, p.query, p.hasQuery = strings.Cut(s, "?")
	p.query = encode(p.query)
	if strings.IndexByte(s, '\\') >= 0 {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	authority, path := cutBefore(strings.TrimLeft(s, "/"), '/')
	p.path = encode(path)
	if path == "" {
		p.path = "/"
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		p.user, authority = encode(authority[:i]), authority[i+1:]
	}
	return p, p.setHost(authority)
}

// cutBefore cuts s before the first c, which becomes the start of the second part.
func cutBefore(s string, c byte) (before, after string) {
	if i := strings.IndexByte(s, c); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func (p *parts) setHost(authority string) error {
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i+1:]
	}
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || !ascii.IsDigits(port) {
			return ErrBad
		}
		p.port = strconv.FormatUint(n, 10)
	}
	host, ok := asciiHost(host)
	if !ok {
		return ErrBad
	}
	p.host = host
	return nil
}

var profile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false))

// asciiHost converts a host to lower-case ASCII. It rejects anything that is not a host name, such as templates, spaces
// and empty labels.
func asciiHost(host string) (string, bool) {
	if strings.HasPrefix(host, "[") {
		return bracketHost(host)
	}
	if strings.IndexByte(host, '%') >= 0 {
		host = unescape(host)
	}
	host = ascii.Lower(host)
	if !ascii.Is(host) || strings.Contains(host, "xn--") {
		name, ok := punycode(host)
		if !ok {
			return "", false
		}
		host = name
	}
	name := strings.TrimRight(host, ".")
	if name == "" || len(name) > 253 || name[0] == '.' || strings.Contains(name, "..") {
		return "", false
	}
	for i := range len(name) {
		if class[name[i]]&hostByte == 0 {
			return "", false
		}
	}
	return host, true
}

// punycode converts a host to punycode. It rejects the few names whose punycode form is not a fixed point, and invalid
// UTF-8.
func punycode(host string) (string, bool) {
	a, err := profile.ToASCII(host)
	if err != nil || !utf8.ValidString(host) {
		return "", false
	}
	again, err := profile.ToASCII(a)
	return a, err == nil && again == a
}

func bracketHost(host string) (string, bool) {
	if !strings.HasSuffix(host, "]") {
		return "", false
	}
	addr, err := netip.ParseAddr(host[1 : len(host)-1])
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return "", false
	}
	return "[" + addr.String() + "]", true
}
