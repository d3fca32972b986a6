package query

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

// Words parses a query of words. The term of a word depends on the language of the page that contains it, and a query
// has no language. So in a run with pages in several languages, a word stands for its plain form and its stem in each
// language of at least one page in a hundred, each around links and in contents. The weight of a word is that of its
// lightest term with a weight. It is a stop word if it is one in the languages of half of the pages. The error is
// ErrNoWords if no word is known.
func (r *topicalView) Words(query string) (*Words, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	v, err := text.NewVocabulary(r.Config.TextAnalysis())
	if err != nil {
		return nil, err
	}
	weight := r.weight()
	w, split := &Words{}, text.Splitter{}
	languages, pages := r.languages()
	split.Split([]byte(query), func(_, _ int, lower []byte) {
		word := string(lower)
		if slices.Contains(slices.Concat(w.Known, w.Unknown, w.Stop), word) {
			return
		}
		var terms []uint32
		least, again := math.Inf(1), false
		stopped := int64(0)
		for _, in := range languages {
			term := v.TermIn(in.name, []byte(word))
			if term == 0 {
				if stopped += in.pages; 2*stopped >= pages {
					w.Stop = append(w.Stop, word)
					return
				}
				continue
			}
			for _, term := range [...]bags.Term{term, term.OfContent()} {
				at, ok := r.terms.Find(uint64(term))
				switch {
				case !ok || slices.Contains(terms, at):
				case slices.ContainsFunc(w.words, func(w inverted.Word) bool { return slices.Contains(w.Terms, at) }):
					again = true
				default:
					terms = append(terms, at)
					if x := weight(at); x > 0 { // one that is in all bags says nothing
						least = min(least, x)
					}
				}
			}
		}
		if again && len(terms) == 0 {
			return
		}
		if math.IsInf(least, 1) {
			w.Unknown = append(w.Unknown, word)
		} else {
			w.Known, w.words = append(w.Known, word), append(w.words, inverted.Word{Terms: terms, Weight: least})
		}
	})
	if len(w.Known) == 0 {
		return w, ErrNoWords
	}
	return w, nil
}

// mostOfText is the number of different words of a text that are looked up, the most frequent ones.
const mostOfText = 300

// WordsOf returns the words that say most about a text, at most n of them: those that it has often and that weigh most
// in the run. The error is ErrNoWords if no word is known.
func (r *topicalView) WordsOf(document []byte, n int) (*Words, error) {
	count, split := map[string]int{}, text.Splitter{}
	split.Split(document, func(_, _ int, lower []byte) { count[string(lower)]++ })
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	all, err := r.Words(strings.Join(frequent[:min(len(frequent), mostOfText)], " "))
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
func (r *documents) languages() (all []language, pages int64) {
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
func (r *topicalView) Ranked(w *Words, top int) []WordMatch {
	var out []WordMatch
	for _, m := range r.nearest.Matches(w.words, max(top, min(rankedFor*top, 1000))) {
		for _, id := range r.nodes.Members(m.Node) {
			out = append(out, WordMatch{ID: id, Score: m.Score * (1 - hostless/float64(1+r.docs.At(id).InHosts))})
		}
	}
	slices.SortStableFunc(out, func(a, b WordMatch) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out[:min(len(out), max(0, top))]
}

// Held returns the words that the bag of a document contains. Those that add most to its score come first.
func (r *topicalView) Held(w *Words, id uint32) []string {
	type part struct {
		word string
		adds float64
	}
	var parts []part
	bag := r.bags.At(id)
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
