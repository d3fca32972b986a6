package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// Suggest returns, for each of some URLs that the run does not hold, at most n documents with the nearest URLs. First
// come URLs that differ only in scheme, www, case or a slash at the end, then URLs of the same host by the length of
// the common prefix of their paths, shorter URLs first. Suggest reads the URLs of all documents once.
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
		if len(wanted) <= fewHosts && noneIn(url, wanted) {
			continue
		}
		host, rest := split(url)
		for _, i := range wanted[host] {
			s := suggestion{url, commonPrefix(rest, rests[i]), len(rest)}
			if s.common == len(rest) && s.common == len(rests[i]) {
				s.length = -1 // they differ only in what split drops
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

// fewHosts is the number of hosts up to which it is faster to look for each in a URL than to split the URL.
const fewHosts = 4

// noneIn reports whether a canonical URL has none of some hosts, because it does not hold their names.
func noneIn(url string, hosts map[string][]int) bool {
	if !strings.HasPrefix(url, "http") { // a name may be in capitals
		return false
	}
	for h := range hosts {
		if strings.Contains(url, h) {
			return false
		}
	}
	return true
}

type suggestion struct {
	url            string
	common, length int // bytes of path and query: in common, and of url
}

func (s suggestion) compare(t suggestion) int {
	return cmp.Or(cmp.Compare(t.common, s.common), cmp.Compare(s.length, t.length), strings.Compare(s.url, t.url))
}

// hostAndRest splits a URL that a person may have typed.
func (r *Run) hostAndRest(url string) (host, rest string) {
	for _, u := range []string{url, "https://" + url} {
		if canonical, err := r.rules.Canonical(u); err == nil {
			return split(canonical)
		}
	}
	return split(url)
}

// split splits a canonical URL into its host without www and the rest in lower case without a slash at the end.
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
