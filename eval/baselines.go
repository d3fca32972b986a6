package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// Baseline is another method of finding related pages, with which the lists of a run are compared. A baseline with a
// rank function compares all targets of the directory with one another, so that no pair is missed. A baseline with a
// find function uses the index of the run.
type Baseline struct {
	Name       string // name of its Ranking
	About      string // one line of explanation
	Web        bool   // whether it needs the inputs of the run
	Candidates string // AllDocuments or TargetsAlone
	rank       func(*Baselines) ([]vector, []int32, measure, error)
	find       func(*Match, context.Context, *query.Run, string) (score.Ranking, error)
	bags       func(*Baselines) (raw [][]bags.Weighted, ofRun bool) // raw bags, for baselines about text; see cosine
}

// What the neighbours of a query are chosen from. A run does not know about golds. It looks for neighbours among all
// its documents, and scoring skips those that are not targets. But these still fill the buckets, which are not paired
// in full if they are large, and take places among the nearest neighbours, of which a run stores only some.
const (
	AllDocuments = "all documents"
	TargetsAlone = "targets alone"
)

// AllBaselines returns all baselines.
func AllBaselines() []Baseline {
	index := func(name, about, candidates string, find func(*Match, context.Context, *query.Run, string) (score.Ranking, error)) Baseline {
		return Baseline{Name: name, About: about, Candidates: candidates, find: find}
	}
	all := func(name, about string, web bool, rank func(*Baselines) ([]vector, []int32, measure, error), bags func(*Baselines) ([][]bags.Weighted, bool)) Baseline {
		return Baseline{Name: name, About: about, Web: web, Candidates: TargetsAlone, rank: rank, bags: bags}
	}
	return []Baseline{
		index("stored", "the nearest of what the index finds, which the run stores; related begins with these", AllDocuments, (*Match).Stored),
		index("index", "everything that the index of the run finds", AllDocuments, (*Match).Search),
		index("stored-targets", "what the run would store if it held only the targets", TargetsAlone, (*Match).StoredAmong),
		index("index-targets", "what the index would find if the run held only the targets", TargetsAlone, (*Match).SearchAmong),
		all("exact", "the bags of the run, compared exactly; the most that its index can reach", false, (*Baselines).exact, nil),
		all("tfidf", "cosine of tf-idf over all words of the anchor windows, as MoreLikeThis does", true, (*Baselines).tfidf, (*Baselines).windows),
		all("anchor-text", "the same over only the words of the anchors", true, (*Baselines).anchorText, (*Baselines).anchors),
		all("content", "the same over the title and text of the page itself; targets that were not crawled have no neighbours", true, (*Baselines).content, (*Baselines).pages),
		all("cocitation", "number of pages that link to both (Dean and Henzinger 1999); of every pair it finds, a page links to both", true, (*Baselines).cocitation, nil),
		all("cocitation-cosine", "that number over the square root of the product of both numbers of links; the same pairs", true, (*Baselines).cocitationCosine, nil),
	}
}

// ParseBaselines returns the baselines with the given names: first those with a name such as related-2x100, in the given
// order, then the others in their usual order. "all" selects every baseline of AllBaselines.
func ParseBaselines(names []string) (out []Baseline, err error) {
	all := AllBaselines()
	known := []string{"all"}
	for _, b := range all {
		known = append(known, b.Name)
	}
	for _, n := range names {
		if b, ok := expansion(n); ok {
			out = append(out, b)
		} else if !slices.Contains(known, n) {
			return nil, fmt.Errorf("baseline %q is not one of %s, related-ROUNDSxWIDTH", n, strings.Join(known, ", "))
		}
	}
	for _, b := range all {
		if slices.Contains(names, b.Name) || slices.Contains(names, "all") {
			out = append(out, b)
		}
	}
	return out, nil
}

// ListsWithin returns the maximum length of lists (see Baselines.Most) with which a ranking of the given number of
// targets takes about the given number of bytes: 0 if whole lists fit, and otherwise at least 100.
func ListsWithin(targets int, bytes int64) int {
	const neighbour = 16
	n := int64(max(targets, 1))
	if bytes/neighbour/n >= n {
		return 0
	}
	return int(max(100, bytes/neighbour/n))
}

// RankingBytes is the memory for the lists of a baseline. In 1 GiB, the lists of 8,192 targets are whole.
const RankingBytes = 1 << 30

// Baselines holds the data from which baselines are computed.
type Baselines struct {
	Directory *score.Directory
	Run       *query.Run
	Web       *Web          // nil if the inputs of the run were not read
	CoLinks   score.CoLinks // from Web; nil if unknown

	// Most limits the length of every list. A list ends after the Most-th neighbour that is not co-linked with the
	// target. The limit does not affect whether a target has a neighbour, with or without co-linked
	// pairs, nor agreement, hit and precision. It does affect gamma, because everything after the end has
	// similarity 0: with 1,000 of 8,129 targets the unrelated gamma of tfidf was .282, with whole lists .231. If Most
	// is 0, lists are whole.
	Most    int
	Workers int // at least 1
}

// Ranking computes one baseline. Ties are broken by the order of the URLs; in cocitation the target with fewer
// citations comes first.
func (b *Baselines) Ranking(ctx context.Context, base Baseline) (score.Ranking, error) {
	if base.Web && b.Web == nil {
		return score.Ranking{}, fmt.Errorf("baseline %s: %w", base.Name, ErrInputs)
	}
	if base.find != nil {
		m, err := Find(b.Run, b.Directory)
		if err != nil {
			return score.Ranking{}, err
		}
		return base.find(&m, ctx, b.Run, base.Name)
	}
	vectors, rank, how, err := base.rank(b)
	if err != nil {
		return score.Ranking{}, fmt.Errorf("baseline %s: %w", base.Name, err)
	}
	x := newInverted(vectors)
	x.rank = rank
	lists, err := x.lists(ctx, how, cut{b.Most, b.CoLinks}, b.Workers)
	return score.Ranking{Name: base.Name, Lists: lists}, err
}

// exact ranks by the exact similarity of the bags of the run.
func (b *Baselines) exact() ([]vector, []int32, measure, error) {
	vectors := make([]vector, b.Directory.Len())
	for i := range vectors {
		id, err := b.Run.Lookup(b.Directory.URL(i))
		if err != nil {
			continue // not a document of the run
		}
		bag := b.Run.Bag(id)
		for j, t := range bag.Terms {
			vectors[i].add(t, float64(bag.Counts[j]))
		}
	}
	return vectors, nil, jaccard(vectors), nil
}

func (b *Baselines) windows() ([][]bags.Weighted, bool) {
	return b.Web.Windows, b.Run.Config.Bags == config.FromAnchors
}

func (b *Baselines) anchors() ([][]bags.Weighted, bool) {
	return b.Web.Anchors, b.Run.Config.Bags == config.FromAnchors
}

func (b *Baselines) pages() ([][]bags.Weighted, bool) {
	return b.Web.Content, b.Run.Config.Bags == config.FromContent
}

func (b *Baselines) tfidf() ([]vector, []int32, measure, error)      { return b.cosine(b.windows()) }
func (b *Baselines) anchorText() ([]vector, []int32, measure, error) { return b.cosine(b.anchors()) }
func (b *Baselines) content() ([]vector, []int32, measure, error)    { return b.cosine(b.pages()) }

// cosineWeights is f·log(N/df) without normalisation of the sum. The dictionary decides which terms are used.
var cosineWeights = bags.Weighting{Scheme: bags.IDF, TF: bags.RawTF, Sum: 1, MinDF: 1, MaxDF: 1}

// cosine weighs raw bags by tf-idf. If the bags of the run are of the same kind, the document frequencies are those of
// all its documents. Otherwise they are those of raw.
func (b *Baselines) cosine(raw [][]bags.Weighted, ofRun bool) ([]vector, []int32, measure, error) {
	terms, err := b.terms(raw, ofRun)
	if err != nil {
		return nil, nil, dot, err
	}
	vectors := make([]vector, len(raw))
	for i, bag := range raw {
		for _, x := range bag {
			id, factor, ok := terms.Lookup(x.Term)
			if w := float64(x.Weight) / bags.Unit * factor; ok && w > 0 {
				vectors[i].add(id, w)
			}
		}
	}
	normalise(vectors)
	return vectors, nil, dot, nil
}

func (b *Baselines) terms(raw [][]bags.Weighted, ofRun bool) (*bags.Dictionary, error) {
	if ofRun {
		return b.Run.Dictionary(cosineWeights)
	}
	return dictionary(raw)
}

// sharedWords returns the words of two raw bags that contribute most to their cosine. It leaves out terms for which the
// run has stored no word.
func (b *Baselines) sharedWords(terms *bags.Dictionary, i, j []bags.Weighted) (out []string) {
	type shared struct {
		term bags.Term
		adds float64
	}
	var all []shared
	for _, x := range i {
		at, found := slices.BinarySearchFunc(j, x.Term, func(y bags.Weighted, t bags.Term) int { return cmp.Compare(y.Term, t) })
		_, factor, ok := terms.Lookup(x.Term)
		if found && ok && factor > 0 {
			all = append(all, shared{x.Term, float64(x.Weight) * float64(j[at].Weight) * factor * factor})
		}
	}
	slices.SortFunc(all, func(x, y shared) int { return cmp.Or(cmp.Compare(y.adds, x.adds), cmp.Compare(x.term, y.term)) })
	for _, s := range all {
		if w, ok := b.Run.Word(s.term); ok && len(out) < sampleWords {
			out = append(out, w)
		}
	}
	return out
}

// dictionary returns the dictionary of the bags, which counts for each term the bags that contain it.
func dictionary(raw [][]bags.Weighted) (*bags.Dictionary, error) {
	var all []uint64
	n := uint64(0)
	for _, bag := range raw {
		for _, x := range bag {
			all = append(all, uint64(x.Term))
		}
		if len(bag) > 0 {
			n++
		}
	}
	slices.Sort(all)
	var hash []uint64
	var df []uint32
	for _, t := range all {
		if len(hash) == 0 || hash[len(hash)-1] != t {
			hash, df = append(hash, t), append(df, 0)
		}
		df[len(df)-1]++
	}
	return bags.NewDictionary(cosineWeights, n, hash, df)
}

// citations returns, for each target, a vector of the pages that cite it.
func (b *Baselines) citations() []vector {
	citing := inverse(b.Directory.Len(), len(b.Web.Linking), func(p int) []int32 { return b.Web.Linking[p].Cites })
	vectors := make([]vector, len(citing))
	for t, pages := range citing {
		for _, p := range pages {
			vectors[t].add(uint32(p), 1)
		}
	}
	return vectors
}

func (b *Baselines) cocitation() ([]vector, []int32, measure, error) {
	vectors := b.citations()
	order := make([]int32, len(vectors))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(len(vectors[x].dims), len(vectors[y].dims)) })
	rank := make([]int32, len(order))
	for at, t := range order {
		rank[t] = int32(at)
	}
	return vectors, rank, dot, nil
}

func (b *Baselines) cocitationCosine() ([]vector, []int32, measure, error) {
	vectors := b.citations()
	normalise(vectors)
	return vectors, nil, dot, nil
}
