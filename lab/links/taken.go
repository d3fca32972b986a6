package links

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/urls"
)

// page is a line of the input.
type page struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
	name string // canonical URL
}

// link is a link between two pages by their canonical URLs.
type link struct{ from, to string }

func (l link) back() link { return link{l.to, l.from} }

var anchor = regexp.MustCompile(`(?is)<a\s[^>]*?href\s*=\s*["']([^"'>]*)["'][^>]*>(.*?)</a\s*>`)

var tags = regexp.MustCompile(`<[^>]*>`)

func read(path string) (pages []page, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var p page
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		if p.name, err = urls.DefaultRules().Canonical(p.URL); err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// eachLink calls f with each link of a page to another page of its host: where its markup is, and where its words are.
func eachLink(p *page, known map[string]bool, f func(l link, place []int)) {
	base, err := urls.Base(p.URL, "")
	if err != nil {
		return
	}
	for _, at := range anchor.FindAllStringSubmatchIndex(p.HTML, -1) {
		to, err := urls.DefaultRules().Resolve(base, strings.ReplaceAll(p.HTML[at[2]:at[3]], "&amp;", "&"))
		if err == nil && known[to] && to != p.name && urls.Host(to) == urls.Host(p.name) {
			f(link{p.name, to}, at)
		}
	}
}

// choose chooses pairs of linked pages by a hash, and returns their links.
func choose(pages []page, n int) map[link]bool {
	known, pagesWith, size := map[string]bool{}, map[string]map[string]bool{}, map[string]int{}
	for _, p := range pages {
		known[p.name] = true
		size[urls.Host(p.name)]++
	}
	key := func(p *page, l link, at []int) string { return l.to + " " + plain(p.HTML[at[4]:at[5]]) }
	for i := range pages {
		eachLink(&pages[i], known, func(l link, at []int) {
			k := key(&pages[i], l, at)
			if pagesWith[k] == nil {
				pagesWith[k] = map[string]bool{}
			}
			pagesWith[k][l.from] = true
		})
	}
	all := map[link]bool{}
	for i := range pages {
		p := &pages[i]
		from, to := 0, len(p.HTML)
		if m := strings.Index(p.HTML, `role="main"`); m >= 0 {
			from = m
			if e := strings.Index(p.HTML[m:], `<div class="clearer">`); e >= 0 {
				to = m + e
			}
		}
		eachLink(p, known, func(l link, at []int) {
			n := len(pagesWith[key(p, l, at)])
			if at[0] >= from && at[1] <= to && plain(p.HTML[at[4]:at[5]]) != "" && (n < 8 || float64(n) < 0.2*float64(size[urls.Host(p.name)])) {
				all[l] = true
			}
		})
	}
	list := make([]link, 0, len(all))
	for l := range all {
		if l.from < l.to || !all[l.back()] {
			list = append(list, l)
		}
	}
	hash := func(l link) uint64 { return xxh3.HashString(l.from + " " + l.to) }
	slices.SortFunc(list, func(a, b link) int { return cmp.Compare(hash(a), hash(b)) })
	taken := map[link]bool{}
	for _, l := range list[:min(n, len(list)/2)] {
		taken[l] = true
		if all[l.back()] {
			taken[l.back()] = true
		}
	}
	fmt.Printf("%d pages, %d links between them, %d taken away\n", len(pages), len(all), len(taken))
	return taken
}

func plain(markup string) string {
	return strings.ToLower(strings.Join(strings.Fields(tags.ReplaceAllString(markup, "")), " "))
}

// without writes the pages without the links between the pairs.
func without(pages []page, taken map[link]bool, cut bool, path string) error {
	known := map[string]bool{}
	for _, p := range pages {
		known[p.name] = true
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	e := json.NewEncoder(f)
	for i := range pages {
		p := pages[i]
		var b strings.Builder
		done := 0
		eachLink(&p, known, func(l link, at []int) {
			if !taken[l] && !taken[l.back()] {
				return
			}
			b.WriteString(p.HTML[done:at[0]])
			if !cut {
				b.WriteString(p.HTML[at[4]:at[5]])
			}
			done = at[1]
		})
		p.HTML = b.String() + p.HTML[done:]
		if err := e.Encode(p); err != nil {
			return err
		}
	}
	return f.Close()
}
