package bags

import (
	"iter"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Counted sorts a list of terms and yields each distinct term, ascending by hash, with the number of times it occurs.
// Over the terms of several bags the numbers are document frequencies, since a bag has each of its terms once.
func Counted(terms []uint64) iter.Seq2[uint64, uint32] {
	return func(yield func(uint64, uint32) bool) {
		slices.Sort(terms)
		for same := range sets.Runs(terms, func(a, b uint64) bool { return a == b }) {
			if !yield(same[0], uint32(len(same))) {
				return
			}
		}
	}
}

// Frequencies adds up counts of terms that come in the order of their hashes, and selects the terms for a Dictionary:
// those that are neither too rare nor too common among the bags with terms of their kind.
type Frequencies struct {
	Kept, Rare, Common int64 // terms

	how  Weighting
	bags Corpus
	keep func(term uint64, df uint32) error
	term uint64
	df   uint32
	in   []inLanguage
	also func(share uint64) error
}

// inLanguage is the number of bags of documents in a language that contain a term.
type inLanguage struct {
	language uint8
	df       uint32
}

// NewFrequencies returns Frequencies for a corpus. It calls keep with each term for the dictionary and its document
// frequency, in the order of the hashes.
func NewFrequencies(how Weighting, n Corpus, keep func(term uint64, df uint32) error) *Frequencies {
	return &Frequencies{how: how, bags: n, keep: keep}
}

// ByLanguage makes the frequencies call also, before keep, with the share of each language in the documents of a term
// for the dictionary that are in several languages; see Dictionary.ByLanguage.
func (f *Frequencies) ByLanguage(also func(share uint64) error) { f.also = also }

// Add counts df more bags of documents in a language that contain a term. The terms must not descend, nor the languages
// of one term.
func (f *Frequencies) Add(term uint64, language uint8, df uint32) error {
	if term != f.term {
		if err := f.Flush(); err != nil {
			return err
		}
		f.term = term
	}
	if n := len(f.in); n == 0 || f.in[n-1].language != language {
		f.in = append(f.in, inLanguage{language: language})
	}
	f.in[len(f.in)-1].df += df
	f.df += df
	return nil
}

// Flush decides about the last term. Call it after the last Add.
func (f *Frequencies) Flush() error {
	df, in := f.df, f.in
	f.df, f.in = 0, f.in[:0]
	switch {
	case df == 0:
		return nil
	case df < f.how.MinDF:
		f.Rare++
		return nil
	case !f.how.Keep(f.bags.Of(Term(f.term)), df):
		f.Common++
		return nil
	}
	for _, l := range in {
		if f.also != nil && len(in) > 1 {
			if err := f.also(shareOf(uint32(f.Kept), l.language, l.df, df)); err != nil {
				return err
			}
		}
	}
	f.Kept++
	return f.keep(f.term, df)
}
