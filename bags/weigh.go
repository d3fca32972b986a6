package bags

import (
	"cmp"
	"math"
	"slices"
)

// Scheme says how the weight of a term depends on df, the number of bags that contain it, among N bags.
type Scheme string

// The schemes.
const (
	IDF        Scheme = "idf"  // log(N/df) [S3]
	NMDF       Scheme = "nmdf" // exp(-½((ln df-µ)/σ)²), where µ and σ are taken over the distinct values of df [S4]
	Unweighted Scheme = "none" // 1
)

// Schemes lists all schemes.
var Schemes = []Scheme{IDF, NMDF, Unweighted}

// TF says how the weight of a term depends on f, its frequency in the raw bag.
type TF string

// The functions of f.
const (
	RawTF TF = "raw" // f
	LogTF TF = "log" // 1+log2(f) for f ≥ 1, else f [S4]
)

// Weighting says how a Weigher turns raw bags into bags.
type Weighting struct {
	Scheme Scheme
	TF     TF
	Sum    int     // sum of the counts of the terms of links of a bag, and of those of content
	MinDF  uint32  // drop terms in fewer bags
	MaxDF  float64 // drop terms in more than this share of the bags with such terms

	ContentTerms int // number of content terms that a bag takes, the best ones
}

// MaxSum is the upper bound of Weighting.Sum: the counts of a bag, with both fields, sum to at most 65,534.
const MaxSum = math.MaxUint16 / 2

// Factors returns the function from document frequency to weight for a corpus of n bags whose terms have the
// frequencies df.
func (w Weighting) Factors(n uint64, df []uint32) func(df uint32) float64 {
	switch w.Scheme {
	case IDF:
		return func(df uint32) float64 { return math.Log(float64(n) / float64(df)) }
	case NMDF:
		mean, dev := logMoments(df)
		return func(df uint32) float64 {
			x := (math.Log(float64(df)) - mean) / dev
			return math.Exp(-x * x / 2)
		}
	}
	return func(uint32) float64 { return 1 }
}

// logMoments returns the mean and the standard deviation of ln df over the distinct values of df.
func logMoments(df []uint32) (mean, dev float64) {
	values := slices.Compact(slices.Sorted(slices.Values(df)))
	for _, v := range values {
		mean += math.Log(float64(v))
	}
	mean /= float64(max(1, len(values)))
	for _, v := range values {
		d := math.Log(float64(v)) - mean
		dev += d * d
	}
	if dev = math.Sqrt(dev / float64(max(1, len(values)))); dev == 0 {
		dev = 1
	}
	return mean, dev
}

// Weigher turns raw bags into bags. It is not safe for concurrent use.
type Weigher struct {
	how            Weighting
	terms          *Dictionary
	share          []share
	title, content []share // see mix
	bag            Bag
	language       uint8 // of the document
}

// share is a term's part of the bag's sum before rounding.
type share struct {
	term   uint32
	count  uint32
	weight float64 // first the weight, then the remainder of rounding down
}

func byTerm(a, b share) int { return cmp.Compare(a.term, b.term) }

func heaviestFirst(a, b share) int {
	if c := cmp.Compare(b.weight, a.weight); c != 0 {
		return c
	}
	return byTerm(a, b)
}

// NewWeigher returns a weigher over a dictionary.
func NewWeigher(how Weighting, terms *Dictionary) *Weigher { return &Weigher{how: how, terms: terms} }

// Weigh returns the bag of a raw bag. Each of its two fields, the terms of links and those of content, is weighed,
// normalised to the sum, and rounded to whole counts by itself. A field is empty if the dictionary has no term of it
// with a positive weight. The bag is valid until the next call.
func (w *Weigher) Weigh(raw *Raw) Bag {
	w.bag.Terms, w.bag.Counts = w.bag.Terms[:0], w.bag.Counts[:0]
	w.language = raw.Language
	var total float64
	w.share, total = w.weighed(w.share[:0], raw.Terms, w.how.TF)
	w.apportion(total)
	if len(raw.Title) > 0 || len(raw.Content) > 0 {
		w.apportion(w.mix(raw.Title, raw.Content))
	}
	return w.bag
}

// weighed appends the terms that are in the dictionary, with their weights, and returns the sum of these weights.
func (w *Weigher) weighed(to []share, raw []Weighted, tf TF) (all []share, total float64) {
	for _, r := range raw {
		id, factor, ok := w.terms.LookupIn(r.Term, w.language)
		if x := tf.of(r.Weight) * factor; ok && x > 0 {
			to = append(to, share{term: id, weight: x})
			total += x
		}
	}
	return to, total
}

// of returns the weight of a term from its weight in the raw bag, before its document frequency is taken into account.
func (t TF) of(weight uint64) float64 {
	f := float64(weight) / Unit
	if t == LogTF && f >= 1 {
		return 1 + math.Log2(f)
	}
	return f
}

// apportion appends the terms of w.share to the bag. It gives each its part of the sum, rounded down, and the rest of
// the sum to the terms with the largest remainders and, among equal remainders, to the smaller term (Hamilton's
// method). So the sum is always the same, and many small weights do not round to nothing, as they would one by one.
func (w *Weigher) apportion(total float64) {
	left := w.how.Sum
	for i := range w.share {
		s := &w.share[i]
		part := s.weight / total * float64(w.how.Sum)
		s.count = uint32(part)
		s.weight = part - float64(s.count)
		left -= int(s.count)
	}
	if left = min(left, len(w.share)); left > 0 {
		w.round(left)
	}
	for _, s := range w.share {
		if s.count > 0 {
			w.bag.Terms = append(w.bag.Terms, s.term)
			w.bag.Counts = append(w.bag.Counts, uint16(s.count))
		}
	}
}

// round adds one to the counts of the terms with the largest remainders.
func (w *Weigher) round(terms int) {
	slices.SortFunc(w.share, heaviestFirst)
	for i := range terms {
		w.share[i].count++
	}
	slices.SortFunc(w.share, byTerm)
}

// TitleShare is the share of the field of content that the title of a page gets, if the page has other words. It was
// chosen on the manuals, where a half and a fifth agree less often with the table of contents (by .003 to .009).
const TitleShare = 1.0 / 4

// mix sets w.share to the terms of a title and the best terms of a content, and returns the sum of their weights. The
// weight of a term of the content grows with the logarithm of its count, however the terms of links are weighed.
func (w *Weigher) mix(title, content []Weighted) (total float64) {
	var ofTitle, ofContent float64
	w.title, ofTitle = w.weighed(w.title[:0], title, RawTF)
	w.content, _ = w.weighed(w.content[:0], content, LogTF)
	w.content = w.best(w.content)
	for _, s := range w.content {
		ofContent += s.weight
	}
	if ofTitle > 0 && ofContent > 0 {
		scale := TitleShare / (1 - TitleShare) * ofContent / ofTitle
		for i := range w.title {
			w.title[i].weight *= scale
		}
	}
	return w.merge()
}

// best returns the heaviest terms of the content, in the order of the terms.
func (w *Weigher) best(all []share) []share {
	if len(all) <= w.how.ContentTerms {
		return all
	}
	slices.SortFunc(all, heaviestFirst)
	all = all[:w.how.ContentTerms]
	slices.SortFunc(all, byTerm)
	return all
}

// merge sets w.share to the terms of w.title and w.content, and returns the sum of the weights. Both are in the order
// of the terms.
func (w *Weigher) merge() (total float64) {
	w.share = w.share[:0]
	for title, content := w.title, w.content; len(title) > 0 || len(content) > 0; {
		var s share
		switch {
		case len(content) == 0 || len(title) > 0 && title[0].term < content[0].term:
			s, title = title[0], title[1:]
		case len(title) == 0 || content[0].term < title[0].term:
			s, content = content[0], content[1:]
		default:
			s = title[0]
			s.weight += content[0].weight
			title, content = title[1:], content[1:]
		}
		total += s.weight
		w.share = append(w.share, s)
	}
	return total
}
