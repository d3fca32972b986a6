package urls

import (
	"net/url"
	"strings"
)

// fastJoin joins a relative link to its base in the simple case: the link is clean, and the path of the base has no
// escapes. It goes up one folder for each leading ../, so that fastCanonical finds no dot segments, and it writes https
// for http. With all rules on, its result has the same canonical form as that of Absolute, which is verified by a fuzz
// test and on real links. If a link is invalid, fastJoin leaves the error to Absolute.
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

// goUp removes every leading ./ and ../ from a link, and one folder from dir for each ../. It gives up if a folder that
// it would remove is empty or begins with a dot.
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
