package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/urls"
)

// Suggest returns, for each of some URLs that the run does not hold, at most n documents whose URLs are nearest to it: the
// same URL but for scheme, www, case or a slash at the end first, then URLs of the same host by the length of the path that
// they have in common, shorter ones first. It reads the URLs of all documents once, however many are asked for.
func (r *Run) Suggest(urls []string, n int) [][]string {
	wanted := map[string][]int{} // positions in urls, by host
	rests := make([]string, len(urls))
	for i, u := range urls {
		host, rest := r.hostAndRest(u)
		rests[i] = rest
		wanted[host] = append(wanted[host], i)
	}
	found := make([][]suggestion, len(urls))
	for id := range uint32(r.Len()) {
		url := r.docs.URL(id)
		host, rest := split(url)
		for _, i := range wanted[host] {
			s := suggestion{url, commonPrefix(rest, rests[i]), len(rest)}
			if s.common == len(rest) && s.common == len(rests[i]) {
				s.length = -1 // the same but for what split drops
			}
			at, _ := slices.BinarySearchFunc(found[i], s, suggestion.compare)
			if at < n {
				found[i] = slices.Insert(found[i], at, s)[:min(n, len(found[i])+1)]
			}
		}
	}
	out := make([][]string, len(urls))
	for i := range found {
		for _, s := range found[i] {
			out[i] = append(out[i], s.url)
		}
	}
	return out
}

type suggestion struct {
	url            string
	common, length int // bytes of the path and query in common, and in all
}

func (s suggestion) compare(t suggestion) int {
	return cmp.Or(cmp.Compare(t.common, s.common), cmp.Compare(s.length, t.length), strings.Compare(s.url, t.url))
}

// hostAndRest splits a URL as a person may have typed it.
func (r *Run) hostAndRest(url string) (host, rest string) {
	for _, u := range []string{url, "https://" + url} {
		if canonical, err := r.rules.Canonical(u); err == nil {
			return split(canonical)
		}
	}
	return split(url)
}

// split cuts a canonical URL into its host without www and what follows it, in lower case and without a slash at the end.
func split(url string) (host, rest string) {
	host = urls.Host(url)
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+len("://"):]
	}
	if i := strings.IndexByte(url, '/'); i >= 0 {
		rest = strings.ToLower(strings.TrimRight(url[i:], "/"))
	}
	return strings.TrimPrefix(strings.ToLower(host), "www."), rest
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
