package bags

import "github.com/lshclust/lshclust/internal/codec"

// Raw is the raw bag of a document: its terms by source, before document frequencies are taken into account. The terms
// of each list are distinct and ascending. In a run without words of links, Terms holds all words of the document, as
// terms of content, and the other lists are empty.
type Raw struct {
	Language uint8      // of the document, if it was crawled; 0 if it is unknown
	Terms    []Weighted // words around the links to the document; its title, too, in a run without contents
	Title    []Weighted // words of its title, as terms of content
	Content  []Weighted // words of the document itself, as terms of content; a bag takes the best
}

// Append appends the encoding of a raw bag: its language and its terms; then, unless the document has neither title nor content, the
// terms of the title and the terms of the content.
func (r *Raw) Append(dst []byte) []byte {
	dst = AppendTerms(append(dst, r.Language), r.Terms)
	if len(r.Title) == 0 && len(r.Content) == 0 {
		return dst
	}
	return AppendTerms(AppendTerms(dst, r.Title), r.Content)
}

// Decode reads what Append wrote. It reuses the memory of the lists.
func (r *Raw) Decode(b []byte) (err error) {
	*r = Raw{Terms: r.Terms[:0], Title: r.Title[:0], Content: r.Content[:0]}
	if len(b) == 0 {
		return codec.ErrMalformed
	}
	r.Language, b = b[0], b[1:]
	if r.Terms, b, err = DecodeTerms(r.Terms, b); err != nil || len(b) == 0 {
		return err
	}
	if r.Title, b, err = DecodeTerms(r.Title, b); err != nil {
		return err
	}
	if r.Content, b, err = DecodeTerms(r.Content, b); err == nil && len(b) > 0 {
		err = codec.ErrMalformed
	}
	return err
}

// Fields reports whether a raw bag has terms of links, and terms of content.
func (r *Raw) Fields() (links, content bool) {
	for _, list := range [...][]Weighted{r.Terms, r.Title, r.Content} {
		if n := len(list); n > 0 { // the terms of content come last
			links, content = links || !list[0].Term.IsContent(), content || list[n-1].Term.IsContent()
		}
	}
	return links, content
}

// All calls term with each distinct term of a raw bag: first those of r.Terms, then those of the title and the content.
func (r *Raw) All(term func(Term) error) error {
	for _, t := range r.Terms {
		if err := term(t.Term); err != nil {
			return err
		}
	}
	title, content := r.Title, r.Content
	for len(title) > 0 || len(content) > 0 {
		var t Term
		switch {
		case len(content) == 0 || len(title) > 0 && title[0].Term < content[0].Term:
			t, title = title[0].Term, title[1:]
		case len(title) == 0 || content[0].Term < title[0].Term:
			t, content = content[0].Term, content[1:]
		default:
			t, title, content = title[0].Term, title[1:], content[1:]
		}
		if err := term(t); err != nil {
			return err
		}
	}
	return nil
}
