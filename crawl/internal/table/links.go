package table

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lshclust/lshclust/crawl/record"
)

// A text may come with a list of its links. Scrapers write them as strings, as objects such as {"href": …, "text": …},
// or in lists by kind: {"internal": […], "external": […]}. The words around such a link are those of its anchor.

// maxLinks is the maximum number of links in a list, as on a page of HTML.
const maxLinks = 1 << 17

// linkBytes is the approximate memory of a link without its text.
const linkBytes = 256

var linkNames = namesOf(map[Field]string{
	FieldTarget: "href url link target uri targeturl to absoluteurl", FieldAnchor: "text anchor anchortext linktext label title",
	fieldRel: "rel", fieldNoFollow: "nofollow", fieldBefore: "before", fieldAfter: "after",
})

var errManyLinks = errors.New("too many links")

// pageLinks reads the links of a page. It ignores what is no link. The error is about memory.
func pageLinks(r *record.Record, raw []byte) ([]record.Link, error) {
	n := min(int64(bytes.Count(raw, []byte(`"`))/2), maxLinks)
	if err := r.Opts.Needs(2*int64(len(raw))+linkBytes*n, r.Pos, "a list of links"); err != nil {
		return nil, err
	}
	links := []record.Link{}
	in := readerOf(raw, &r.Room)
	defer in.done()
	_ = in.links(&links, 1) // the syntax was checked with that of the object
	return links, nil
}

// links reads a list of links, or an object of such lists.
func (r *lineReader) links(to *[]record.Link, depth int) error {
	switch kind := r.PeekKind(); {
	case kind == '{' && depth > 0:
		return r.members(func([]byte) error { return r.links(to, depth-1) })
	case kind != '[':
		return r.SkipValue()
	}
	return r.elements(func() (err error) {
		if len(*to) == maxLinks {
			return errManyLinks
		}
		var v Values
		switch r.PeekKind() {
		case '"':
			var raw jsontext.Value
			if raw, err = r.ReadValue(); err == nil {
				v.Of[FieldTarget] = r.text(raw)
			}
		case '{':
			err = r.object(&v, linkNames)
		default:
			err = r.SkipValue()
		}
		if err == nil && v.has(FieldTarget) {
			*to = append(*to, linkIn(&v, "", v.Of[FieldAnchor]))
		}
		return err
	})
}
