package label

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/bags"
)

// maxPhrase is the largest number of words in a phrase.
const maxPhrase = 4

// A phrase replaces a term if this share of the members with the term also have the phrase. If all terms of the phrase
// are good, a smaller share is enough.
const (
	usual     = 0.5
	usualGood = 0.3
)

// choose takes the best terms, in the phrases in which they usually occur, until the label is full. With parts, it also
// takes terms that are usually parts of names, such as "SPI" in "SPI_commit", and words of URLs.
func (l *Labeller) choose(ranked []scored, parts bool, names ...string) []string {
	out := names
	used, good := map[bags.Term]bool{}, map[bags.Term]bool{}
	for _, r := range ranked[:min(len(ranked), leads)] {
		good[l.hash(r.term)] = true
	}
	words, best := 0, 0.0
	for _, name := range names {
		words += len(strings.Fields(name))
	}
	for _, r := range ranked {
		if r.score < best*leastScore || len(out) == MaxPhrases || words >= MaxWords {
			break
		}
		if used[l.hash(r.term)] || l.excluded[l.hash(r.term)] || r.inURL && !parts {
			continue
		}
		shown, terms := l.widen(r.term, good, parts)
		if shown == "" || isAddress(shown) || Alike(out, shown) || l.repeats(shown) || words+len(terms) > MaxWords && len(out) > 0 ||
			len(out) == 0 && l.taken[strings.ToLower(shown)] {
			continue
		}
		for _, t := range terms {
			used[t] = true
		}
		best = max(best, r.score)
		out, words = append(out, shown), words+len(terms)
	}
	return out
}

// hash returns the term of the same word around links.
func (l *Labeller) hash(term uint32) bags.Term { return bags.Term(l.crawl.Hash[term]).OfLinks() }

// bags returns the number of bags that have terms of the kind of a term.
func (l *Labeller) bags(term uint32) float64 {
	return float64(l.crawl.Bags.Of(bags.Term(l.crawl.Hash[term])))
}

// widen returns the longest phrase in which a term usually occurs, or the term alone, in its usual spelling and with
// its terms. The phrase is empty if the term must not be shown alone.
func (l *Labeller) widen(term uint32, good map[bags.Term]bool, parts bool) (shown string, terms []bags.Term) {
	l.phrases(term)
	alone := l.sequences[0]
	for n := maxPhrase; n > 1; n-- {
		best := -1
		for i := 1; i < len(l.sequences); i++ {
			if r := &l.sequences[i]; len(r.words) == n && (best < 0 || l.before(r, &l.sequences[best])) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		r := &l.sequences[best]
		share := usual
		if l.all(r, good) {
			share = usualGood
		}
		if int(r.members) >= min(2, l.members) && r.sources > 1 && float64(r.members) >= share*float64(alone.members) {
			return surface(r.words, l.said()), hashes(r.words)
		}
	}
	if alone.words == nil { // only the bags have it
		shown = l.crawl.Word(term)
	} else {
		shown = surface(alone.words, l.said())
	}
	if !shows(shown) || !parts && 4*alone.glued > 3*alone.count {
		return "", nil
	}
	return shown, []bags.Term{l.hash(term)}
}

// before orders sequences of one length by descending number of members, then by the hashes of their words.
func (l *Labeller) before(a, b *sequence) bool {
	return cmp.Or(cmp.Compare(b.members, a.members), slices.Compare(hashes(a.words), hashes(b.words))) < 0
}

func (l *Labeller) all(r *sequence, good map[bags.Term]bool) bool {
	for _, w := range r.words {
		if !good[w.hash] || w.glued {
			return false
		}
	}
	return true
}

func hashes(words []word) []bags.Term {
	out := make([]bags.Term, len(words))
	for i, w := range words {
		out[i] = w.hash
	}
	return out
}

// sequence is a sequence of terms that occurs in the texts.
type sequence struct {
	key     uint64
	words   []word // its first occurrence
	members int32
	last    int32 // last counted member
	count   int32 // number of occurrences, and of those inside a longer name
	glued   int32
	sources int8   // number of pages that have it: 1, or 2 for several
	source  uint64 // the first of them
}

// phrases fills l.sequences with the term alone, which comes first, and all phrases that contain it.
func (l *Labeller) phrases(term uint32) {
	clear(l.sequenceAt)
	l.sequences = append(l.sequences[:0], sequence{last: -1})
	for _, p := range l.texts {
		for i := range p.words {
			if p.words[i].term != term {
				continue
			}
			l.sequences[0].add(p, p.words[i:i+1])
			if p.words[i].glued {
				l.sequences[0].glued++
			}
			for from := max(0, i-maxPhrase+1); from <= i; from++ {
				for to := max(i+1, from+2); to <= min(len(p.words), from+maxPhrase); to++ {
					if words := p.words[from:to]; whole(words) {
						l.run(key(words)).add(p, words)
					}
				}
			}
		}
	}
}

func (l *Labeller) run(key uint64) *sequence {
	i, ok := l.sequenceAt[key]
	if !ok {
		i = int32(len(l.sequences))
		l.sequenceAt[key] = i
		l.sequences = append(l.sequences, sequence{key: key, last: -1})
	}
	return &l.sequences[i]
}

// key returns a hash of the terms of some words.
func key(words []word) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		h = w.hash.AddTo(h)
	}
	return h
}

func (r *sequence) add(p passage, words []word) {
	if r.words == nil {
		r.words, r.source, r.sources = words, p.source, 1
	}
	r.count++
	if r.last != p.member {
		r.last = p.member
		r.members++
	}
	if p.source != r.source {
		r.sources = 2
	}
}

// whole reports whether words are a phrase: no sign separates them, they neither begin nor end with a stop word or a
// number, the stop words inside are binding ones, and they are not part of a longer name, as "c-driver" is of
// "mongo-c-driver".
func whole(w []word) bool {
	for i, x := range w {
		if i > 0 && x.parted || x.hash == 0 && !x.binds || x.mute {
			return false
		}
	}
	first, last := w[0], w[len(w)-1]
	return first.hash != 0 && last.hash != 0 && first.opens && last.ends
}

// said yields the texts.
func (l *Labeller) said() iter.Seq2[*passage, set] {
	one := set{1}
	return func(yield func(*passage, set) bool) {
		for i := range l.texts {
			if !yield(&l.texts[i], one) {
				return
			}
		}
	}
}

// surface returns the most frequent spelling of a sequence in some passages, each of which counts as many times as it has members.
func surface(of []word, in iter.Seq2[*passage, set]) string {
	count := map[string]int{}
	best := ""
	for p, members := range in {
		for from := range max(0, len(p.words)-len(of)+1) {
			words := p.words[from : from+len(of)]
			if !same(words, of) {
				continue
			}
			s := written(p.text, words)
			count[s] += members.len()
			if n := count[s]; n > count[best] || n == count[best] && s < best {
				best = s
			}
		}
	}
	return best
}

func same(words, as []word) bool {
	for i, w := range words {
		if w.hash != as[i].hash || i > 0 && w.parted {
			return false
		}
	}
	return true
}

// written returns the text of some words, with the signs of "C++" and "C#".
func written(text []byte, words []word) string {
	from, end := words[0].from, words[len(words)-1].to
	for int(end) < len(text) && (text[end] == '+' || text[end] == '#') {
		end++
	}
	return string(text[from:end])
}

// Alike reports whether a phrase adds little to the chosen ones, as "mongo" to "MongoDB" and "NodeJS" to "Node.js".
func Alike(chosen []string, phrase string) bool {
	p := letters(phrase)
	return slices.ContainsFunc(chosen, func(c string) bool {
		c = letters(c)
		return strings.Contains(c, p) || strings.Contains(p, c)
	})
}

// letters returns the letters and digits of a phrase in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// names returns the label of a cluster without good terms: the title or anchor that most members have or, if there is
// none, a word of the bags.
func (l *Labeller) names(members []Member) []string {
	count := map[string]int{}
	best := ""
	for _, m := range members {
		for _, t := range m.Texts {
			s := strings.Join(strings.Fields(string(t.Name)), " ")
			if !slices.ContainsFunc([]rune(s), unicode.IsLetter) || len(strings.Fields(s)) > MaxWords {
				continue
			}
			count[s]++
			if n := count[s]; n > count[best] || n == count[best] && s < best {
				best = s
			}
		}
	}
	if best != "" {
		return []string{best}
	}
	if len(l.terms) == 0 {
		return nil
	}
	most := slices.MaxFunc(l.terms, func(a, b evidence) int { return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(b.term, a.term)) })
	return []string{l.crawl.Word(most.term)}
}
