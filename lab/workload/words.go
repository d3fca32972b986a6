package workload

// The most frequent words are English function words, by which a page is recognised as English. All others are made of
// syllables and end in a, o or u, so that no stemmer of English changes them. They have at least two syllables.
var functionWords = [...]string{
	"the", "a", "to", "and", "of", "in", "for", "is", "with", "on", "that", "by", "from", "as", "this", "be", "are", "or", "it", "you", "an", "can",
	"your", "at", "not", "have", "if", "will", "all", "has", "was", "we", "but", "which", "more", "their", "they", "when", "than", "into", "only", "its",
}

const (
	consonants = "bdfghjklmnprstvz"
	vowels     = "aoiue" // the first three are followed by others
	endings    = "aou"
	inner      = len(consonants) * len(vowels)
	final      = len(consonants) * len(endings)
)

// appendWord appends the word of a rank, from 0. Words of different ranks are different.
func appendWord(dst []byte, rank uint64) []byte {
	if rank < uint64(len(functionWords)) {
		return append(dst, functionWords[rank]...)
	}
	rank -= uint64(len(functionWords))
	syllables, words := 1, uint64(inner*final)
	for rank >= words {
		rank -= words
		syllables++
		words *= uint64(inner)
	}
	for range syllables {
		s := rank % uint64(inner)
		rank /= uint64(inner)
		dst = append(dst, consonants[s%uint64(len(consonants))], vowels[s/uint64(len(consonants))])
	}
	return append(dst, consonants[rank%uint64(len(consonants))], endings[rank/uint64(len(consonants))])
}

// lexicon holds the most frequent words, which are nearly all.
type lexicon struct {
	text []byte
	from []uint32
}

const lexiconWords = 1 << 16

func newLexicon() *lexicon {
	l := &lexicon{from: make([]uint32, 1, lexiconWords+1)}
	for r := range uint64(lexiconWords) {
		l.text = appendWord(l.text, r)
		l.from = append(l.from, uint32(len(l.text)))
	}
	return l
}

// append appends the word of a rank.
func (l *lexicon) append(dst []byte, rank uint64) []byte {
	if rank < lexiconWords {
		return append(dst, l.text[l.from[rank]:l.from[rank+1]]...)
	}
	return appendWord(dst, rank)
}

// appendNumber appends a number in the base 36.
func appendNumber(dst []byte, n uint64) []byte {
	var b [13]byte
	i := len(b)
	for {
		i--
		b[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[n%36]
		if n /= 36; n == 0 {
			return append(dst, b[i:]...)
		}
	}
}
