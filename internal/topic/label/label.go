package label

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
)

// A label has at most MaxPhrases phrases with at most MaxWords words in all, unless the first phrase alone has more
// words.
const (
	MaxPhrases = 5
	MaxWords   = 6
)

// MaxMembers is the largest number of members to pass to Label. Pass a sample of a larger cluster.
const MaxMembers = 64

// Join returns the phrases of a label in one line.
func Join(phrases []string) string { return strings.Join(phrases, ", ") }

// Crawl holds the terms of all bags, with which a Labeller compares the words of a cluster.
type Crawl struct {
	Hash []uint64                 // of each term, ascending; the number of a term is its index
	DF   []uint32                 // number of bags that have the term
	Bags bags.Corpus              // number of bags with terms of either kind
	Word func(term uint32) string // returns the word to show for a term
}

// Member is a document of a cluster.
type Member struct {
	URL   string
	Bag   bags.Bag
	Texts []Text
	Cut   *Cut // keeps what a Labeller makes of Texts; may be nil
}

// Text is what one page says about a document: the title of the document itself, or the sentence of a link to it.
type Text struct {
	Source   uint64 // identifies the page
	Language string // of the page, "" if unknown
	Before   []byte
	Name     []byte // the title, or the anchor of the link
	After    []byte
	Heads    *Headings // above the link; may be nil
}

// Headings are those above links on one page, from the nearest up.
type Headings struct {
	Place HeadingPlace
	Site  string // of the page; see urls.Place
	Own   bool   // it is the members' own site: Texts has the title of the page alone
	Texts []string
	cut   []passage // their words, once a Labeller has cut them
}

// HeadingPlace is the place of a heading: the hash of the URL of its page, and its number there.
type HeadingPlace struct {
	Page   uint64
	Number int
}

// Labeller labels clusters, one after another. It is not safe for concurrent use.
type Labeller struct {
	crawl      Crawl
	vocabulary *text.Vocabulary
	guesses    bool // texts have languages
	split      text.Splitter
	content    uint32             // first term of content
	meanings   map[uint64]meaning // by the hash of language and word
	known      []knowledge        // by term

	// What the current cluster is contrasted with; see LabelAmong.
	share    func(term uint32) float64
	above    []string // letters of the phrases
	taken    map[string]bool
	excluded map[bags.Term]bool

	// The state for the current cluster.
	members int
	first   set    // members with the first phrase of headings, or nil if none names the cluster
	cluster uint32 // number of the cluster
	at      []seen // by term
	terms   []evidence
	texts   []passage
	heads   []headed
	headAt  map[HeadingPlace]int // index in heads
	sets    []uint64             // the members of headings and phrases
	urls    []string

	sequences  []sequence // of words, with one of the best terms; see phrases
	sequenceAt map[uint64]int32
	addressed  map[string]int // words, while address works
}

// knowledge is what a Labeller finds out about a term once.
type knowledge struct {
	rarity float64 // factor of its score; 0 if not known yet, negative if the term is in all bags
	other  uint32  // 1 more than the number that Labeller.other returns; 0 if not known yet
	word   kind    // 0 if not known yet
}

// kind says what a word is good for.
type kind uint8

const (
	looked   kind = 1 << iota
	alone         // it may be shown alone
	function      // it is a function word
	filler        // it names nothing
)

// seen locates the counts of a term.
type seen struct {
	cluster uint32 // the last cluster that has the term
	index   int32  // its index in terms
}

// New returns a Labeller for a crawl whose terms were made with the given analysis.
func New(crawl Crawl, a text.Analysis) (*Labeller, error) {
	v, err := text.NewVocabulary(a)
	if err != nil {
		return nil, err
	}
	guesses, _ := a.Guesses()
	return &Labeller{
		crawl: crawl, vocabulary: v, guesses: guesses, content: uint32(bags.FirstOfContent(crawl.Hash)), meanings: map[uint64]meaning{},
		headAt: map[HeadingPlace]int{}, sequenceAt: map[uint64]int32{}, excluded: map[bags.Term]bool{},
		known: make([]knowledge, len(crawl.DF)), at: make([]seen, len(crawl.DF)), addressed: map[string]int{},
	}, nil
}

// Label returns the phrases of the label of a cluster, the best first, or none if the members have no texts and empty
// bags.
func (l *Labeller) Label(members []Member) []string {
	l.read(members)
	names := l.named()
	for _, least := range []float64{leastShare, 0} {
		if out := l.choose(l.rank(least), false, names...); len(out) > 0 {
			return out
		}
	}
	if out := l.choose(l.rank(0), true); len(out) > 0 {
		return out
	}
	return l.names(members)
}

// Headed returns which members of the last cluster have its first phrase, or nil if no phrase of headings names it.
func (l *Labeller) Headed() (has []bool) {
	for i := range 64 * len(l.first) {
		has = append(has, l.first[i/64]>>(i%64)&1 != 0)
	}
	return has[:min(len(has), l.members)]
}

// evidence holds the counts from which a word is scored.
type evidence struct {
	term  uint32 // number of the word
	value int32  // sum over the members of the value of the best place in which the term occurs
	said  int32  // members whose titles, anchors or sentences have it
	held  int32  // members whose bags have it
	count int32  // sum of its counts in the bags
	last  int32  // last counted member
	place int32  // and the best place there

	begins bool // it begins a phrase of a heading
}

// The values of the places in which a term may occur. A bag also has the words of the URL, of headings and of
// neighbouring links.
const (
	inBag    = 1
	inText   = 2
	inName   = 4
	maxCount = inName
)

// The parameters of score, chosen with lab labels on the halves named dev.
const (
	rarityPower = -0.75 // the counts of bags include the rarity already; this takes most of it back
	unsaid      = 0.4   // factor of a term in no title, anchor or sentence; usually from a heading above the links
	unsaidInURL = 0.1   // factor of such a term if it is from the URLs
	saidOnce    = 0.1   // factor of a term in the texts of only one member; usually it is its name
	leastScore  = 0.02  // a phrase needs this share of the best score
	leastShare  = 0.2   // and a term this share of the members, unless no term has it
)

// scored is a term with its score.
type scored struct {
	term   uint32
	score  float64
	unsaid bool // only the bags have it
	inURL  bool // and only from the URLs
}

// bestTerms is the number of the best terms that a label may use, and leads the number of those that make a phrase more
// likely (see choose).
const (
	bestTerms = 20
	leads     = 10
)

// rank returns the best terms that a share of the members have, the best first, and ties by number.
func (l *Labeller) rank(least float64) []scored {
	var out []scored
	for i := range l.terms {
		e := &l.terms[i]
		if l.members > 1 && e.held < 2 && e.said < 2 || float64(max(e.held, e.said)) < least*float64(l.members) {
			continue
		}
		if s := l.score(e); s > 0 {
			out = append(out, scored{term: e.term, score: s, unsaid: e.said == 0})
		}
	}
	slices.SortFunc(out, byScore)
	best := out[:0]
	for _, r := range out {
		if len(best) == 2*bestTerms {
			break
		}
		if l.shown(r.term, r.unsaid) {
			best = append(best, r)
		}
	}
	l.address(best)
	slices.SortFunc(best, byScore)
	return best[:min(len(best), bestTerms)]
}

func byScore(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.term, b.term))
}

// shown reports whether the word of a term may be shown alone. A function word of any language may be only if it is said in
// another language, and a filler only if no siblings are to be told apart.
func (l *Labeller) shown(term uint32, unsaid bool) bool {
	k := &l.known[term].word
	if *k == 0 {
		word := l.crawl.Word(term)
		low := strings.ToLower(word)
		*k = looked
		if shows(word) || languages[strings.ToUpper(word)] {
			*k |= alone
		}
		if l.guesses && text.IsFunctionWord(low, "") {
			*k |= function
		}
		if fillers[strings.ReplaceAll(low, "’", "'")] {
			*k |= filler
		}
	}
	return *k&alone != 0 && !(*k&function != 0 && unsaid) && !(*k&filler != 0 && l.share != nil)
}

// address lowers the scores of terms that occur in the URLs of the members but in no text.
func (l *Labeller) address(ranked []scored) {
	at := l.addressed
	defer clear(at)
	for i, r := range ranked {
		if r.unsaid {
			at[strings.ToLower(l.crawl.Word(r.term))] = i
		}
	}
	for _, url := range l.urls {
		if len(at) == 0 {
			return
		}
		for word := range strings.FieldsFuncSeq(url, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			word = strings.ToLower(word)
			if i, ok := at[word]; ok {
				ranked[i].score *= unsaidInURL / unsaid
				ranked[i].inURL = true
				delete(at, word)
			}
		}
	}
}

// score returns how well a term describes the cluster, or 0 if it does not. The score grows with the weight of the term
// in the bags, with the share of the members that have it, and with the value of the places in which it occurs. It is 0
// for terms that are no more frequent in the cluster than in the links or the contents of the crawl.
func (l *Labeller) score(e *evidence) float64 {
	n := float64(l.members)
	held := float64(max(e.held, e.said)) / n
	contrast := 1 - max(l.common(e.term), l.siblings(e.term))/held
	rarity := l.rarity(e.term)
	if contrast <= 0 || rarity <= 0 {
		return 0
	}
	s := contrast * (float64(e.count)/n + 0.1) * math.Sqrt(held) * math.Sqrt(math.Sqrt(float64(e.value)/(maxCount*n))) * rarity
	switch e.said {
	case 0:
		s *= unsaid
	case 1:
		s *= saidOnce
	}
	return s
}

// common returns the share of the bags that have a word: of those with words around links or of those with contents,
// whichever is larger.
func (l *Labeller) common(word uint32) float64 {
	share := func(term uint32) float64 { return float64(l.crawl.DF[term]) / l.bags(term) }
	return max(share(word), share(l.other(word)))
}

// rarity returns the factor of a term's score for its rarity, which is negative if all bags have the term.
func (l *Labeller) rarity(term uint32) float64 {
	k := &l.known[term]
	if k.rarity == 0 {
		k.rarity = -1
		if log := math.Log((l.bags(term) + 1) / float64(l.crawl.DF[term])); log > 0 {
			k.rarity = math.Pow(log, rarityPower)
		}
	}
	return k.rarity
}
