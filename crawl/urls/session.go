package urls

import (
	"regexp"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

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
