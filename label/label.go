package label

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/text"
)

// A label has at most MaxPhrases phrases of at most MaxWords words together, unless the first phrase alone has more.
const (
	MaxPhrases = 4
	MaxWords   = 5
)

// MaxMembers is how many members of a cluster a label looks at: it is to be called with no more than that.
const MaxMembers = 64

// Join writes the phrases of a label in one line.
func Join(phrases []string) string { return strings.Join(phrases, ", ") }

// Crawl holds the terms of all bags, with which the words of a cluster are contrasted.
type Crawl struct {
	Hash []uint64                 // of each term, ascending; the number of a term is its place
	DF   []uint32                 // bags that hold the term
	Bags uint64                   // bags that are not empty
	Word func(term uint32) string // a word to show for a term
}

// Member is a document of a cluster.
type Member struct {
	URL   string
	Bag   bags.Bag
	Texts []Text
}

// Text is what one page says of a document: its own title, or the sentence of a link to it.
type Text struct {
	Source   uint64 // names the page
	Language string // that the page seems to be in, "" if unknown
	Before   []byte
	Name     []byte // the title, or the anchor of the link
	After    []byte
}

// Labeller labels clusters, one after the other. It is not safe for concurrent use.
type Labeller struct {
	crawl      Crawl
	vocabulary *text.Vocabulary
	split      text.Splitter
	numbers    map[bags.Term]uint32 // of terms that were looked up

	// The cluster at hand.
	members int
	at      map[uint32]int32 // of each term its place in terms
	terms   []evidence
	texts   []passage
	words   []word
	urls    []string

	runs   []run // of words that hold one term: see phrases
	runsAt map[uint64]int32
}

// New returns a Labeller for a crawl whose words became terms by the analysis.
func New(crawl Crawl, a text.Analysis) (*Labeller, error) {
	v, err := text.NewVocabulary(a)
	if err != nil {
		return nil, err
	}
	return &Labeller{
		crawl: crawl, vocabulary: v, numbers: map[bags.Term]uint32{}, at: map[uint32]int32{}, runsAt: map[uint64]int32{},
	}, nil
}

// Label returns the phrases of a cluster's label, the best first. There are none if nothing is said of the
// members and their bags are empty.
func (l *Labeller) Label(members []Member) []string {
	l.read(members)
	ranked := l.rank()
	for _, parts := range []bool{false, true} { // parts of names if there is nothing else
		if out := l.choose(ranked, parts); len(out) > 0 {
			return out
		}
	}
	return l.names(members)
}

// evidence is what speaks for a term.
type evidence struct {
	term  uint32
	value int32 // sum over the members of the best place in which the term stands
	said  int32 // members whose titles, anchors or sentences have it
	held  int32 // members whose bags have it
	count int32 // sum of its counts in the bags
	last  int32 // member that was counted last
	place int32 // and the best place there
}

// Places in which a term may stand, by what they count. A bag holds the words of the URL, of headings and of neighbouring
// links as well.
const (
	inBag    = 1
	inText   = 2
	inName   = 4
	maxCount = inName
)

// How a term is scored; chosen by lshclust eval labels on the halves dev. See score.
const (
	heldPower   = 0.5
	placePower  = 0.25
	rarityPower = -0.75 // the counts of bags hold the rarity already: this takes most of it back
	unsaid      = 0.4   // for a term that no title, anchor or sentence has: of a heading above the links, as a rule
	unsaidInURL = 0.1   // or of the URLs
	saidOnce    = 0.3   // for a term that stands in those of one member alone: mostly its name
	leastScore  = 0.1   // of the best term's score
)

// scored is a term with its score.
type scored struct {
	term   uint32
	score  float64
	unsaid bool // the bags alone have it
	inURL  bool // and the URLs
}

// looked is the number of terms that may come into a label, and of those that make a phrase more likely (see widen).
const (
	looked = 20
	leads  = 10
)

// rank returns the best terms of the cluster, the best first, ties in the order of their numbers.
func (l *Labeller) rank() []scored {
	var out []scored
	for i := range l.terms {
		e := &l.terms[i]
		if l.members > 1 && e.held < 2 && e.said < 2 {
			continue
		}
		if s := l.score(e); s > 0 {
			out = append(out, scored{term: e.term, score: s, unsaid: e.said == 0})
		}
	}
	slices.SortFunc(out, byScore)
	best := out[:0]
	for _, r := range out {
		if len(best) == 2*looked {
			break
		}
		if shows(l.crawl.Word(r.term)) {
			best = append(best, r)
		}
	}
	l.address(best)
	slices.SortFunc(best, byScore)
	return best[:min(len(best), looked)]
}

func byScore(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.term, b.term))
}

// address lowers the scores of the terms that the URLs of the members have and no text.
func (l *Labeller) address(ranked []scored) {
	at := map[string]int{}
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

// score tells how well a term says what the cluster is about, 0 for one that does not. It grows with what the term weighs in
// the bags, with the share of the members that it is said of and the places in which it stands, and falls to 0 for terms
// that are no more frequent in the cluster than in the crawl.
func (l *Labeller) score(e *evidence) float64 {
	n := float64(l.members)
	df, bags := float64(l.crawl.DF[e.term]), float64(l.crawl.Bags)
	held := float64(max(e.held, e.said)) / n
	contrast := 1 - df/bags/held
	rarity := math.Log((bags + 1) / df)
	if contrast <= 0 || rarity <= 0 {
		return 0
	}
	s := contrast * (float64(e.count)/n + 0.1) * math.Pow(held, heldPower) *
		math.Pow(float64(e.value)/(maxCount*n), placePower) * math.Pow(rarity, rarityPower)
	switch e.said {
	case 0:
		s *= unsaid
	case 1:
		s *= saidOnce
	}
	return s
}
