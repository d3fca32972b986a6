package texts

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/versions"
	"github.com/lshclust/lshclust/internal/tables"
)

// Keep is the choice among near-copies in [Fold].
type Keep string

// Choices. Ties are broken by rank.
const (
	KeepRank  Keep = "rank"  // first in the list
	KeepDate  Keep = "date"  // fetched last; pages without a date come last
	KeepLinks Keep = "links" // linked to by the most pages
)

// Keeps lists the choices.
var Keeps = []Keep{KeepRank, KeepDate, KeepLinks}

// FoldOptions choose what [Fold] folds.
type FoldOptions struct {
	Keep        Keep    `default:"rank" enum:"rank,date,links" value:"WHICH" doc:"of near-copies, keep the one that comes first in the list, was fetched last, or has most links"`
	Min         float64 `most:"1" value:"R" doc:"fold a page if its resemblance to the one that stays is at least this; 0 means the threshold of the run, which stores no pairs below it"`
	Contained   bool    `doc:"also fold a page that is contained in the one that stays"`
	EachVersion bool    `doc:"do not fold the versions of a page: the same path but for the version, and the same title but for it and numbers"`

	// Digests holds, if it is set, the digest of the text that comes with each URL, 0 for none. If a row has the text that
	// the run has under its URL, rows with the URL and other texts are unknown to the run.
	Digests []uint64
}

// Known is what a run knows of a URL.
type Known string

// Values of Known.
const (
	KnownPage    Known = "page"    // the run has its text
	KnownLinks   Known = "links"   // the run knows the URL from links only
	KnownNothing Known = "nothing" // the run does not have the URL, or has another text under it
)

// Folded is a URL of a ranked list.
type Folded struct {
	URL         string  `json:"url" doc:"as it was given"`
	Name        string  `json:"name" doc:"title or, without one, what links call it or the end of its path"`
	Seen        string  `json:"seen_url,omitempty" doc:"URL at which it was crawled, to visit it; missing if that is the canonical one, or it was not crawled"`
	Rank        int     `json:"rank" doc:"its place in the list that was given, from 1" least:"1"`
	Known       Known   `json:"known" doc:"what the run knows of it: the text of the page, links to it, or nothing" enum:"page,links,nothing"`
	Under       string  `json:"under,omitempty" doc:"URL under which it is folded, as it was given; missing if it stays"`
	Relation    string  `json:"relation,omitempty" doc:"same document; identical bytes, lexical: the same words, shingle: the same shingles, or similar, contained, version: another version of the page" enum:"same,identical,lexical,shingle,similar,contained,version"`
	Resemblance float64 `json:"resemblance,omitempty" doc:"of the page to the one under which it is folded" least:"0" most:"1"`
	ThisInOther float64 `json:"this_in_other,omitempty" doc:"share of the shingles of this page that the other one has" least:"0" most:"1"`
	OtherInThis float64 `json:"other_in_this,omitempty" doc:"share of the shingles of the other page that this one has" least:"0" most:"1"`
	StdErr      float64 `json:"std_error,omitempty" doc:"of an estimated resemblance"`

	id    uint32 // document, unless Known is KnownNothing
	under int    // index of the URL that it is folded under, -1 if it stays
}

// Fold folds near-copies in a ranked list of URLs under the best of them ([S1] section 5). A page is folded if it
// equals or resembles the page of a URL that stays, or is another version of it; a chain of resemblances does not fold it.
// The result contains all
// URLs: each one that stays, followed by those that are folded under it, by rank. A URL that stays takes the place of
// the best URL of its group. URLs that the run does not know stay.
//
// Fold looks pairs of pages up among those that the run has stored. In a run with all captures, a plain URL stands
// for its newest capture.
func Fold(r *runs.Run, urls []string, o FoldOptions) ([]Folded, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	if !slices.Contains(Keeps, cmp.Or(o.Keep, KeepRank)) {
		return nil, fmt.Errorf("%q is no way to choose what stays", o.Keep)
	}
	f := &folding{
		r: r, o: o, list: make([]Folded, len(urls)), pages: make([]uint32, len(urls)),
		members: map[uint32][]int{}, others: map[uint32][]paired{}, versions: map[versionOf][]int{},
	}
	f.o.Min = cmp.Or(o.Min, r.Config.Resemblance)
	f.lookUp(urls)
	f.pair()
	for _, i := range f.byChoice() {
		if f.list[i].under == undecided {
			f.keep(i)
		}
	}
	return f.inOrder(), r.Err()
}

// undecided is the value of under for a URL that is neither kept nor folded yet.
const undecided = -2

// folding is the state of folding a list. Pages that equal each other have one representative.
type folding struct {
	r     *runs.Run
	o     FoldOptions
	list  []Folded
	pages []uint32 // of each URL; tables.None for URLs without a page

	members  map[uint32][]int    // indexes of the URLs of each representative
	others   map[uint32][]paired // pairs of each representative
	versions map[versionOf][]int // indexes of the versions of a page
}

// versionOf is what the versions of a page have in common.
type versionOf struct{ site, page, title string }

// version returns what the versions of a page of the list have in common.
func (f *folding) version(i int) (of versionOf, ok bool) {
	p, ok := versions.Split(f.r.Docs.URL(f.list[i].id))
	if !ok || f.o.EachVersion {
		return of, false
	}
	title := TitleOf(f.r, f.list[i].id, p.Version)
	return versionOf{p.Site, p.Page, title}, title != ""
}

// paired is the other representative of a stored pair, and the number of the pair.
type paired struct {
	with uint32
	pair int
}

// lookUp finds the documents and pages of the URLs, and the representatives of pages.
func (f *folding) lookUp(urls []string) {
	whole := map[uint32]bool{} // documents whose text is in the list
	for i, url := range urls {
		f.list[i] = Folded{URL: url, Rank: i + 1, Known: KnownNothing, under: -1}
		f.pages[i] = tables.None
		id, err := f.r.LookupPage(url)
		if several := (*runs.CapturesError)(nil); errors.As(err, &several) {
			id, err = several.Captures[len(several.Captures)-1].ID, nil
		}
		if err != nil {
			continue
		}
		f.list[i].id, f.list[i].Name, f.list[i].Seen, f.list[i].Known = id, f.r.NameOf(id), f.r.Docs.Seen(id), KnownLinks
		if page, ok := f.r.Pages.Page(id); ok {
			f.list[i].Known, f.list[i].under = KnownPage, undecided
			f.pages[i] = page
			if f.given(i) == f.r.Docs.At(id).Digest {
				whole[id] = true
			}
		}
	}
	for i, page := range f.pages {
		if page == tables.None {
			continue
		}
		if id := f.list[i].id; whole[id] && f.given(i) != 0 && f.given(i) != f.r.Docs.At(id).Digest {
			f.pages[i], f.list[i].Known, f.list[i].under = tables.None, KnownNothing, -1
			continue
		}
		rep := f.r.Equal.Representative(page)
		f.members[rep] = append(f.members[rep], i)
		if of, ok := f.version(i); ok {
			f.versions[of] = append(f.versions[of], i)
		}
	}
}

// given returns the digest of the text that comes with a URL, or 0.
func (f *folding) given(i int) uint64 {
	if i < len(f.o.Digests) {
		return f.o.Digests[i]
	}
	return 0
}

// pair looks up the stored pairs between the representatives.
func (f *folding) pair() {
	for at, p := range f.r.Similar.Among(slices.Sorted(maps.Keys(f.members))) {
		f.others[p.A] = append(f.others[p.A], paired{p.B, at})
		f.others[p.B] = append(f.others[p.B], paired{p.A, at})
	}
}

// byChoice returns the indexes of URLs in the order in which they are chosen to stay.
func (f *folding) byChoice() []int {
	order := make([]int, len(f.list))
	value := make([]int64, len(f.list))
	for i := range order {
		order[i] = i
		if f.pages[i] == tables.None {
			continue
		}
		switch f.o.Keep {
		case KeepDate:
			value[i] = f.r.Docs.Time(f.list[i].id)
		case KeepLinks:
			value[i] = int64(f.r.Docs.InLinks(f.list[i].id))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value[j], value[i]) })
	return order
}

// keep keeps a URL and folds under it all URLs that equal or resemble it, or are other versions of it.
func (f *folding) keep(i int) {
	f.list[i].under = -1
	rep := f.r.Equal.Representative(f.pages[i])
	for _, j := range f.members[rep] {
		if f.list[j].under != undecided {
			continue
		}
		d := Duplicate{Relation: "same", Resemblance: 1, ThisInOther: 1, OtherInThis: 1}
		if relation, ok := f.r.Equal.Between(f.pages[i], f.pages[j]); ok && f.pages[i] != f.pages[j] {
			d = Identical(relation)
		}
		f.fold(j, i, d)
	}
	for _, o := range f.others[rep] {
		p := f.r.Similar.At(o.pair)
		if p.A != o.with {
			p = p.Swap()
		}
		d := similarPage(f.r, p)
		if d.Resemblance < f.o.Min && !(f.o.Contained && float64(d.ThisInOther) >= f.r.Config.Containment) {
			continue
		}
		for _, j := range f.members[o.with] {
			if f.list[j].under == undecided {
				f.fold(j, i, d)
			}
		}
	}
	of, _ := f.version(i)
	for _, j := range f.versions[of] {
		if f.list[j].under == undecided {
			d := compare(f.r, f.pages[j], f.pages[i])
			d.Relation = "version"
			f.fold(j, i, d)
		}
	}
}

// fold folds URL j under another one and records how similar they are.
func (f *folding) fold(j, under int, d Duplicate) {
	x := &f.list[j]
	x.under, x.Under, x.Relation = under, f.list[under].URL, d.Relation
	x.Resemblance, x.StdErr = d.Resemblance, d.StdErr
	x.ThisInOther, x.OtherInThis = max(0, float64(d.ThisInOther)), max(0, float64(d.OtherInThis))
}

// inOrder returns the list with each folded URL after the one that it is under.
func (f *folding) inOrder() []Folded {
	best := make([]int, len(f.list)) // best rank in the group of each URL that stays
	for i := range best {
		best[i] = i
	}
	kept := func(x *Folded) int {
		if x.under < 0 {
			return x.Rank - 1
		}
		return x.under
	}
	for i := range f.list {
		k := kept(&f.list[i])
		best[k] = min(best[k], i)
	}
	out := slices.Clone(f.list)
	slices.SortFunc(out, func(a, b Folded) int {
		return cmp.Or(cmp.Compare(best[kept(&a)], best[kept(&b)]), cmp.Compare(min(a.under, 0), min(b.under, 0)), cmp.Compare(a.Rank, b.Rank))
	})
	return out
}

// withoutVersions is what is cut from the ends of a title.
const withoutVersions = " .-–v()"

// TitleOf returns the title of a page without its version and other numbers.
func TitleOf(r *runs.Run, id uint32, version string) string {
	title := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(r.Docs.At(id).Title, strings.TrimPrefix(version, "v"), ""))
	return strings.Trim(title, withoutVersions)
}
