package site

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// link is a stored pair, seen from one of its pages.
type link struct {
	from, to    uint32 // pages
	resemblance float64
}

// storedLinks returns the stored pairs with at least a resemblance, from both pages, in the order of pages.
func storedLinks(r *runs.Run, least float64) (out []link) {
	for i := range r.Similar.Len() {
		p := r.Similar.At(i)
		if x := texts.Figures(r, p).Resemblance; x >= least {
			out = append(out, link{p.A, p.B, x}, link{p.B, p.A, x})
		}
	}
	slices.SortFunc(out, func(a, b link) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return out
}

// alike yields the documents whose pages equal that of a document, and those of a stored pair with it that has at least a
// resemblance.
func (v *versioning) alike(id uint32, least float64) iter.Seq2[uint32, float64] {
	return func(yield func(uint32, float64) bool) {
		r := v.r
		this, ok := r.Pages.Page(id)
		if !ok {
			return
		}
		rep := r.Equal.Representative(this)
		for p := range texts.Equals(r, rep) {
			if p != this && !yield(r.Pages.Document(p), 1) {
				return
			}
		}
		i, _ := slices.BinarySearchFunc(v.similar, rep, func(l link, page uint32) int { return cmp.Compare(l.from, page) })
		for ; i < len(v.similar) && v.similar[i].from == rep; i++ {
			l := v.similar[i]
			if l.resemblance < least {
				continue
			}
			for q := range texts.Equals(r, l.to) {
				if !yield(r.Pages.Document(q), l.resemblance) {
					return
				}
			}
		}
	}
}

// copies finds near-copies on the same host that are not versions of each other, and the page to keep of each group: one
// that others declare as canonical, or without parameters, with the most linking hosts and pages, and the shortest URL.
// A page that others declare is no copy.
func (v *versioning) copies() {
	order, declared := slices.Clone(v.pages), runs.Declared(v.r)
	stays := func(id uint32) int {
		if d := v.r.Docs.At(id); d.Canonical == "" && declared[d.URL] {
			return 0
		}
		return 1
	}
	parameters := func(id uint32) int { return min(1, strings.Count(v.r.Docs.URL(id), "?")) }
	slices.SortFunc(order, func(a, b uint32) int {
		x, y := v.r.Docs.At(a), v.r.Docs.At(b)
		return cmp.Or(stays(a)-stays(b), parameters(a)-parameters(b), cmp.Compare(y.InHosts, x.InHosts), cmp.Compare(y.InLinks, x.InLinks),
			len(x.URL)-len(y.URL), cmp.Compare(x.URL, y.URL))
	})
	done := map[uint32]bool{}
	for _, id := range order {
		if _, version := v.keep[id]; version || done[id] || v.r.Docs.Labelled(id) {
			continue
		}
		done[id] = true
		url := v.r.Docs.URL(id)
		for other, resemblance := range v.alike(id, v.o.Min) {
			_, version := v.keep[other]
			to := v.r.Docs.URL(other)
			if own := v.r.Docs.At(other).Canonical; stays(other) == 0 || own != "" && own != url && isKept(v.r, own) {
				continue // it is kept, or says that another page is
			}
			if done[other] || version || urls.Host(to) != urls.Host(url) || v.versions(id, other) {
				continue
			}
			kind := "copy"
			if a, _, _ := strings.Cut(url, "?"); strings.HasPrefix(to, a+"?") {
				kind = "parameters"
			}
			done[other], v.keep[other] = true, id
			v.add(kind, other, VersionFinding{Keep: url, Resemblance: resemblance})
		}
	}
}

// versions reports whether two pages belong to different versions of a site.
func (v *versioning) versions(a, b uint32) bool {
	p, ok := v.places[v.r.Docs.URL(a)]
	q, also := v.places[v.r.Docs.URL(b)]
	return ok && also && p.Site == q.Site && p.Version != q.Version
}

// canonicals finds canonical links that do not lead to a page with a similar text which itself is the one to keep, and
// pages with few words.
func (v *versioning) canonicals() error {
	for _, id := range v.pages {
		d := v.r.Docs.At(id)
		if int(d.Tokens) < v.o.Thin {
			v.add("thin", id, VersionFinding{Why: fmt.Sprintf("%d words", d.Tokens)})
		}
		if d.Canonical == "" {
			continue
		}
		var f VersionFinding
		kept, other := v.keep[id]
		if other {
			f.Keep = v.r.Docs.URL(kept)
		}
		to, ok := v.r.Docs.Find(d.Canonical)
		switch {
		case !ok || !v.r.Docs.Crawled(to):
			f.Why = "the crawl does not hold that page"
		case v.r.Docs.At(to).Canonical != "":
			f.Why = "that page declares another one: " + v.r.Docs.At(to).Canonical
		default:
			text, err := texts.Overlap(v.r, id, to)
			if err != nil {
				return err
			}
			f.Resemblance = text.Resemblance
			if text.Most() < v.r.Config.Resemblance && !(other && kept == to) {
				f.Why = "the texts differ"
			} else if f.Keep != "" && f.Keep != d.Canonical {
				f.Why = "by links and versions, another page is the one to keep"
			}
		}
		if f.Why != "" {
			v.add("canonical", id, f)
		}
	}
	return nil
}

// isKept reports whether there is a page at a URL that declares no other one as canonical.
func isKept(r *runs.Run, url string) bool {
	id, ok := r.Docs.Find(url)
	return ok && r.Docs.Crawled(id) && r.Docs.At(id).Canonical == ""
}
