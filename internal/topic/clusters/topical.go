// Package clusters forms and labels the topical clusters of a run from its tables: [Tables.Centers] runs CENTER over
// the stored pairs ([S3] 4), [Tables.Spread] extends the centers from nodes to documents, and a [Labeller] finds the
// phrases that describe a cluster. [Tables.Tree] forms topics.
//
// The stage "cluster" of a run uses it, and so does package topics when it clusters a finished run again with another
// threshold or order. So both produce the same clusters for the same settings.
package clusters

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// Tables are the tables from which topical clusters are formed. Centers and Spread use only the first two.
type Tables struct {
	Nodes     *tables.Nodes
	Pairs     *tables.Pairs
	Bags      *tables.Bags
	Terms     *tables.Terms
	Documents *tables.Documents
	Evidence  *tables.Evidence
}

// Centers runs CENTER over the pairs of at least the threshold, scanning the nodes in the given order, and returns
// the center of every node.
func (t *Tables) Centers(order center.Order, threshold float32) []uint32 {
	return center.Cluster(t.Pairs, order.Nodes(t.Pairs, threshold, t.size), threshold)
}

// Keys returns the keys by which CENTER scans nodes in the order; see center.Order.
func (t *Tables) Keys(order center.Order, from, to int, threshold float32) []uint64 {
	return order.Keys(t.Pairs, from, to, threshold, t.size)
}

// CentersByKeys is Centers given the keys of all nodes, or nil for the order of ids.
func (t *Tables) CentersByKeys(keys []uint64, threshold float32) []uint32 {
	return center.Cluster(t.Pairs, center.Descending(keys), threshold)
}

// size returns the number of documents of a node.
func (t *Tables) size(node uint32) int { return len(t.Nodes.Members(node)) }

// Spread returns the center, a document, of the cluster of every document, and the similarity to it, given the
// centers of the nodes. A document without words is a cluster by itself.
func (t *Tables) Spread(centers []uint32) (centerOf []uint32, similarity []float32) {
	centerOf, similarity = make([]uint32, t.Nodes.Documents()), make([]float32, t.Nodes.Documents())
	for id := range centerOf {
		centerOf[id], similarity[id] = uint32(id), 1
		node := t.Nodes.Of(uint32(id))
		if node == tables.None {
			continue
		}
		of := centers[node]
		if first := t.Nodes.First(of); first != tables.None {
			centerOf[id] = first
		}
		if of == node {
			continue
		}
		edges := t.Pairs.Neighbours(node)
		byNode := func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) }
		if i, ok := slices.BinarySearchFunc(edges, of, byNode); ok {
			similarity[id] = edges[i].Similarity
		}
	}
	return centerOf, similarity
}

// Labeller labels clusters one after the other. It is not safe for concurrent use.
type Labeller struct {
	tables *Tables
	label  *label.Labeller
	pages  map[uint64]*linking // by the hash of their URL
}

// linking is a page with links, and the headings above them by the number of the nearest.
type linking struct {
	hash            uint64
	id              uint32 // or None
	place, language string
	heads           map[int]*label.Headings
}

// mostPages is the largest number of linking pages that are kept.
const mostPages = 1 << 10

// NewLabeller returns a Labeller for a run whose terms the given analysis made.
func (t *Tables) NewLabeller(how text.Analysis) (*Labeller, error) {
	l, err := label.New(label.Crawl{Hash: t.Terms.Hashes(), DF: t.Terms.DFs(), Bags: t.Terms.Bags, Word: t.Terms.Word}, how)
	return &Labeller{t, l, map[uint64]*linking{}}, err
}

// Label returns the phrases that describe a cluster, best first. It takes the documents of the cluster in ascending
// order. If there are more than label.MaxMembers, it uses that many, evenly spaced in order of ids, which is a random
// order.
func (l *Labeller) Label(documents []uint32) []string {
	return l.label.Label(l.members(documents, label.MaxMembers))
}

// members returns at most most documents of a cluster, from which its label is made.
func (l *Labeller) members(documents []uint32, most int) []label.Member {
	n := min(len(documents), most)
	members := make([]label.Member, n)
	for i := range members {
		members[i] = l.member(documents[i*len(documents)/n])
	}
	return members
}

// member returns the texts of a document from which labels are made: its title and the sentences that link to it, without
// common texts of links such as "here".
func (l *Labeller) member(id uint32) label.Member {
	t := l.tables
	m := label.Member{URL: t.Documents.URL(id), Bag: t.Bags.At(id)}
	quotes, place := t.Evidence.Of(id), urls.Place(m.URL)
	m.Texts = make([]label.Text, 0, len(quotes)+1)
	if title := t.Documents.Title(id); title != "" {
		m.Texts = append(m.Texts, label.Text{Source: tables.Hash(m.URL), Language: text.LanguageName(t.Documents.Language(id)), Name: []byte(title)})
	}
	for _, q := range quotes {
		from := l.linking(q.Source)
		said := label.Text{Source: q.Source, Language: from.language, Before: q.Before, Name: q.Anchor, After: q.After}
		if t.Evidence.Common(names.Of(string(q.Anchor))) {
			said.Name = nil
		}
		if from.id != tables.None {
			said.Heads = l.headings(from, q.Head, from.place == place)
		}
		m.Texts = append(m.Texts, said)
	}
	return m
}

// linking returns the page whose URL has a hash.
func (l *Labeller) linking(hash uint64) *linking {
	p := l.pages[hash]
	if p != nil {
		return p
	}
	if len(l.pages) >= mostPages {
		clear(l.pages)
	}
	p = &linking{hash: hash, id: tables.None, heads: map[int]*label.Headings{}}
	if id, ok := l.tables.Documents.ByHash(hash); ok {
		p.id, p.place = id, strings.Clone(urls.Place(l.tables.Documents.URL(id)))
		p.language = text.LanguageName(l.tables.Documents.Language(id))
	}
	l.pages[hash] = p
	return p
}

// titleAlone is the number of the headings above a link of a page to its own site, which are its title alone: the headings of a
// site's own pages, such as "See also", rarely name what they link to.
const titleAlone = -1

// headings returns the headings above a link on a page, given the number of the nearest, and the title of the page.
func (l *Labeller) headings(from *linking, head int, own bool) *label.Headings {
	if own {
		head = titleAlone
	}
	h := from.heads[head]
	if h == nil {
		h = &label.Headings{Place: label.HeadingPlace{Page: from.hash, Number: head}, Site: from.place, Own: own}
		if !own {
			h.Texts = l.tables.Documents.Trail(from.id, head)
		}
		if !l.tables.Documents.Hidden(from.id) {
			h.Texts = append(h.Texts, l.tables.Documents.Title(from.id))
		}
		from.heads[head] = h
	}
	return h
}
