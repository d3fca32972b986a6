package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// Keep says which of several near-copies [Run.Fold] keeps.
type Keep string

// The ways to choose. Ties are decided by rank.
const (
	KeepRank  Keep = "rank"  // the one that comes first in the list
	KeepDate  Keep = "date"  // the one that was fetched last; pages without a date come after all others
	KeepLinks Keep = "links" // the one to which most pages link
)

// Keeps lists the ways to choose.
var Keeps = []Keep{KeepRank, KeepDate, KeepLinks}

// FoldOptions says what [Run.Fold] folds.
type FoldOptions struct {
	Keep      Keep    // "" is KeepRank
	Min       float64 // folds a page if it resembles the one that stays so much; 0 is Config.Resemblance, less finds no more
	Contained bool    // also folds a page if the one that stays contains it
}

// Known says what a run knows of a URL.
type Known string

// What a run may know of a URL.
const (
	KnownPage    Known = "page"    // it has its text
	KnownLinks   Known = "links"   // it knows the URL from links only
	KnownNothing Known = "nothing" // it does not hold the URL
)

// Folded is a URL of a ranked list.
type Folded struct {
	URL   string // as it was given
	Rank  int    // its place in the list that was given, from 0
	Known Known
	ID    uint32 // of its document, unless nothing is known
	Under int    // rank of the URL that it is folded under, -1 if it stays

	// Overlap is what a folded URL has in common with the one that it is under, which is the other page in it. Its ID and
	// URL are those of the document of the folded URL. The relation is SameDocument for two URLs of one document.
	Overlap Duplicate
}

// SameDocument is the relation of two URLs of one document in [Folded].
const SameDocument = "same"

// Fold folds near-copies in a ranked list of URLs under the best of them ([S1] section 5). A page is folded if it equals
// or resembles the page of a URL that stays; a chain of resemblances does not fold it. The result holds all URLs: each
// one that stays, and behind it those that are folded under it, by rank. A URL that stays has the place of the best URL
// of its group. URLs that the run does not know stay.
//
// Pairs of pages are looked up among those that the run has stored. In a run with all captures, a plain URL is its
// newest capture.
func (r *Run) Fold(urls []string, o FoldOptions) ([]Folded, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	if !slices.Contains(Keeps, cmp.Or(o.Keep, KeepRank)) {
		return nil, fmt.Errorf("%q is no way to choose what stays", o.Keep)
	}
	f := &folding{r: r, o: o, list: make([]Folded, len(urls)), class: make([]int, len(urls))}
	f.o.Min = cmp.Or(o.Min, r.Config.Resemblance)
	f.lookUp(urls)
	f.pair()
	for _, i := range f.byChoice() {
		if f.list[i].Under == undecided {
			f.keep(i)
		}
	}
	return f.inOrder(), r.Err()
}

// undecided is the value of Under before a URL is kept or folded.
const undecided = -2

// folding is a list while it is folded. Pages that equal each other are one class.
type folding struct {
	r     *Run
	o     FoldOptions
	list  []Folded
	pages []uint32 // of the list, tables.None for URLs without a page

	class   []int    // of the list, -1 for URLs without a page
	reps    []uint32 // of each class the representative, ascending
	first   []int    // of each class where its members begin in members; one more at the end
	members []int    // places in the list
	from    []int    // of each class where its pairs begin in others; one more at the end
	others  []paired
}

// paired is the other class of a stored pair.
type paired struct{ class, pair int }

// lookUp finds the documents and pages of the URLs, and the classes of pages.
func (f *folding) lookUp(urls []string) {
	f.pages = make([]uint32, len(urls))
	for i, url := range urls {
		f.list[i] = Folded{URL: url, Rank: i, Known: KnownNothing, Under: -1}
		f.pages[i] = tables.None
		id, err := f.r.LookupPage(url)
		if several := (*CapturesError)(nil); errors.As(err, &several) {
			id, err = several.Captures[len(several.Captures)-1].ID, nil
		}
		if err != nil {
			continue
		}
		f.list[i].ID, f.list[i].Known = id, KnownLinks
		if page, ok := f.r.pages.Page(id); ok {
			f.list[i].Known, f.list[i].Under = KnownPage, undecided
			f.pages[i] = page
			f.reps = append(f.reps, f.r.equal.Representative(page))
		}
	}
	slices.Sort(f.reps)
	f.reps = slices.Compact(f.reps)
	f.first = make([]int, len(f.reps)+1)
	for i, page := range f.pages {
		f.class[i] = -1
		if page != tables.None {
			f.class[i], _ = slices.BinarySearch(f.reps, f.r.equal.Representative(page))
			f.first[f.class[i]+1]++
		}
	}
	f.members = make([]int, accumulate(f.first))
	next := slices.Clone(f.first)
	for i, c := range f.class {
		if c >= 0 {
			f.members[next[c]] = i
			next[c]++
		}
	}
}

// accumulate turns counts, each behind its place, into where the elements of each place begin. It returns their number.
func accumulate(counts []int) int {
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts[len(counts)-1]
}

// pair looks up the stored pairs between the classes.
func (f *folding) pair() {
	type link struct{ a, b, pair int }
	var links []link
	f.from = make([]int, len(f.reps)+1)
	for at, p := range f.r.similar.Among(f.reps) {
		a, _ := slices.BinarySearch(f.reps, p.A)
		b, _ := slices.BinarySearch(f.reps, p.B)
		links = append(links, link{a, b, at})
		f.from[a+1]++
		f.from[b+1]++
	}
	f.others = make([]paired, accumulate(f.from))
	next := slices.Clone(f.from)
	for _, l := range links {
		f.others[next[l.a]], f.others[next[l.b]] = paired{l.b, l.pair}, paired{l.a, l.pair}
		next[l.a]++
		next[l.b]++
	}
}

// byChoice returns the places of the list in the order in which they may stay.
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
			value[i] = f.r.docs.Time(f.list[i].ID)
		case KeepLinks:
			value[i] = int64(f.r.docs.InLinks(f.list[i].ID))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value[j], value[i]) })
	return order
}

// keep keeps a URL and folds under it all that equal or resemble it.
func (f *folding) keep(i int) {
	f.list[i].Under = -1
	c := f.class[i]
	for _, j := range f.members[f.first[c]:f.first[c+1]] {
		if f.list[j].Under != undecided {
			continue
		}
		d := Duplicate{Relation: SameDocument, Resemblance: 1, OfThis: 1, OfOther: 1, Estimate: 1}
		if relation, ok := f.r.equal.Between(f.pages[i], f.pages[j]); ok && f.pages[i] != f.pages[j] {
			d = identical(relation)
		}
		f.fold(j, i, d)
	}
	for _, o := range f.others[f.from[c]:f.from[c+1]] {
		p := f.r.similar.At(o.pair)
		if p.A != f.reps[o.class] {
			p = p.Swap()
		}
		d := f.r.figures(p)
		if d.Resemblance < f.o.Min && !(f.o.Contained && d.OfThis >= f.r.Config.Containment) {
			continue
		}
		d.Relation, d.Samples = p.Relation(f.r.Config.Resemblance), p.Sample.Union()
		d.Estimate, _ = p.Estimate()
		for _, j := range f.members[f.first[o.class]:f.first[o.class+1]] {
			if f.list[j].Under == undecided {
				f.fold(j, i, d)
			}
		}
	}
}

// fold folds a URL under another one.
func (f *folding) fold(j, under int, d Duplicate) {
	d.ID = f.list[j].ID
	d.URL = f.r.docs.URL(d.ID)
	f.list[j].Under, f.list[j].Overlap = under, d
}

// inOrder returns the list with each folded URL behind the one that it is under.
func (f *folding) inOrder() []Folded {
	best := make([]int, len(f.list)) // for each URL that stays the best rank of its group
	for i := range best {
		best[i] = i
	}
	kept := func(x *Folded) int {
		if x.Under < 0 {
			return x.Rank
		}
		return x.Under
	}
	for i := range f.list {
		k := kept(&f.list[i])
		best[k] = min(best[k], i)
	}
	out := slices.Clone(f.list)
	slices.SortFunc(out, func(a, b Folded) int {
		return cmp.Or(cmp.Compare(best[kept(&a)], best[kept(&b)]), cmp.Compare(min(a.Under, 0), min(b.Under, 0)), cmp.Compare(a.Rank, b.Rank))
	})
	return out
}
