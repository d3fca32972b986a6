package topics

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// mostCalled is the number of documents whose names are looked up: those with the most linking hosts. It bounds the
// memory of the index and the time that the first search takes.
const mostCalled = 1 << 20

// Documents are listed by their names if they have them almost as firmly as the first one. Others are left to the words
// of their bags, which serve better if a subject was asked for and not a name.
const (
	mostNames  = 10
	leastFirm  = 1.5 // of a name that differs from what was asked for, if the run knows words of it
	almostFirm = 5.0
)

// What makes a name firm, in units of doublings of the number of linking hosts.
const (
	firmLinks = 0.75 // doubling the number of linking pages
	firmTexts = 3.0  // all links have the name as their text
	firmHost  = 4.0  // the main page of a host of that name
	firmSub   = 1.5  // the main page of a host below a host of that name, such as docs.
	firmTitle = 1.0  // the title is the name
	firmPart  = 0.5  // the title has a part that is the name
	firmEnd   = 0.5  // the path ends with the name
	firmDepth = 0.75 // taken off for each segment of the path and for a query
)

// A document with a name that differs from what was asked for is found only if this name, less these figures, is firmer
// than that of every document with the very name.
const (
	lessTypo      = 4.0
	lessPlain     = 0.5 // without accents
	lessBeginning = 3.0 // and as much again for each time that the name is longer
)

// findNames reads the names of the documents. It takes about a second for 400,000 documents.
func findNames(r *runs.Run) *names.Index {
	b := &names.Builder{}
	least := leastHosts(r, mostCalled)
	for id := range uint32(r.Len()) {
		if d := r.Docs.At(id); d.InHosts >= least {
			addNames(r, b, id, d)
		}
	}
	return b.Index()
}

// leastHosts returns the least number of linking hosts that at most n documents have.
func leastHosts(r *runs.Run, n int) uint32 {
	var with [33]int // documents by the length of the number in bits
	for id := range uint32(r.Len()) {
		with[bits.Len32(r.Docs.InHosts(id))]++
	}
	k := 33
	for ; k > 0 && with[k-1] <= n; k-- {
		n -= with[k-1]
	}
	if k == 0 {
		return 0
	}
	return 1 << (k - 1)
}

// addNames adds the names of a document.
func addNames(r *runs.Run, b *names.Builder, id uint32, d tables.Document) {
	type named struct {
		name string
		firm float64
	}
	var all []named
	add := func(name string, firm float64) {
		if name == "" {
			return
		}
		for i := range all {
			if all[i].name == name {
				all[i].firm += firm
				return
			}
		}
		all = append(all, named{name, firm})
	}
	quotes := r.Evidence.Of(id)
	for _, q := range quotes {
		add(names.Of(string(q.Anchor)), firmTexts/float64(len(quotes)))
	}
	_, path := urls.Cut(d.URL)
	path = strings.Trim(path, "/")
	label, main := names.Host(urls.Host(d.URL))
	depth := 0
	switch {
	case path != "":
		depth = 1 + strings.Count(path, "/") + strings.Count(path, "?")
		plain, _, _ := strings.Cut(path, "?")
		add(names.Of(names.Segment(plain[strings.LastIndexByte(plain, '/')+1:])), firmEnd)
	case main:
		add(label, firmHost)
	default:
		add(label, firmSub)
	}
	add(names.Of(d.Title), firmTitle)
	if parts := names.Parts(d.Title); len(parts) > 1 {
		for _, part := range parts {
			add(names.Of(part), firmPart)
		}
	}
	base := math.Log2(float64(1+d.InHosts)) + firmLinks*math.Log2(float64(1+d.InLinks)) - firmDepth*float64(depth)
	for _, n := range all {
		b.Add(n.name, id, float32(base+n.firm))
		if plain := text.Plain(n.name); plain != n.name {
			b.Add(plain, id, float32(base+n.firm-lessPlain))
		}
	}
}

// Find returns the top documents for what was asked: first those that are called so, then those whose bags match its
// words best. Documents of the first kind have Called set. They are sorted by how firmly they have the name.
func Find(r *runs.Run, asked string, w *Words, top int) []WordMatch {
	least := leastFirm
	if len(w.Known) == 0 {
		least = math.Inf(-1) // there is nothing else
	}
	out := byName(r, asked, least)
	named := map[uint32]bool{}
	for _, m := range out {
		named[m.ID] = true
	}
	for _, m := range Ranked(r, w, top+len(out)) {
		if !named[m.ID] {
			out = append(out, m)
		}
	}
	return out[:min(len(out), max(0, top))]
}

// forHome holds the words with which a question for a home page ends; before them is the name.
var forHome = [][]string{{"home", "page"}, {"homepage"}, {"official", "site"}, {"official", "website"}}

// nameIn returns what was asked for without the words of forHome at its end.
func nameIn(asked string) string {
	words := strings.Fields(strings.ToLower(asked))
	for _, end := range forHome {
		if n := len(words) - len(end); n > 0 && slices.Equal(words[n:], end) {
			return strings.Join(words[:n], " ")
		}
	}
	return asked
}

// byName returns documents that are called what was asked for, or have a name like it that is firmer than least. Those
// come last that are called so without the accents that were asked for.
func byName(r *runs.Run, asked string, least float64) []WordMatch {
	name := names.Of(string(text.Form([]byte(nameIn(asked)))))
	found, plain := namedLike(r, name, least), text.Plain(name)
	if plain == name {
		return found
	}
	whole := len(found) > 0 && found[0].Called == names.Whole
	for _, m := range namedLike(r, plain, least) {
		if (!whole || m.Called == names.Whole) && !slices.ContainsFunc(found, func(f WordMatch) bool { return f.ID == m.ID }) {
			found = append(found, m)
		}
	}
	return found
}

// namedLike returns documents that have a name, made by names.Of, or one like it that is firmer than least.
func namedLike(r *runs.Run, name string, least float64) []WordMatch {
	if !names.Fits(name) {
		return nil
	}
	type match struct {
		WordMatch
		firm float64
	}
	var all []match
	letters, plain := float64(utf8.RuneCountInString(name)), text.Plain(name)
	runs.Memo(r, findNames).Each(name, func(m names.Match) {
		score, less := 1.0, 0.0
		has := float64(utf8.RuneCountInString(m.Name))
		switch m.Kind {
		case names.Whole:
			least = max(least, float64(m.Held[0].Firmness))
		case names.Typo:
			if plain != name && text.Plain(m.Name) == plain {
				return // no typo: see byName
			}
			score, less = 1-1/max(has, letters), lessTypo
		case names.Beginning:
			score, less = letters/has, lessBeginning*has/letters
		}
		for _, h := range m.Held {
			if firm := float64(h.Firmness) - less; m.Kind == names.Whole || firm > least {
				all = append(all, match{WordMatch{h.ID, score, m.Kind}, firm})
			}
		}
	})
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.firm, a.firm), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Called, b.Called))
	})
	seen := map[uint32]bool{}
	var out []WordMatch
	for _, m := range all {
		if !seen[m.ID] && len(out) < mostNames && m.firm >= all[0].firm-almostFirm {
			seen[m.ID] = true
			out = append(out, m.WordMatch)
		}
	}
	return out
}
