package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// Suggest returns, for each of some URLs that the run does not have, at most n documents with the nearest URLs. URLs
// that differ only in scheme, www, case or a trailing slash come first, then URLs of the same host by the length of
// the common prefix of their paths, shorter URLs first. Suggest reads the URLs of all documents once.
func (r *documents) Suggest(asked []string, n int) [][]string {
	wanted := map[string][]int{} // indexes of asked by host
	rests := make([]string, len(asked))
	for i, u := range asked {
		if canonical, err := r.Canonical(u); err == nil {
			u = canonical
		}
		host, rest := split(u)
		rests[i] = rest
		wanted[host] = append(wanted[host], i)
	}
	found := make([][]suggestion, len(asked))
	for id := range uint32(r.Len()) {
		url := r.docs.URL(id)
		those := wanted[strings.TrimPrefix(urls.Host(url), "www.")]
		if len(those) == 0 {
			continue
		}
		_, rest := split(url)
		for _, i := range those {
			s := suggestion{url, commonPrefix(rest, rests[i]), len(rest)}
			if s.common == len(rest) && s.common == len(rests[i]) {
				s.length = -1 // they differ only in what split removes
			}
			at, _ := slices.BinarySearchFunc(found[i], s, suggestion.compare)
			if at < n {
				found[i] = slices.Insert(found[i], at, s)[:min(n, len(found[i])+1)]
			}
		}
	}
	out := make([][]string, len(asked))
	for i := range found {
		for _, s := range found[i] {
			out[i] = append(out[i], s.url)
		}
	}
	return out
}

type suggestion struct {
	url            string
	common, length int // bytes of path and query: common ones, and all of url
}

func (s suggestion) compare(t suggestion) int {
	return cmp.Or(cmp.Compare(t.common, s.common), cmp.Compare(s.length, t.length), strings.Compare(s.url, t.url))
}

// split splits a canonical URL into its host without www, and the rest in lower case without a trailing slash.
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
