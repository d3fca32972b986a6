package runs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/sets"
)

// Suggest returns, for each of some URLs that the run does not have, at most n documents with the nearest URLs. URLs
// that differ only in scheme, www, case or a trailing slash come first, then URLs of the same host by how much of the
// beginnings and ends of their paths is common, shorter URLs first. If the run has no document of the host, it returns those
// of hosts that differ by one typo. Suggest reads the URLs of all documents once, or twice to find such hosts.
func Suggest(r *Run, asked []string, n int) [][]string {
	wanted := map[string][]int{} // indexes of asked by host
	rests := make([]string, len(asked))
	for i, u := range asked {
		if canonical, err := r.Canonical(u); err == nil {
			u = canonical
		}
		host, rest := Split(u)
		rests[i] = rest
		wanted[host] = append(wanted[host], i)
	}
	found := make([][]suggestion, len(asked))
	suggest(r, found, n, rests, func(host string) []int { return wanted[host] })
	maps.DeleteFunc(wanted, func(_ string, of []int) bool { return len(found[of[0]]) > 0 })
	if len(wanted) > 0 && len(wanted) <= mostMisspelt {
		like := map[string][]int{} // indexes of asked by host of a document
		suggest(r, found, n, rests, func(host string) []int {
			of, ok := like[host]
			if !ok {
				for misspelt, these := range wanted {
					if oneTypo(misspelt, host) {
						of = append(of, these...)
					}
				}
				like[host] = of
			}
			return of
		})
	}
	out := make([][]string, len(asked))
	for i := range found {
		for _, s := range found[i] {
			out[i] = append(out[i], s.url)
		}
	}
	return out
}

// mostMisspelt is the maximum number of unknown hosts for which others like them are looked for.
const mostMisspelt = 10

// suggest adds documents to the n nearest of each URL. wanted returns the indexes of the URLs for which documents of a host
// are wanted, and rests are their paths.
func suggest(r *Run, found [][]suggestion, n int, rests []string, wanted func(host string) []int) {
	for id := range uint32(r.Len()) {
		url := r.Docs.URL(id)
		those := wanted(strings.TrimPrefix(urls.Host(url), "www."))
		if len(those) == 0 {
			continue
		}
		_, rest := Split(url)
		for _, i := range those {
			s := suggestion{url: url, length: len(rest)}
			s.begin, s.common = commonEnds(rest, rests[i])
			if s.common == len(rest) && s.common == len(rests[i]) {
				s.length = -1 // they differ only in what split removes
			}
			found[i] = sets.Insert(found[i], s, n, suggestion.compare)
		}
	}
}

// oneTypo reports whether two different texts differ by one byte that is missing, added, or another one, or by two
// neighbours that are swapped.
func oneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	at, _ := commonEnds(a, b)
	a, b = a[at:], b[at:]
	switch {
	case b == "" || len(b) > len(a)+1:
		return false
	case len(b) > len(a):
		return a == b[1:]
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

type suggestion struct {
	url                   string
	common, begin, length int // bytes of path and query: common ones, those of them at the beginning, and all of url
}

func (s suggestion) compare(t suggestion) int {
	return cmp.Or(t.common-s.common, t.begin-s.begin, s.length-t.length, strings.Compare(s.url, t.url))
}

// Split splits a canonical URL into its host without www, and the rest in lower case without a trailing slash.
func Split(url string) (host, rest string) {
	_, path := urls.Cut(url)
	return strings.TrimPrefix(strings.ToLower(urls.Host(url)), "www."), strings.ToLower(strings.TrimRight("/"+path, "/"))
}

// commonEnds returns the length of the common prefix of two texts, and with that of the common suffix of what follows.
func commonEnds(a, b string) (prefix, both int) {
	n, m := 0, min(len(a), len(b))
	for n < m && a[n] == b[n] {
		n++
	}
	end := 0
	for n+end < m && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return n, n + end
}

// LikeURL reports whether more than half of the paths of two URLs is common.
func LikeURL(a, b string) bool {
	_, a = Split(a)
	_, b = Split(b)
	_, common := commonEnds(a, b)
	return 2*common > max(len(a), len(b)) || a == b
}

// Complete returns at most n ways to complete the beginning of a URL, sorted: the URLs that the run holds if there are so
// few, or else their beginnings up to the next slash or, if these are too many, the next character; cut is true then. A
// beginning without a scheme is completed without one. URLs with characters that a shell obeys are left out: cobra's script
// for fish evaluates a line with them again, and that for bash inserts what several ways have in common as it is.
// Complete reads the URLs of all documents once.
func Complete(r *Run, begun string, n int) (ways []string, cut bool) {
	const scheme = "https://"
	whole := strings.HasPrefix(scheme, begun) || strings.Contains(begun, "://")
	by := [...]map[string]bool{{}, {}, {}} // whole URLs, up to a slash, up to a character
	for id := range uint32(r.Len()) {
		url, from := r.Docs.URL(id), len(begun)
		start := strings.Index(url, "://") + len("://")
		if whole {
			from = max(from, start)
		} else {
			url = url[start:]
		}
		if !strings.HasPrefix(url, begun) || strings.ContainsAny(url, obeyed) {
			continue
		}
		slash := len(url)
		if i := strings.IndexByte(url[min(from, slash):], '/'); i >= 0 {
			slash = from + i + 1
		}
		for i, length := range [...]int{len(url), slash, min(from+1, len(url))} {
			if len(by[i]) <= n {
				by[i][strings.Clone(url[:length])] = true // the table may be closed before it is printed
			}
		}
	}
	fits := slices.IndexFunc(by[:2], func(ways map[string]bool) bool { return len(ways) <= n })
	if fits < 0 {
		fits = 2
	}
	ways = slices.Sorted(maps.Keys(by[fits]))
	return ways[:min(n, len(ways))], fits > 0
}

// obeyed are the characters of URLs that mean something to a shell within a word.
const obeyed = "$&;'()*!|<>`\"\\{}[]^"
