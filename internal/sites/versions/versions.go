// Package versions finds the versions of sites, such as the releases of a manual, in the paths of URLs.
package versions

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Place is where a URL stands in a site with versions: https://docs.example.org/en/4.2/ref is the page ref of the version
// 4.2 of https://docs.example.org/en/*. The version of a URL without one, such as https://docs.example.org/en/ref, is
// empty.
type Place struct{ Site, Version, Page string }

// Site is a site with at least two versions.
type Site struct {
	Name     string   // URL with * in place of the version
	Versions []string // the oldest first
	Kept     string   // the version that readers should find
}

// numbered matches versions with a number.
var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:v|release|version|rel|r)?[-_.]?\d{1,4}(?:[._]\d{1,4}){0,3}[-_.]?(?:x|lts|stable|branch|dev|pre|(?:rc|alpha|beta|a|b|preview)[-_.]?\d{0,3})?$`)
})

// year matches numbers that are years rather than versions.
var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// released are names of versions that readers should find, the best first; ahead are names of those to come.
var (
	released = []string{"stable", "current", "", "latest", "lts"}
	ahead    = []string{"main", "master", "trunk", "dev", "devel", "develop", "next", "edge", "nightly", "unstable", "snapshot"}
)

// isVersion reports whether a segment of a path may be the name of a version.
func isVersion(segment string) bool {
	s := strings.ToLower(segment)
	return s != "" && (slices.Contains(released, s) || slices.Contains(ahead, s) || numbered().MatchString(s) && !year.MatchString(s))
}

// Split divides a URL at the first segment of its path that may be a version. Unlike [Find], it does not know whether other
// versions exist.
func Split(url string) (p Place, ok bool) {
	scheme, rest, _ := strings.Cut(url, "://")
	segments := strings.Split(rest, "/")
	for i, s := range segments {
		if i > 0 && isVersion(s) && !year.MatchString(segments[i-1]) { // after a year, numbers are months
			return Place{scheme + "://" + strings.Join(segments[:i], "/") + "/*", s, strings.Join(segments[i+1:], "/")}, true
		}
	}
	return p, false
}

// leastShared is the least number of pages that a site has in two versions or more. It also has at least half as many
// as versions, which numbered users or parts of a list do not have.
const leastShared = 3

// Find returns the sites with versions among some URLs, by name, and the places in them of those URLs that have one.
func Find(urls []string) ([]Site, map[string]Place) {
	type pages map[string][]string // versions of each page
	sites, places, known := map[string]pages{}, map[string]Place{}, make(map[string]bool, len(urls))
	for _, u := range urls {
		known[u] = true
		if p, ok := Split(u); ok {
			if sites[p.Site] == nil {
				sites[p.Site] = pages{}
			}
			sites[p.Site][p.Page] = append(sites[p.Site][p.Page], p.Version)
			places[u] = p
		}
	}
	var out []Site
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		of, seen, shared := sites[name], map[string]bool{}, 0
		var plain []string // pages that also have a URL without a version
		for page, list := range of {
			for _, v := range list {
				seen[v] = true
			}
			if url := strings.TrimSuffix(strings.TrimSuffix(name, "*")+page, "/"); page != "" && known[url] {
				plain = append(plain, url)
				list = append(list, "")
			}
			if len(list) > 1 {
				shared++
			}
		}
		if len(plain) >= leastShared {
			seen[""] = true
		}
		if len(seen) < 2 || shared < max(leastShared, len(seen)/2) {
			delete(sites, name)
			continue
		}
		if seen[""] {
			for _, url := range plain {
				places[url] = Place{name, "", strings.TrimPrefix(url, strings.TrimSuffix(name, "*"))}
			}
		}
		list := slices.SortedFunc(maps.Keys(seen), Compare)
		out = append(out, Site{name, list, kept(list)})
	}
	maps.DeleteFunc(places, func(_ string, p Place) bool { return sites[p.Site] == nil })
	return out, places
}

// kept returns the version that readers should find: a name for the released one, or the last number.
func kept(list []string) string {
	for _, name := range released {
		for _, v := range list {
			if strings.ToLower(v) == name {
				return v
			}
		}
	}
	for _, v := range slices.Backward(list) {
		if final(v) {
			return v
		}
	}
	return list[len(list)-1]
}

// final reports whether a version has a number and is not a preview.
func final(version string) bool {
	v := strings.ToLower(version)
	return strings.ContainsAny(v, "0123456789") && !preview.MatchString(v)
}

var preview = regexp.MustCompile(`dev|pre|rc|\d[-_.]?(?:a|b)`)

// Compare orders versions by their numbers, and previews before what they precede. Names of released versions come
// after the numbers, names of those to come last.
func Compare(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	if c := cmp.Compare(class(x), class(y)); c != 0 {
		return c
	}
	if class(x) != 0 {
		return cmp.Or(slices.Index(released, y)-slices.Index(released, x), slices.Index(ahead, x)-slices.Index(ahead, y), cmp.Compare(a, b))
	}
	p, q := numbers(x), numbers(y)
	if final(x) == final(y) {
		return cmp.Or(slices.Compare(p, q), cmp.Compare(a, b))
	}
	if c := slices.Compare(p[:min(len(p), len(q))], q[:min(len(p), len(q))]); c != 0 {
		return c
	}
	if final(y) {
		return -1
	}
	return 1
}

// class is 0 for numbers, 1 for names of released versions, and 2 for those to come.
func class(version string) int {
	switch {
	case slices.Contains(released, version):
		return 1
	case slices.Contains(ahead, version):
		return 2
	}
	return 0
}

var digits = regexp.MustCompile(`\d+`)

func numbers(version string) (out []int) {
	for _, d := range digits.FindAllString(version, -1) {
		n, _ := strconv.Atoi(d) // at most four digits
		out = append(out, n)
	}
	return out
}
