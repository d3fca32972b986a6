package texts

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/resemble"
)

// Duplicate is a page whose text is similar to that of another page, which its fields call "this" page.
type Duplicate struct {
	ID uint32 `json:"-"`
	runs.Ref
	Relation    string  `json:"relation" doc:"identical bytes, lexical: the same words, shingle: the same shingles, with or without boilerplate, or similar, contained, overlaps, chain: connected through other pages of the cluster" enum:"identical,lexical,shingle,similar,contained,overlaps,chain"`
	Resemblance float64 `json:"resemblance" doc:"shared shingles divided by those of either, without boilerplate" least:"0" most:"1"`
	ThisInOther Share   `json:"this_in_other,omitzero" doc:"share of the shingles of the page asked about that the other page has; missing if the sketches of the run do not tell it" least:"0" most:"1"`
	OtherInThis Share   `json:"other_in_this,omitzero" doc:"share of the shingles of the other page that the page asked about has" least:"0" most:"1"`
	Estimate    float64 `json:"estimate" doc:"of the resemblance, from samples; 1 for equal pages" least:"0" most:"1"`
	Samples     int     `json:"samples" doc:"number of samples behind the estimate; 0 for equal pages"`
	Estimated   bool    `json:"estimated" doc:"whether all figures are estimates, because the run keeps sketches"`
	StdErr      float64 `json:"std_error,omitempty" doc:"of an estimated resemblance"`
	Label       string  `json:"page_label,omitempty" doc:"why the page is not content, such as not-found"`
}

// Share is a share of the shingles of a text. It is negative, and omitted in JSON, if sketches do not determine it.
type Share float64

// UnknownShare is a share that sketches do not determine.
const UnknownShare Share = -1

// Known reports whether the share is known.
func (s Share) Known() bool { return s >= 0 }

// IsZero reports whether JSON omits the share.
func (s Share) IsZero() bool { return !s.Known() }

// Most returns the largest of the resemblance and both containments.
func (d *Duplicate) Most() float64 { return max(d.Resemblance, d.Containment()) }

// Containment returns the larger share of one text that the other contains, or a negative number if it is unknown.
func (d *Duplicate) Containment() float64 { return float64(max(d.ThisInOther, d.OtherInThis)) }

// Duplicates returns the pages that equal a document, resemble it, contain it or are contained in it, and the pages
// of its cluster that are connected to it only through others. The most similar pages come first; ties are in order
// of ids. It lists at most most pages, first equal ones, then those of a stored pair, then those of a chain, and
// reports whether these are all.
func Duplicates(r *runs.Run, id uint32, most int) (list []Duplicate, all bool, err error) {
	this, err := r.PageOf(id)
	if err != nil {
		return nil, false, err
	}
	out := map[uint32]Duplicate{}
	rep := r.Equal.Representative(this)
	all = addEquals(r, out, this, rep, most)
	for p := range r.Similar.Of(rep) {
		if all = all && addSimilar(r, out, rep, p, most); !all {
			break
		}
	}
	all = all && addChained(r, out, this, most)
	return slices.SortedFunc(maps.Values(out), byResemblance), all, nil
}

// twin is a page that another one represents.
type twin struct{ rep, page uint32 }

func byRepresentative(a, b twin) int {
	return cmp.Or(cmp.Compare(a.rep, b.rep), cmp.Compare(a.page, b.page))
}

// findTwins returns the pages that are not their own representative, sorted.
func findTwins(r *runs.Run) (out []twin) {
	for page := range uint32(r.Equal.Len()) {
		if rep := r.Equal.Representative(page); rep != page {
			out = append(out, twin{rep, page})
		}
	}
	slices.SortFunc(out, byRepresentative)
	return out
}

// Equals yields the pages of one representative, including itself.
func Equals(r *runs.Run, rep uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if !yield(rep) || r.Equal == nil {
			return
		}
		twins := runs.Memo(r, findTwins)
		for i, _ := slices.BinarySearchFunc(twins, twin{rep, 0}, byRepresentative); i < len(twins) && twins[i].rep == rep; i++ {
			if !yield(twins[i].page) {
				return
			}
		}
	}
}

// addEquals adds the pages that equal a page. Like the functions below, it stops when out has most pages, and reports
// whether it added all.
func addEquals(r *runs.Run, out map[uint32]Duplicate, this, rep uint32, most int) bool {
	for p := range Equals(r, rep) {
		if relation, ok := r.Equal.Between(this, p); ok && p != this {
			if len(out) >= most {
				return false
			}
			addPage(r, out, p, Identical(relation))
		}
	}
	return true
}

// addSimilar adds the other page of a pair and the pages that equal it.
func addSimilar(r *runs.Run, out map[uint32]Duplicate, rep uint32, p resemble.Pair, most int) bool {
	if p.A != rep {
		p = p.Swap()
	}
	d := similarPage(r, p)
	for q := range Equals(r, p.B) {
		if len(out) >= most {
			return false
		}
		addPage(r, out, q, d)
	}
	return true
}

// similarPage returns page B of a stored pair as a duplicate of page A, without its document.
func similarPage(r *runs.Run, p resemble.Pair) Duplicate {
	d := Figures(r, p)
	d.Relation, d.Samples = p.Relation(r.Config.Resemblance), p.Sample.Union()
	d.Estimate, _ = p.Estimate()
	return d
}

// addChained adds the other pages of the cluster, which are not in a pair with the page.
func addChained(r *runs.Run, out map[uint32]Duplicate, this uint32, most int) bool {
	g, ok := r.Union.GroupOf(this)
	if !ok {
		return true
	}
	_, members := r.Union.Group(g)
	for _, p := range members {
		if p == this {
			continue
		}
		if _, paired := out[p]; !paired {
			if len(out) >= most {
				return false
			}
			d := Figures(r, pair(r, this, p))
			d.Relation = "chain"
			addPage(r, out, p, d)
		}
	}
	return true
}

func addPage(r *runs.Run, out map[uint32]Duplicate, page uint32, d Duplicate) {
	out[page] = named(r, d, page)
}
