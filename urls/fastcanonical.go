package urls

import (
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

// fastCanonical handles the URLs that most links are: scheme and host in lower case, nothing escaped, no dot segments.
// It returns false for anything else. Its result is that of slowCanonical with all rules on, as a fuzz test checks.
// Without it a link costs several times as much.
func fastCanonical(raw string) (string, bool) {
	start := len("https://")
	if !strings.HasPrefix(raw, "https://") {
		if start = len("http://"); !strings.HasPrefix(raw, "http://") {
			return "", false
		}
	}
	hostEnd, ok := fastHost(raw, start)
	if !ok {
		return "", false
	}
	pathEnd, ok := fastPath(raw, hostEnd)
	if !ok {
		return "", false
	}
	queryEnd, ok := fastQuery(raw, pathEnd)
	if !ok || len(raw) > MaxURL {
		return "", false
	}
	host, query := withoutWWW(raw[start:hostEnd]), raw[pathEnd:queryEnd]
	path, ok := fastTail(host, raw[hostEnd:pathEnd])
	if !ok {
		return "", false
	}
	if raw[4] == 's' && len(host) == hostEnd-start && (query == "" || len(path) == pathEnd-hostEnd) {
		return raw[:hostEnd+len(path)+len(query)], true // only the end was cut
	}
	return "https://" + host + path + query, true
}

// fastHost finds the end of a host that needs no work but www.
func fastHost(raw string, start int) (end int, ok bool) {
	dot := true // the byte before is a dot or the start
	for end = start; end < len(raw); end++ {
		c := raw[end]
		if class[c]&hostByte == 0 {
			break
		}
		if c == '.' && dot {
			return 0, false
		}
		dot = c == '.'
	}
	if dot || end-start > 253 || end < len(raw) && raw[end] != '/' && raw[end] != '?' && raw[end] != '#' {
		return 0, false
	}
	return end, !strings.Contains(raw[start:end], "xn--")
}

// fastPath finds the end of a path without escapes, dot segments and double slashes.
func fastPath(raw string, start int) (end int, ok bool) {
	slash := false
	for end = start; end < len(raw); end++ {
		c := raw[end]
		if class[c]&pathByte == 0 {
			return end, c == '?' || c == '#'
		}
		if slash && (c == '/' || c == '.') {
			return 0, false
		}
		slash = c == '/'
	}
	return end, true
}

// fastQuery finds the end of a query from which nothing is dropped. raw[start:] begins with ? or # or is empty.
func fastQuery(raw string, start int) (end int, ok bool) {
	if start == len(raw) || raw[start] == '#' {
		return start, true
	}
	param := start + 1
	for end = param; end < len(raw) && raw[end] != '#'; end++ {
		c := raw[end]
		if class[c]&queryByte == 0 {
			return 0, false
		}
		if c == '&' {
			if end == param || isTracking(raw[param:end]) {
				return 0, false
			}
			param = end + 1
		}
	}
	if end == param || isTracking(raw[param:end]) {
		return 0, false
	}
	return end, true
}

// fastTail applies the rules on the end of the path.
func fastTail(host, path string) (string, bool) {
	path = strings.TrimRight(path, "/")
	i := strings.LastIndexByte(path, '/')
	if isIndexName(path[i+1:]) {
		if path = path[:i]; isIndexName(path[strings.LastIndexByte(path, '/')+1:]) {
			return "", false
		}
	}
	if isCodeHost(host) && (ascii.HasUpper(path) || strings.HasSuffix(path, ".git")) {
		return "", false
	}
	return path, true
}
