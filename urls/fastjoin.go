package urls

import (
	"net/url"
	"strings"
)

// fastJoin joins a relative link to its base in simple cases: the link is clean, the base has no escapes in its path.
// It goes up the path for every ../ in front, so that fastCanonical sees no dots, and writes https for http. With all
// rules on the canonical form is the one of what absolute gives, which a fuzz test and real links hold it to. The error
// of a link that is refused is left to absolute.
func fastJoin(base *url.URL, href string) (abs string, ok bool) {
	if base == nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || len(href) > MaxURL {
		return "", false
	}
	if base.RawPath == "" || base.RawPath != base.Path || strings.IndexByte(base.RawPath, '%') >= 0 {
		return "", false
	}
	if !isClean(href) || Scheme(href) != "" {
		return "", false
	}
	const scheme = "https://"
	switch path := base.RawPath; {
	case href == "" || href[0] == '#':
		return withQuery(scheme+base.Host+path, base.RawQuery), true
	case href[0] == '?' || isSlash(href[0]) && len(href) > 1 && isSlash(href[1]):
		return "", false
	case isSlash(href[0]):
		return scheme + base.Host + href, true
	default:
		dir, rest, ok := goUp(path[:strings.LastIndexByte(path, '/')+1], href)
		return scheme + base.Host + dir + rest, ok && dir != ""
	}
}

// isClean reports whether a link has no white space and no control characters.
func isClean(href string) bool {
	for i := range len(href) {
		if href[i] <= ' ' {
			return false
		}
	}
	return true
}

// goUp takes every ./ and ../ in front off a link, and from the folder what they go up. It gives up where a folder that
// is left could be dots itself, or no folder.
func goUp(dir, href string) (string, string, bool) {
	for {
		if rest, ok := strings.CutPrefix(href, "./"); ok {
			href = rest
			continue
		}
		rest, up := strings.CutPrefix(href, "../")
		if !up {
			return dir, href, true
		}
		href = rest
		if len(dir) < 2 {
			continue // there is nothing above the root
		}
		above := dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
		if name := dir[len(above) : len(dir)-1]; name == "" || name[0] == '.' {
			return "", "", false
		}
		dir = above
	}
}
