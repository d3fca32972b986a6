package topics

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// Words is a query of a few words, parsed as the run parses its pages.
type Words struct {
	Known   []string // words with a term in the run, in order; only the first of several with one term
	Unknown []string // words that are in no bag of the run
	Stop    []string // stop words of a language of the run; they are in no bag
	words   []inverted.Word
}

// WordMatch is a document whose name or bag matches words.
type WordMatch struct {
	ID     uint32
	Score  float64    // between 0 and 1: for a name the share of letters that match, for a bag see inverted.Index.Matches
	Called names.Kind // how its name matches; 0 if only its bag does
}

// ErrNoWords is the error for a query without a word that is in the run.
var ErrNoWords = errors.New("the run knows none of these words")

// ParseWords parses a query of words. The term of a word depends on the language of the page that contains it, and a query
// has no language. So in a run with pages in several languages, a word stands for its plain form and its stem in each
// language of at least one page in a hundred, each around links and in contents. The weight of a word is that of its
// lightest term with a weight. It is a stop word if it is one in the languages of half of the pages. The error is
// ErrNoWords if no word is known.
func ParseWords(r *runs.Run, query string) (*Words, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	v, err := text.NewVocabulary(r.Config.TextAnalysis())
	if err != nil {
		return nil, err
	}
	l := lookup{r: r, v: v, weight: runs.Memo(r, newWeighing), out: &Words{}}
	l.languages, l.pages = languages(r)
	var split text.Splitter
	split.Split(text.Form([]byte(query)), func(_, _ int, lower []byte) { l.add(string(lower)) })
	if len(l.out.Known) == 0 {
		return l.out, ErrNoWords
	}
	return l.out, nil
}

// lookup looks up the words of a query one after another.
type lookup struct {
	r         *runs.Run
	v         *text.Vocabulary
	weight    func(term uint32) float64
	languages []language
	pages     int64 // in a known language
	out       *Words

	// Of the current word:
	terms []uint32
	least float64 // weight of a term
	again bool    // a word before it has one of its terms
}

// add adds a word, unless the query had it.
func (l *lookup) add(word string) {
	w := l.out
	if slices.Contains(slices.Concat(w.Known, w.Unknown, w.Stop), word) {
		return
	}
	l.terms, l.least, l.again = nil, math.Inf(1), false
	if l.stems(word) {
		w.Stop = append(w.Stop, word)
		return
	}
	if l.again && len(l.terms) == 0 {
		return
	}
	plain := text.Plain(word)
	if math.IsInf(l.least, 1) {
		if plain != word {
			l.stems(plain)
		}
		for _, at := range runs.Memo(l.r, findSpelled)[plain] {
			l.term(at)
		}
	}
	if math.IsInf(l.least, 1) {
		w.Unknown = append(w.Unknown, word)
	} else {
		w.Known, w.words = append(w.Known, word), append(w.words, inverted.Word{Terms: l.terms, Weight: l.least})
	}
}

// stems adds the terms of a word in each language, unless it is a stop word.
func (l *lookup) stems(word string) (stop bool) {
	stopped := int64(0)
	for _, in := range l.languages {
		term := l.v.TermIn(in.name, []byte(word))
		if term == 0 {
			if stopped += in.pages; 2*stopped >= l.pages {
				return true
			}
			continue
		}
		for _, term := range [...]bags.Term{term, term.OfContent()} {
			if at, ok := l.r.Terms.Find(uint64(term)); ok {
				l.term(at)
			}
		}
	}
	return false
}

// term adds a term of the current word.
func (l *lookup) term(at uint32) {
	switch {
	case slices.Contains(l.terms, at):
	case slices.ContainsFunc(l.out.words, func(w inverted.Word) bool { return slices.Contains(w.Terms, at) }):
		l.again = true
	default:
		l.terms = append(l.terms, at)
		if x := l.weight(at); x > 0 { // one that is in all bags says nothing
			l.least = min(l.least, x)
		}
	}
}

// weighing returns the weight of a term.
type weighing func(term uint32) float64

func newWeighing(r *runs.Run) weighing {
	how, of, df := r.Config.BagWeighting(), r.Terms.Bags, r.Terms.DFs()
	links, content := how.Factors(of.Links, df[:r.Content]), how.Factors(of.Content, df[r.Content:])
	return func(term uint32) float64 {
		if term < r.Content {
			return links(df[term])
		}
		return content(df[term])
	}
}

// findSpelled returns the terms whose words have accents or the like, by the words without them.
func findSpelled(r *runs.Run) map[string][]uint32 {
	all := map[string][]uint32{}
	for term := range uint32(r.Terms.Len()) {
		word := r.Terms.Word(term)
		if plain := text.Plain(word); plain != word {
			all[plain] = append(all[plain], term)
		}
	}
	return all
}

// mostOfText is the number of different words of a text that are looked up, the most frequent ones.
const mostOfText = 300

// WordsOf returns the words that say most about a text, at most n of them: those that it has often and that weigh most
// in the run. The error is ErrNoWords if no word is known.
func WordsOf(r *runs.Run, document []byte, n int) (*Words, error) {
	count, split := map[string]int{}, text.Splitter{}
	split.Split(document, func(_, _ int, lower []byte) { count[string(lower)]++ })
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	all, err := ParseWords(r, strings.Join(frequent[:min(len(frequent), mostOfText)], " "))
	if err != nil {
		return all, err
	}
	order := make([]int, len(all.Known))
	for i := range order {
		order[i] = i
	}
	weight := func(i int) float64 { return float64(count[all.Known[i]]) * all.words[i].Weight }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weight(j), weight(i)) })
	out := &Words{}
	for _, i := range order[:min(len(order), n)] {
		out.Known, out.words = append(out.Known, all.Known[i]), append(out.words, all.words[i])
	}
	return out, nil
}

// language is a language of the run with the number of its pages.
type language struct {
	name  string
	pages int64
}

// languages returns the languages in which a word of a query is stemmed, those of most pages first, and the number of
// pages in a known language. "" stands for the plain form.
func languages(r *runs.Run) (all []language, pages int64) {
	if guesses, _ := r.Config.TextAnalysis().Guesses(); !guesses {
		return []language{{"", 1}}, 1 // the vocabulary has one language
	}
	group, _ := r.Manifest.Stage("group")
	for _, name := range text.Languages() {
		if n := group.Counts["language_"+name]; n > 0 {
			all = append(all, language{name, n})
			pages += n
		}
	}
	slices.SortStableFunc(all, func(a, b language) int { return cmp.Compare(b.pages, a.pages) })
	all = slices.DeleteFunc(all, func(l language) bool { return l.pages*100 < pages })
	return append([]language{{}}, all...), pages
}

// Ranked ranks more documents by their bags than it returns, so that linking hosts can change their order. A document
// loses a share of its score, which is hostless for one that no host links to, and less the more hosts do.
const (
	rankedFor = 20
	hostless  = 0.4
)

// Ranked returns the top documents whose bags match the words best and which many hosts link to, best first and ties in
// order of ids.
func Ranked(r *runs.Run, w *Words, top int) []WordMatch {
	var out []WordMatch
	for _, m := range r.Nearest.Matches(w.words, max(top, min(rankedFor*top, 1000))) {
		for _, id := range r.Nodes.Members(m.Node) {
			out = append(out, WordMatch{ID: id, Score: m.Score * (1 - hostless/float64(1+r.Docs.At(id).InHosts))})
		}
	}
	slices.SortStableFunc(out, func(a, b WordMatch) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out[:min(len(out), max(0, top))]
}

// Held returns the words that the bag of a document contains. Those that add most to its score come first.
func Held(r *runs.Run, w *Words, id uint32) []string {
	type part struct {
		word string
		adds float64
	}
	var parts []part
	bag := r.Bags.At(id)
	for i, word := range w.words {
		// The score of one word is relative to its weight.
		if s := inverted.Score(w.words[i:i+1], bag) * word.Weight; s > 0 {
			parts = append(parts, part{w.Known[i], s})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.adds, a.adds) })
	var words []string
	for _, p := range parts {
		words = append(words, p.word)
	}
	return words
}
