package urls

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

func dropEmpty(p *parts) {
	p.query = filterQuery(p.query, func(param string) bool { return param != "" })
	p.hasQuery = p.query != ""
}

func dropTracking(p *parts) {
	p.query = filterQuery(p.query, func(param string) bool { return !isTracking(param) })
}

// dropRef drops ref where it says where a visitor came from. Shops and repositories use the same name for what the page
// is about.
func dropRef(p *parts) {
	p.query = filterQuery(p.query, func(param string) bool {
		name, value, _ := strings.Cut(param, "=")
		return len(name) != len("ref") || ascii.Lower(name) != "ref" || !isReferrer(ascii.Lower(unescape(value)))
	})
}

// isReferrer reports whether a value names where visitors come from: a host or a URL, or usual words.
func isReferrer(value string) bool {
	if _, rest, ok := strings.Cut(value, "://"); ok {
		value = rest
	}
	host, _ := cutBefore(value, '/')
	if IsHostName(host) {
		return true
	}
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "rss", "feed", "atom", "newsletter", "email", "mail", "share", "sharing", "social", "homepage", "navbar", "footer", "sidebar",
			"facebook", "fb", "twitter", "linkedin", "instagram", "pinterest", "reddit", "youtube", "whatsapp", "telegram", "mastodon", "bluesky", "tiktok",
			"google", "bing", "yahoo", "duckduckgo", "yandex", "baidu", "producthunt", "hackernews", "hn", "ph":
		default:
			return false
		}
	}
	return true
}

// filterQuery returns the parameters that keep accepts, in order.
func filterQuery(q string, keep func(param string) bool) string {
	if q == "" {
		return q
	}
	clean := true
	for param := range strings.SplitSeq(q, "&") {
		clean = clean && keep(param)
	}
	if clean {
		return q
	}
	return strings.Join(slices.DeleteFunc(strings.Split(q, "&"), func(param string) bool { return !keep(param) }), "&")
}

// Ordered returns a canonical URL with its parameters in the order of their bytes. ok is false if it has fewer than two.
func Ordered(canonical string) (ordered string, ok bool) {
	before, query, _ := strings.Cut(canonical, "?")
	params := strings.Split(query, "&")
	slices.Sort(params)
	return before + "?" + strings.Join(params, "&"), len(params) > 1
}

// isTracking reports whether the name in a parameter "name=value" is known to identify where a visitor came from.
func isTracking(param string) bool {
	name, _, _ := strings.Cut(param, "=")
	if len(name) < 2 || len(name) > 64 {
		return false
	}
	name = ascii.Lower(name)
	switch name {
	case "ref_src", "ref_url", "fbclid", "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "msclkid", "yclid", "twclid",
		"ttclid", "li_fat_id", "mc_cid", "mc_eid", "igshid", "igsh", "_ga", "_gl", "_hsenc", "_hsmi", "__hssc", "__hstc",
		"__hsfp", "hsctatracking", "mkt_tok", "vero_id", "oly_enc_id", "oly_anon_id", "wt.mc_id", "ck_subscriber_id":
		return true
	case "utm_x", "utm_y", "utm_z", "utm_e", "utm_n", "utm_zone", "utm_band", "utm_east", "utm_north", "utm_easting", "utm_northing",
		"utm_hemisphere", "utm_ref", "utm_grid", "utm_coords", "utm_coordinates": // Universal Transverse Mercator: a place on the earth
		return false
	}
	return strings.HasPrefix(name, "utm_")
}

// dropSession drops session ids, which servers put into URLs for visitors without cookies.
func dropSession(p *parts) {
	p.path, p.query = withoutJavaSession(p.path), withoutJavaSession(p.query)
	if strings.Contains(p.path, "/(") {
		if p.path = aspSession.ReplaceAllString(p.path, "$2"); p.path == "" {
			p.path = "/"
		}
	}
	if p.query == "" {
		return
	}
	coldFusion := strings.Contains(ascii.Lower(p.query), "cftoken=")
	p.query = filterQuery(p.query, func(param string) bool {
		name, value, _ := strings.Cut(param, "=")
		return !isSession(name, value, coldFusion)
	})
}

var (
	// javaSession is the path parameter of Java servers.
	javaSession = regexp.MustCompile(`(?i);jsessionid=[^;/?&]*`)
	// aspSession is the path segment of ASP.NET, such as /(S(lit3py55t21z5v55vlm25s55)).
	aspSession = regexp.MustCompile(`(?i)(/\((?:[AFX]\([^/()]*\))*S\([a-z0-9]{24}\)(?:[AFX]\([^/()]*\))*\))+($|/)`)
)

func withoutJavaSession(s string) string {
	if strings.IndexByte(s, ';') < 0 {
		return s
	}
	return javaSession.ReplaceAllString(s, "")
}

// isSession reports whether a parameter is a session id. Names that mean other things too need a value that looks like
// one. coldFusion says that the query has a cftoken.
func isSession(name, value string, coldFusion bool) bool {
	if len(name) > 40 {
		return false
	}
	switch name = ascii.Lower(name); name {
	case "jsessionid", "phpsessid", "oscsid", "zenid", "cftoken":
		return true
	case "cfid":
		return coldFusion
	case "sid", "s", "sessid", "sessionid", "session_id":
		return (len(value) == 32 || len(value) == 40) && strings.Trim(value, "0123456789abcdefABCDEF") == ""
	}
	return strings.HasPrefix(name, "aspsessionid")
}
