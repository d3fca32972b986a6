package anchors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Group is everything that was said of one target. Its slices are valid until the next group.
type Group struct {
	Hash     uint64 // of the URL
	URL      []byte // canonical
	Terms    []Weighted
	InLinks  uint64 // pages that link to it
	InHosts  uint64 // hosts of those pages
	Evidence []Quote
	Crawled  bool
	Page     Page // if Crawled
}

// Quote is a linking sentence and the page that it stands on.
type Quote struct {
	Source                uint64 // hash of the page's canonical URL
	Before, Anchor, After []byte
}

// MaxEvidence is the number of linking sentences kept for a target: one from each of the first hosts, in the order
// of the pages' hashes, then further ones.
const MaxEvidence = 8

// Groups reads the records of one bucket, whole, and calls group for each target in the order of (hash, URL).
// Records of captures that lost calls lost are left out: the URL has a later capture.
func Groups(bucket []byte, lost func(capture uint64) bool, group func(*Group) error) error {
	refs, err := index(bucket)
	if err != nil {
		return err
	}
	g := grouper{}
	for i := 0; i < len(refs); {
		j := i + 1
		for j < len(refs) && refs[j].hash == refs[i].hash && bytes.Equal(target(refs[j].body), target(refs[i].body)) {
			j++
		}
		ok, err := g.collect(refs[i:j], lost)
		if err != nil {
			return err
		}
		if ok {
			if err := group(&g.Group); err != nil {
				return err
			}
		}
		i = j
	}
	return nil
}

// ref is a record in the order of its target, then its source, then its bytes.
type ref struct {
	hash, source uint64
	body         []byte
}

const sourceAt, targetAt = 17, 33 // places of the source's hash and of the target in a body

func index(bucket []byte) ([]ref, error) {
	var refs []ref
	for {
		body, rest, err := Next(bucket)
		if err != nil {
			return nil, err
		}
		if body == nil {
			break
		}
		refs = append(refs, ref{TargetHash(body), binary.LittleEndian.Uint64(body[sourceAt:]), body})
		bucket = rest
	}
	slices.SortFunc(refs, func(a, b ref) int {
		if c := cmp.Compare(a.hash, b.hash); c != 0 {
			return c
		}
		if c := bytes.Compare(target(a.body), target(b.body)); c != 0 {
			return c
		}
		if c := cmp.Compare(a.source, b.source); c != 0 {
			return c
		}
		return bytes.Compare(a.body, b.body)
	})
	return refs, nil
}

func target(body []byte) []byte {
	d := Decoder{B: body[targetAt:]}
	return d.Bytes()
}

// grouper holds the buffers that one group after another uses.
type grouper struct {
	Group
	rec   Record
	hosts []uint64
	all   []Quote
	from  []uint64 // host of each quote
}

// collect fills the group from the records of one target; it is false when all of them were lost.
func (g *grouper) collect(refs []ref, lost func(uint64) bool) (bool, error) {
	g.Group = Group{Hash: refs[0].hash, Terms: g.Terms[:0], Evidence: g.Evidence[:0]}
	g.hosts, g.all, g.from = g.hosts[:0], g.all[:0], g.from[:0]
	said := false
	for _, r := range refs {
		if err := g.rec.Decode(r.body); err != nil {
			return false, err
		}
		if lost(g.rec.Capture) {
			continue
		}
		said = true
		g.URL = g.rec.Target
		g.Terms = append(g.Terms, g.rec.Terms...)
		if g.rec.Kind == OfPage {
			g.Crawled, g.Page = true, g.rec.Page
			continue
		}
		g.InLinks++
		g.hosts = append(g.hosts, g.rec.Host)
		g.all = append(g.all, Quote{g.rec.Source, g.rec.Before, g.rec.Anchor, g.rec.After})
		g.from = append(g.from, g.rec.Host)
	}
	g.Terms = Sum(g.Terms)
	g.choose()
	slices.Sort(g.hosts)
	g.InHosts = uint64(len(slices.Compact(g.hosts)))
	return said, nil
}

// choose keeps the first quotes with text of every host, then others, up to MaxEvidence.
func (g *grouper) choose() {
	var hosts []uint64 // of the quotes taken, at most MaxEvidence
	var later []int
	for i, q := range g.all {
		switch {
		case len(g.Evidence) == MaxEvidence:
			return
		case len(q.Before)+len(q.Anchor)+len(q.After) == 0:
		case slices.Contains(hosts, g.from[i]):
			if len(later) < MaxEvidence {
				later = append(later, i)
			}
		default:
			g.Evidence, hosts = append(g.Evidence, q), append(hosts, g.from[i])
		}
	}
	for _, i := range later {
		if len(g.Evidence) < MaxEvidence {
			g.Evidence = append(g.Evidence, g.all[i])
		}
	}
}
