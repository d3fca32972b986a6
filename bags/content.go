package bags

import (
	"slices"
)

// TitleShare is the share of the field of content that the title of a page gets, if the page has other words. It was
// chosen on the manuals, where a half and a fifth agree less often with the table of contents (by .003 to .009).
const TitleShare = 1.0 / 4

// mix sets w.share to the terms of a title and the best terms of a content, and returns the sum of their weights. The
// weight of a term of the content grows with the logarithm of its count, however the terms of links are weighed.
func (w *Weigher) mix(title, content []Weighted) (total float64) {
	var ofTitle, ofContent float64
	w.title, ofTitle = w.weighed(w.title[:0], title, RawTF)
	w.content, _ = w.weighed(w.content[:0], content, LogTF)
	w.content = w.best(w.content)
	for _, s := range w.content {
		ofContent += s.weight
	}
	if ofTitle > 0 && ofContent > 0 {
		scale := TitleShare / (1 - TitleShare) * ofContent / ofTitle
		for i := range w.title {
			w.title[i].weight *= scale
		}
	}
	return w.merge()
}

// best returns the heaviest terms of the content, in the order of the terms.
func (w *Weigher) best(all []share) []share {
	if len(all) <= w.how.ContentTerms {
		return all
	}
	slices.SortFunc(all, heaviestFirst)
	all = all[:w.how.ContentTerms]
	slices.SortFunc(all, byTerm)
	return all
}

// merge sets w.share to the terms of w.title and w.content, and returns the sum of the weights. Both are in the order
// of the terms.
func (w *Weigher) merge() (total float64) {
	w.share = w.share[:0]
	for title, content := w.title, w.content; len(title) > 0 || len(content) > 0; {
		var s share
		switch {
		case len(content) == 0 || len(title) > 0 && title[0].term < content[0].term:
			s, title = title[0], title[1:]
		case len(title) == 0 || content[0].term < title[0].term:
			s, content = content[0], content[1:]
		default:
			s = title[0]
			s.weight += content[0].weight
			title, content = title[1:], content[1:]
		}
		total += s.weight
		w.share = append(w.share, s)
	}
	return total
}
