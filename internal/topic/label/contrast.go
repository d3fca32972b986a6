package label

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
)

// Contrast describes the surroundings of a cluster in a tree of clusters.
type Contrast struct {
	// Share returns the share of the siblings' members whose bags have a word, given its number; see [Labeller.Words]. nil
	// means that there are no siblings.
	Share func(word uint32) float64

	// Above are the phrases of the labels of the clusters that contain this one.
	Above []string

	// Taken are the first phrases of the labels of siblings, in lower case, which must not be the first here.
	Taken map[string]bool
}

// LabelAmong returns the phrases that distinguish a cluster from its siblings, the best first. It leaves out words that
// are as common among the siblings, and words of the labels above unless they are part of a longer phrase. If nothing
// is left, it readmits the words that siblings have, and if even these are all in the labels above, it returns what
// Label does.
func (l *Labeller) LabelAmong(members []Member, c Contrast) []string {
	l.share, l.taken = c.Share, c.Taken
	for _, phrase := range c.Above {
		l.above = append(l.above, letters(phrase))
	}
	defer func() { l.share, l.above, l.taken = nil, nil, nil }()
	l.read(members)
	names := l.named()
	for term := range l.termsOf(c.Above) {
		l.excluded[term] = true
	}
	defer clear(l.excluded)
	if out := l.choose(l.rank(leastShare), false, names...); len(out) > 0 {
		return out
	}
	l.share = nil
	if out := l.choose(l.rank(leastShare), false); len(out) > 0 {
		return out
	}
	clear(l.excluded)
	l.above = nil
	return l.Label(members)
}

// siblings returns the share of the siblings' members that have a term.
func (l *Labeller) siblings(term uint32) float64 {
	if l.share == nil {
		return 0
	}
	return l.share(term)
}

// termsOf returns the terms of some phrases, in English and without a stemmer: a label does not show the language of its
// words.
func (l *Labeller) termsOf(phrases []string) map[bags.Term]bool {
	out := map[bags.Term]bool{}
	for _, phrase := range phrases {
		l.split.Split([]byte(phrase), func(_, _ int, lower []byte) {
			for _, language := range []string{"english", ""} {
				if t := l.vocabulary.TermIn(language, lower); t != 0 {
					out[t] = true
				}
			}
		})
	}
	return out
}

// repeats reports whether a phrase is part of a label above.
func (l *Labeller) repeats(phrase string) bool {
	p := letters(phrase)
	return slices.ContainsFunc(l.above, func(above string) bool { return strings.Contains(above, p) })
}

// fillers are words that name nothing. They are rare enough to be in no list of stop words, and a contrast with few
// siblings brings them up.
var fillers = words(`add added don't can't doesn't won't didn't isn't don can doesn couldn could would should might got get gets lot lots
	still done want wants try trying tried make makes made keep keeps find let put give gives last next see known name
	free learning system systems better best good great thing things`)
