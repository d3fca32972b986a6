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

// texts counts the documents that have each text in the links to them. If there are too many texts, it drops those that
// occurred in the fewest documents, so that its counts are at most documents/2^16 too low. Documents come in the order of
// hashes, so a common text is in every part of them.
type texts struct {
	count     map[uint64]uint32 // by the hash of the name of the text; see names.Of
	documents int
	seen      []uint64 // by the last document
}

// add counts the texts of the links to a document, each once.
func (t *texts) add(quotes []anchors.Quote) {
	if t.count == nil {
		t.count = map[uint64]uint32{}
	}
	t.documents++
	t.seen = t.seen[:0]
	for _, q := range quotes {
		name := names.Of(string(q.Anchor))
		if name == "" || len(name) > names.Longest {
			continue
		}
		if h := Hash(name); !slices.Contains(t.seen, h) {
			t.seen = append(t.seen, h)
			t.count[h]++
		}
	}
	for least := uint32(1); len(t.count) > mostCounted; least++ {
		maps.DeleteFunc(t.count, func(_ uint64, n uint32) bool { return n <= least })
	}
}

// A text is common if at least leastCommon documents have it, and one of commonShare.
const (
	leastCommon = 16
	commonShare = 1 << 15
)

// common returns the hashes of the names of the common texts, ascending.
func (t *texts) common() (out []uint64) {
	for h, n := range t.count {
		if int(n) >= max(leastCommon, t.documents/commonShare) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}
