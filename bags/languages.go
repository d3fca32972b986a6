package bags

import (
	"math"
	"slices"
)

// A term of content weighs by the documents in the language of its document, since a word that is in each of them says
// nothing, however many documents in other languages there are. Their share is drawn towards that of all documents, as if
// it came from languagePrior documents more: of few documents it says little.
const languagePrior = 30

// Languages holds the numbers of bags with content by the language of their documents, 0 if it is unknown.
type Languages [256]uint64

// ByLanguage makes the dictionary weigh terms of content by language. df holds the document frequencies of all terms, of
// which several those that documents in several languages have: see Frequencies. The dictionary keeps both.
func (d *Dictionary) ByLanguage(n Languages, df []uint32, several []uint64) {
	d.languages, d.df, d.several, d.content = n, df, several, 0
	for _, bags := range n {
		d.content += bags
	}
	i := 0
	for id := 0; id < len(df)+severalStep; id += severalStep {
		for i < len(several) && several[i]>>32 < uint64(id) {
			i++
		}
		d.start = append(d.start, uint32(i))
	}
}

// severalStep is the number of terms for which the dictionary keeps the place of their frequencies by language.
const severalStep = 64

// shareBits is the number of bits of the share of the documents with a term that are in one language.
const shareBits = 24

// shareOf packs the number of a term, a language, and its share of the documents with the term.
func shareOf(id uint32, language uint8, in, df uint32) uint64 {
	return uint64(id)<<32 | uint64(language)<<shareBits | uint64(in)*(1<<shareBits-1)/uint64(df)
}

// LookupIn is Lookup for a term of a document in a language.
func (d *Dictionary) LookupIn(t Term, language uint8) (id uint32, factor float64, ok bool) {
	id, factor, ok = d.Lookup(t)
	if !ok || language == 0 || d.df == nil || !t.IsContent() {
		return id, factor, ok
	}
	all := float64(d.df[id])
	own := (d.share(id, language)*all + languagePrior*all/float64(d.content)) / (float64(d.languages[language]) + languagePrior)
	return id, max(0, -math.Log(own)), true
}

// share returns the share of the documents with a term that are in the language of one of them.
func (d *Dictionary) share(id uint32, language uint8) float64 {
	some := d.several[d.start[id/severalStep]:d.start[id/severalStep+1]]
	i, _ := slices.BinarySearch(some, uint64(id)<<32|uint64(language)<<shareBits)
	switch {
	case i < len(some) && some[i]>>shareBits == uint64(id)<<(32-shareBits)|uint64(language):
		return float64(some[i]&(1<<shareBits-1)) / (1<<shareBits - 1)
	case i < len(some) && some[i]>>32 == uint64(id), i > 0 && some[i-1]>>32 == uint64(id):
		return 0
	}
	return 1
}
