package tables

import (
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// Naming tells what documents are called.
type Naming struct {
	Documents *Documents
	Evidence  *Evidence
}

// Of returns the name of a document; see [names.Choose]. Pages that ask not to be indexed or quoted do not name others.
func (n Naming) Of(id uint32) string {
	d := names.Document{URL: n.Documents.URL(id), Title: n.Documents.Title(id), Common: n.Evidence.Common}
	if strings.TrimSpace(d.Title) == "" {
		for _, q := range n.Quotes(id) {
			d.Links = append(d.Links, names.Link{Text: string(q.Anchor), Before: string(q.Before)})
		}
	}
	return names.Choose(d)
}

// Quotes returns the sentences that link to a document, without those of pages that ask not to be indexed or quoted.
func (n Naming) Quotes(id uint32) []anchors.Quote {
	all := n.Evidence.Of(id)
	out := all[:0]
	for _, q := range all {
		if from, ok := n.Documents.ByHash(q.Source); ok && n.Documents.Hidden(from) {
			continue
		}
		out = append(out, q)
	}
	return out
}

// mostCounted is the largest number of texts that a counter of texts holds.
const mostCounted = 1 << 17

// texts counts the documents that have each text in the links to them, and the pages of a host whose titles end alike. If
// there are too many texts, it drops those that occurred in the fewest documents, so that its counts are at most
// documents/2^16 too low. Documents come in the order of hashes, so a common text is in every part of them.
type texts struct {
	count     map[uint64]counted // by the hash of the name of the text, see names.Of; of names.TitleEnd; of a host
	documents int
	seen      []uint64 // by the last document
}

// counted is the number of documents that have a text. host is the hash of the host whose titles end in the text, that of
// the text itself if it is a host, and 0 for the text of a link.
type counted struct {
	host uint64
	n    uint32
}

// add counts the texts of the links to a document, each once, and the end of its title.
func (t *texts) add(url, title string, quotes []anchors.Quote) {
	if t.count == nil {
		t.count = map[uint64]counted{}
	}
	t.documents++
	t.seen = t.seen[:0]
	for _, q := range quotes {
		name := names.Of(string(q.Anchor))
		if !names.Fits(name) {
			continue
		}
		if h := Hash(name); !slices.Contains(t.seen, h) {
			t.seen = append(t.seen, h)
			t.count[h] = counted{0, t.count[h].n + 1}
		}
	}
	if title = strings.TrimSpace(title); title != "" {
		h := Hash(names.TitleEnd(url, ""))
		t.count[h] = counted{h, t.count[h].n + 1}
		if _, end := names.CutEnd(title); end != "" {
			e := Hash(names.TitleEnd(url, end))
			t.count[e] = counted{h, t.count[e].n + 1}
		}
	}
	for least := uint32(1); len(t.count) > mostCounted; least++ {
		maps.DeleteFunc(t.count, func(_ uint64, c counted) bool { return c.n <= least })
	}
}

// A text of links is common if at least leastCommon documents have it, and one of commonShare. The end of titles is common
// if at least leastCommon pages of the host have it, and half of those with a title.
const (
	leastCommon = 16
	commonShare = 1 << 15
)

// common returns the hashes of the common texts, ascending.
func (t *texts) common() (out []uint64) {
	for h, c := range t.count {
		least := t.documents / commonShare
		if c.host != 0 {
			least = int(t.count[c.host].n+1) / 2
		}
		if c.host != h && int(c.n) >= max(leastCommon, least) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}
