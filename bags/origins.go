package bags

// Origins says which parts of a bag's counts come from the title and the content. The rest of each count comes from
// links; terms that come only from links are not listed.
type Origins struct {
	Terms   []uint32 // numbers of terms in the Dictionary, ascending
	Title   []uint16 // the part of the count that comes from the title of the document
	Content []uint16 // the part that comes from its content
}

// Len returns the number of terms.
func (s Origins) Len() int { return len(s.Terms) }

// parts holds the parts of a term's weight that come from the title and from the content, from 0 to 1.
type parts struct {
	title, content float64
}

// Origins returns the origins of the last bag, valid until the next call of Weigh.
func (w *Weigher) Origins() Origins { return w.origins }

// attribute sets w.parts for the terms of w.share, before their weights are rounded.
func (w *Weigher) attribute(raw *Raw) {
	w.parts = w.parts[:0]
	if len(raw.Title) == 0 && len(w.content) == 0 {
		return
	}
	title, content := w.titles(raw), w.content
	for _, s := range w.share {
		for len(title) > 0 && title[0].term < s.term {
			title = title[1:]
		}
		for len(content) > 0 && content[0].term < s.term {
			content = content[1:]
		}
		p := parts{}
		if len(content) > 0 && content[0].term == s.term {
			p.content = content[0].weight / s.weight
		}
		if len(title) > 0 && title[0].term == s.term {
			p.title = (1 - p.content) * title[0].weight
		}
		w.parts = append(w.parts, p)
	}
}

// titles returns the terms of the title, each with the title's part of its weight in raw.Terms.
func (w *Weigher) titles(raw *Raw) []share {
	w.title = w.title[:0]
	terms := raw.Terms
	for _, t := range raw.Title {
		for len(terms) > 0 && terms[0].Term < t.Term {
			terms = terms[1:]
		}
		if id, _, ok := w.terms.Lookup(t.Term); ok && len(terms) > 0 && terms[0].Term == t.Term {
			w.title = append(w.title, share{term: id, weight: float64(t.Weight) / float64(terms[0].Weight)})
		}
	}
	return w.title
}

// divide appends the origins of a term with count n, unless all of it comes from links.
func (w *Weigher) divide(term, n uint32, p parts) {
	title, content := p.of(n)
	if title+content == 0 {
		return
	}
	s := &w.origins
	s.Terms, s.Title, s.Content = append(s.Terms, term), append(s.Title, uint16(title)), append(s.Content, uint16(content))
}

// of divides a count of n into whole parts by largest remainders.
func (p parts) of(n uint32) (title, content uint32) {
	exact := [3]float64{p.title * float64(n), p.content * float64(n), max(0, 1-p.title-p.content) * float64(n)}
	var whole [3]uint32
	left := n
	for i, x := range exact {
		whole[i] = uint32(x)
		left -= whole[i]
		exact[i] -= float64(whole[i])
	}
	for ; left > 0 && left <= 3; left-- {
		most := 0
		for i := range exact {
			if exact[i] > exact[most] {
				most = i
			}
		}
		whole[most]++
		exact[most] = -1
	}
	return whole[0], whole[1]
}
