package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/versions"
)

// VersionKinds are the kinds of findings of [Versions].
var VersionKinds = []string{"added", "lost", "moved", "version", "parameters", "copy", "canonical", "thin"}

// VersionFinding is something to know or mend about the versions and copies of a page.
type VersionFinding struct {
	Kind string `json:"kind" enum:"added,lost,moved,version,parameters,copy,canonical,thin"`
	runs.Ref
	Version     string  `json:"version,omitempty" doc:"that the page belongs to; for lost and moved, the version before"`
	Keep        string  `json:"keep,omitempty" doc:"URL that readers should find instead; for moved, the URL in the next version"`
	SeenKeep    string  `json:"seen_keep,omitempty" doc:"keep as it was crawled; missing if that is the same"`
	Canonical   string  `json:"canonical,omitempty" doc:"URL that the page declares as canonical, if it is another one"`
	Resemblance float64 `json:"resemblance,omitempty" doc:"of the texts of the page and the one to keep, or the one that it declares" least:"0" most:"1"`
	Why         string  `json:"why,omitempty"`
}

// Version is a version of a site, with what changed since the version before.
type Version struct {
	Site    string `json:"site" doc:"URL with * in place of the version"`
	Version string `json:"version" doc:"empty for pages without one in their URL"`
	Kept    bool   `json:"kept" doc:"whether this is the version that readers should find"`
	Pages   int    `json:"pages"`
	Same    int    `json:"same" doc:"pages with the text that they had"`
	Changed int    `json:"changed" doc:"pages with another text at the same place"`
	Moved   int    `json:"moved" doc:"pages at another place, with a similar text or the same title"`
	Added   int    `json:"added"`
	Lost    int    `json:"lost"`
}

// CopyResemblance is the usual least resemblance of a copy.
const CopyResemblance = 0.9

// VersionOptions choose what [Versions] finds.
type VersionOptions struct {
	Host string  `value:"HOST" doc:"look at the pages of this host only"`
	Min  float64 `default:"0.9" most:"1" value:"R" doc:"least resemblance of a copy to the page to keep"` // 0 for the default
	Thin int     `default:"50" value:"N" doc:"a page with fewer words is thin"`
}

// VersionKind is a kind of findings.
type VersionKind string

// Choices returns the kinds.
func (VersionKind) Choices() []string { return VersionKinds }

// Versions finds the versions of sites by the paths of URLs, follows pages from one version to the next, by path, text and
// title, and finds near-copies on the same host, canonical links that disagree, and pages with few words. Findings are in
// the order of kinds and then of URLs.
func Versions(ctx context.Context, r *runs.Run, o VersionOptions) (list []Version, found []VersionFinding, err error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, nil, err
	}
	if r.Config.Captures == config.CapturesAll {
		return nil, nil, errors.New("the run holds all captures of a URL, but versions have URLs of their own; build one without --captures all")
	}
	v := &versioning{r: r, o: o, next: map[uint32]uint32{}, keep: map[uint32]uint32{}}
	v.o.Min = cmp.Or(o.Min, CopyResemblance)
	var pages []string
	for id := range uint32(r.Len()) {
		if r.Docs.Crawled(id) && (o.Host == "" || urls.Host(r.Docs.URL(id)) == o.Host) {
			v.pages, pages = append(v.pages, id), append(pages, r.Docs.URL(id))
		}
	}
	if len(pages) == 0 {
		return nil, nil, fmt.Errorf("%w %s", runs.ErrNoHost, o.Host)
	}
	v.similar = storedLinks(r, min(v.o.Min, r.Config.Resemblance))
	var sites []versions.Site
	sites, v.places = versions.Find(pages)
	of := map[string]map[string]map[string]uint32{} // by site, version and page
	for _, id := range v.pages {
		if p, ok := v.places[v.r.Docs.URL(id)]; ok {
			if of[p.Site] == nil {
				of[p.Site] = map[string]map[string]uint32{}
			}
			if of[p.Site][p.Version] == nil {
				of[p.Site][p.Version] = map[string]uint32{}
			}
			of[p.Site][p.Version][p.Page] = id
		}
	}
	for _, s := range sites {
		v.follow(s, of[s.Name])
	}
	v.copies()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if err := v.canonicals(); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(v.found, func(a, b VersionFinding) int {
		return cmp.Or(cmp.Compare(slices.Index(VersionKinds, a.Kind), slices.Index(VersionKinds, b.Kind)), cmp.Compare(a.URL, b.URL))
	})
	return v.list, v.found, r.Err()
}

// versioning is the state of [Versions].
type versioning struct {
	r       *runs.Run
	o       VersionOptions
	pages   []uint32 // crawled documents of the wanted hosts, ascending
	places  map[string]versions.Place
	next    map[uint32]uint32 // the page of a page in the next version
	keep    map[uint32]uint32 // the page that readers should find instead of a page
	similar []link            // stored pairs with the least resemblance that is looked for
	list    []Version
	found   []VersionFinding
}

func (v *versioning) add(kind string, id uint32, f VersionFinding) {
	d := v.r.Docs.At(id)
	f.Kind, f.Ref, f.SeenKeep, f.Canonical = kind, runs.RefOf(v.r, id), runs.SeenAs(v.r, f.Keep), d.Canonical
	if place, ok := v.places[d.URL]; ok && f.Version == "" {
		f.Version = place.Version
	}
	v.found = append(v.found, f)
}

// follow compares each version of a site with the one before, and says which page of the kept version stands for a page. of
// are the pages by version and name.
func (v *versioning) follow(s versions.Site, of map[string]map[string]uint32) {
	if !v.sound(s, of) {
		for _, version := range of {
			for _, id := range version {
				delete(v.places, v.r.Docs.URL(id))
			}
		}
		return
	}
	before := map[string]uint32{}
	for i, name := range s.Versions {
		now := of[name]
		row := Version{Site: s.Name, Version: name, Kept: name == s.Kept, Pages: len(now)}
		if i > 0 {
			v.step(&row, before, now, s.Versions[i-1])
		}
		v.list, before = append(v.list, row), now
	}
	previous := make(map[uint32]uint32, len(v.next))
	for _, a := range slices.Sorted(maps.Keys(v.next)) {
		previous[v.next[a]] = a
	}
	for _, version := range of {
		for _, id := range version {
			v.choose(id, s.Kept, previous)
		}
	}
}

// A site has versions only if this share of its pages that are at the same place in two versions, of at most mostSampled,
// have the same title or similar texts: folders with names such as dev often hold something else.
const (
	soundShare  = 0.5
	soundLeast  = 0.3 // resemblance
	mostSampled = 50
)

// sound reports whether what stands at the same place in two versions of a site is alike.
func (v *versioning) sound(s versions.Site, of map[string]map[string]uint32) bool {
	pairs, alike := 0, 0
	for i, name := range s.Versions[1:] {
		for _, page := range slices.Sorted(maps.Keys(of[name])) {
			a, there := of[s.Versions[i]][page]
			if !there || pairs == mostSampled {
				continue
			}
			pairs++
			b := of[name][page]
			if title := texts.TitleOf(v.r, a, s.Versions[i]); title != "" && title == texts.TitleOf(v.r, b, name) {
				alike++
			} else if d, err := texts.Overlap(v.r, a, b); err == nil && d.Resemblance >= soundLeast {
				alike++
			}
		}
	}
	return pairs == 0 || float64(alike) >= soundShare*float64(pairs)
}

// choose finds the page that stands for a page: in the kept version, or in the last version that has it before that.
func (v *versioning) choose(id uint32, kept string, previous map[uint32]uint32) {
	isKept := func(id uint32) bool { return v.places[v.r.Docs.URL(id)].Version == kept }
	follow := func(at uint32, way map[uint32]uint32) uint32 {
		for to, ok := way[at]; ok && !isKept(at); to, ok = way[at] {
			at = to
		}
		return at
	}
	at := follow(id, v.next)
	if first := follow(at, previous); isKept(first) { // the page may be of a version after the kept one
		at = first
	}
	if at != id {
		v.keep[id] = at
		d, _ := texts.Overlap(v.r, id, at) // both are pages
		v.add("version", id, VersionFinding{Keep: v.r.Docs.URL(at), Resemblance: d.Resemblance})
	}
}

// step compares the pages of two versions.
func (v *versioning) step(row *Version, before, now map[string]uint32, older string) {
	var lost, added []uint32
	for page, a := range before {
		b, there := now[page]
		if !there {
			lost = append(lost, a)
			continue
		}
		v.next[a] = b
		pageA, _ := v.r.Pages.Page(a)
		pageB, _ := v.r.Pages.Page(b)
		if _, equal := v.r.Equal.Between(pageA, pageB); equal {
			row.Same++
		} else {
			row.Changed++
		}
	}
	for page, b := range now {
		if _, there := before[page]; !there {
			added = append(added, b)
		}
	}
	slices.Sort(lost)
	slices.Sort(added)
	moved, taken := v.moves(lost, added), map[uint32]bool{}
	for a, to := range moved {
		v.next[a], taken[to.id] = to.id, true
		v.add("moved", a, VersionFinding{Version: older, Keep: v.r.Docs.URL(to.id), Resemblance: to.resemblance, Why: to.why})
	}
	row.Moved, row.Lost, row.Added = len(moved), len(lost)-len(moved), len(added)-len(moved)
	for _, id := range lost {
		if _, ok := moved[id]; !ok {
			v.add("lost", id, VersionFinding{Version: older})
		}
	}
	for _, id := range added {
		if !taken[id] {
			v.add("added", id, VersionFinding{})
		}
	}
}

// target is where a page moved.
type target struct {
	id          uint32
	resemblance float64
	why         string
}

// moves returns where lost pages of a version are in the next one: the added page with the most similar text, of those
// that resemble it, or else the only one with its title. Each page is used once; the most similar pairs come first.
func (v *versioning) moves(lost, added []uint32) map[uint32]target {
	type pair struct {
		from uint32
		to   target
	}
	var pairs []pair
	for _, a := range lost {
		for b, resemblance := range v.alike(a, v.r.Config.Resemblance) {
			if _, new := slices.BinarySearch(added, b); new {
				pairs = append(pairs, pair{a, target{b, resemblance, "similar text"}})
			}
		}
	}
	titles := func(ids []uint32) map[string][]uint32 {
		out := map[string][]uint32{}
		for _, id := range ids {
			if t := v.r.Docs.At(id).Title; t != "" {
				out[t] = append(out[t], id)
			}
		}
		return out
	}
	from, to := titles(lost), titles(added)
	for title, ids := range from {
		if others := to[title]; len(ids) == 1 && len(others) == 1 {
			d, _ := texts.Overlap(v.r, ids[0], others[0])
			pairs = append(pairs, pair{ids[0], target{others[0], min(d.Resemblance, v.r.Config.Resemblance/2), "same title"}})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(-cmp.Compare(a.to.resemblance, b.to.resemblance), cmp.Compare(a.from, b.from), cmp.Compare(a.to.id, b.to.id))
	})
	out, used := map[uint32]target{}, map[uint32]bool{}
	for _, p := range pairs {
		if _, moved := out[p.from]; !moved && !used[p.to.id] {
			out[p.from], used[p.to.id] = p.to, true
		}
	}
	return out
}
