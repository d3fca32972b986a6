package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// mostSiteLinks is the maximum number of links within hosts that [ReadLinks] holds, about 100 bytes each with the sets of
// them.
const mostSiteLinks = 1 << 23

// A link belongs to a menu if as many pages of its host, and this share of them, link to its target with its words.
const (
	menuPages = 8
	menuShare = 0.2
)

// Audit holds the links between pages of the same host, one for each source, target and text.
type Audit struct {
	r     *runs.Run
	pages []uint32       // crawled documents of the wanted hosts, ascending
	hosts map[uint32]int // number of the host of each page
	size  []int          // pages of each host
	links []siteLink     // sorted by target, text and source
	texts map[uint64]string
	out   map[uint64]bool // source and target of every link outside of menus

	// What several kinds of findings need, found once.
	named   []MissingLink // nil if they were not looked for
	least   float64       // score of named
	nearest map[uint32]topics.Neighbour
}

// siteLink is a link between pages of a host.
type siteLink struct {
	to, from uint32
	text     uint64 // hash of the terms of its words
	via      uint32 // row of the redirect that it points at, or tables.None
	menu     bool
	part     bool // whether it points at a part of the page
}

func pairOf(from, to uint32) uint64 { return uint64(from)<<32 | uint64(to) }

// ReadLinks reads the inputs of the run again and returns the links between pages of the same host, for one host or,
// if host is empty, for all.
func ReadLinks(ctx context.Context, r *runs.Run, host string) (*Audit, error) {
	if r.Config.Captures == config.CapturesAll {
		return nil, errors.New("the run holds all captures of a URL, but links point at URLs; build one without --captures all")
	}
	s := &Audit{r: r, hosts: map[uint32]int{}, texts: map[uint64]string{}, out: map[uint64]bool{}}
	numbers := map[string]int{}
	for id := range uint32(r.Len()) {
		of := urls.Host(r.Docs.URL(id))
		if !r.Docs.Crawled(id) || host != "" && of != host {
			continue
		}
		n, known := numbers[of]
		if !known {
			n = len(numbers)
			numbers[strings.Clone(of)] = n
			s.size = append(s.size, 0)
		}
		s.pages, s.hosts[id] = append(s.pages, id), n
		s.size[n]++
	}
	if len(s.pages) == 0 {
		return nil, fmt.Errorf("%w %s", runs.ErrNoHost, host)
	}
	if err := s.eachPage(ctx, func(uint32) bool { return true }, s.collect); err != nil {
		return nil, err
	}
	s.arrange()
	return s, r.Err()
}

// eachPage parses every wanted page of the hosts once.
func (s *Audit) eachPage(ctx context.Context, wanted func(id uint32) bool, page func(id uint32, p *crawl.Page, doc *text.Doc) error) error {
	parser, err := s.r.Parser()
	if err != nil {
		return err
	}
	seen := map[uint32]bool{}
	return s.r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		if _, ok := s.hosts[id]; !ok || seen[id] || !wanted(id) || !runs.IsSource(s.r, id, p) {
			return nil // another host, or a superseded capture
		}
		seen[id] = true
		return page(id, p, capture.Parse(parser, p))
	})
}

// collect adds the links of a page.
func (s *Audit) collect(id uint32, p *crawl.Page, doc *text.Doc) error {
	base, err := urls.Base(p.URL, doc.Base)
	if err != nil {
		return nil //nolint:nilerr // no link of the page can be resolved
	}
	host := urls.Host(s.r.Docs.URL(id))
	for i := range doc.Links {
		l := &doc.Links[i]
		url, err := s.r.Rules.Resolve(base, l.Href)
		if err != nil || urls.Host(url) != host {
			continue
		}
		via := tables.None
		if row, ok := s.r.Redirects.Find(url); ok {
			via, url = uint32(row), s.r.Redirects.At(row).To
		}
		to, ok := s.r.Docs.Find(url)
		if path, query, _ := strings.Cut(url, "?"); ok && !s.r.Docs.Crawled(to) && strings.Contains(path, "%") {
			if page, there := s.r.At(strings.TrimSuffix(needless.Replace(path)+"?"+query, "?")); there {
				to = page
			}
		}
		if !ok || to == id {
			continue
		}
		link := siteLink{to: to, from: id, via: via, text: phraseOf(doc.Words[l.From:l.To]), part: strings.Contains(l.Href, "#")}
		if words := strings.TrimSpace(string(doc.Text[l.Byte:max(l.Byte, l.EndByte)])); words != "" && link.text != 0 {
			if old, known := s.texts[link.text]; !known || words < old {
				s.texts[link.text] = words
			}
		}
		if s.links = append(s.links, link); len(s.links) > mostSiteLinks {
			return fmt.Errorf("there are more than %d links within the hosts; choose one with --host", mostSiteLinks)
		}
	}
	return nil
}

// needless decodes what a path need not encode. URLs that differ in it are two, but servers find the same file for both.
var needless = strings.NewReplacer("%3A", ":", "%40", "@", "%21", "!", "%24", "$", "%26", "&", "%27", "'", "%28", "(", "%29", ")",
	"%2A", "*", "%2B", "+", "%2C", ",", "%3B", ";", "%3D", "=")

// phraseOf returns the hash of the terms of some words, 0 for none.
func phraseOf(words []text.Word) (h uint64) {
	for _, w := range words {
		h = w.Term.AddTo(h)
	}
	return h
}

// arrange sorts the links, drops repeated ones, and marks those of menus.
func (s *Audit) arrange() {
	slices.SortFunc(s.links, func(a, b siteLink) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.text, b.text), cmp.Compare(a.from, b.from), cmp.Compare(a.via, b.via),
			cmp.Compare(sets.One(a.part), sets.One(b.part)))
	})
	s.links = slices.Compact(s.links)
	for same := range s.byTarget() {
		pages := 1
		for i := range same[1:] {
			if same[i+1].from != same[i].from {
				pages++
			}
		}
		menu := pages >= menuPages && float64(pages) >= menuShare*float64(s.size[s.hosts[same[0].from]])
		for i := range same {
			same[i].menu = menu
			if !menu {
				s.out[pairOf(same[i].from, same[i].to)] = true
			}
		}
	}
}

// byTarget returns the links with the same target and text together.
func (s *Audit) byTarget() iter.Seq[[]siteLink] {
	return sets.Runs(s.links, func(a, b siteLink) bool { return a.to == b.to && a.text == b.text })
}

// Size returns the number of pages, and of links between them: each source, target and text once.
func (s *Audit) Size() (pages, links int) { return len(s.pages), len(s.links) }
