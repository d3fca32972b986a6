package extsort

import (
	"fmt"
	"math"
)

// source is a sorted run: some of its records in memory, and a function that reads the next ones.
type source struct {
	rest []byte
	more func() ([]byte, error) // nil, or empty at the end
}

// merger merges sources.
type merger interface {
	// fill writes the next records into out and returns the bytes written, 0 at the end of all sources.
	fill(out []byte) (int, error)
}

// tree is a tree of losers: each inner node keeps the loser of its match, so that the next record takes one match on
// each level. A node holds the first eight bytes of its record, which decide most matches.
type tree[T record] struct {
	sources []source
	heads   []head[T]
	nodes   []node // 1 to k-1; 0 is the winner
	key     int    // bytes compared to drop equal records; 0 drops nothing
	last    T
	any     bool // last is set
	err     error
}

// head is the position of reading in a source. Unlike a slice of the rest, it takes no write barrier.
type head[T record] struct {
	records []T
	at      int // the next one; len(records) when the source has ended
}

type node struct {
	prefix uint64 // of the next record of the source; all ones at its end
	source int
}

func newTree[T record](sources []source, key int) *tree[T] {
	k := len(sources)
	t := &tree[T]{sources: sources, heads: make([]head[T], k), nodes: make([]node, max(k, 1)), key: key}
	players := make([]node, 2*k) // k to 2k-1 are the leaves
	for i := range sources {
		t.heads[i].records = cast[T](sources[i].rest)
		players[k+i] = t.player(i)
	}
	for i := k - 1; i > 0; i-- {
		win, lose := players[2*i], players[2*i+1]
		if t.beats(lose, win) {
			win, lose = lose, win
		}
		players[i], t.nodes[i] = win, lose
	}
	if k > 0 {
		t.nodes[0] = players[1]
	}
	return t
}

// player returns the node of source i. It reads the next records if none are in memory.
func (t *tree[T]) player(i int) node {
	h := &t.heads[i]
	if h.at == len(h.records) && t.sources[i].more != nil && t.err == nil {
		var b []byte
		b, t.err = t.sources[i].more()
		*h = head[T]{records: cast[T](b)}
	}
	if h.at == len(h.records) {
		return node{math.MaxUint64, i}
	}
	return node{prefix(&h.records[h.at]), i}
}

// beats reports whether the record of a comes before that of b.
func (t *tree[T]) beats(a, b node) bool {
	return a.prefix < b.prefix || a.prefix == b.prefix && t.beatsTail(a.source, b.source)
}

// beatsTail decides between equal prefixes. A source that has ended loses.
func (t *tree[T]) beatsTail(a, b int) bool {
	x, y := &t.heads[a], &t.heads[b]
	if x.at == len(x.records) || y.at == len(y.records) {
		return x.at < len(x.records)
	}
	return lessFrom(&x.records[x.at], &y.records[y.at], 8)
}

func (t *tree[T]) fill(b []byte) (int, error) {
	out := cast[T](b)
	n := 0
	var zero T
	if len(t.sources) == 0 {
		return 0, nil
	}
	w, last := t.nodes[0], prefix(&t.last)
	for n < len(out) && t.err == nil {
		h := &t.heads[w.source]
		if h.at >= len(h.records) {
			break
		}
		v := &h.records[h.at]
		if w.prefix <= last && !t.follows(v) {
			return 0, t.err
		}
		if t.key == 0 || !t.any || !sameKey(v, &t.last, t.key) {
			out[n] = *v
			n++
		}
		t.last, t.any, last = *v, true, w.prefix
		h.at++
		if h.at < len(h.records) {
			w = t.replay(node{prefix(&h.records[h.at]), w.source})
		} else {
			w = t.replay(t.player(w.source))
		}
	}
	t.nodes[0] = w
	return n * len(zero), t.err
}

// follows reports whether v may come after the last record, and sets the error if it may not.
func (t *tree[T]) follows(v *T) bool {
	if t.any && less(v, &t.last) {
		t.err = fmt.Errorf("%w: a record is smaller than the one before it", ErrCorrupt)
	}
	return t.err == nil
}

// replay plays the matches of a source with a new record and returns the winner of all.
func (t *tree[T]) replay(w node) node {
	nodes := t.nodes
	for at := uint(w.source+len(nodes)) / 2; at > 0; at /= 2 {
		l := &nodes[at]
		if l.prefix == w.prefix {
			if t.beatsTail(l.source, w.source) {
				*l, w = w, *l
			}
			continue
		}
		// No branch predictor can guess who wins, so this is written in a way that the compiler selects instead of
		// branching.
		win, lose := w.source, l.source
		if l.prefix < w.prefix {
			win = l.source
		}
		if l.prefix < w.prefix {
			lose = w.source
		}
		*l, w = node{max(l.prefix, w.prefix), lose}, node{min(l.prefix, w.prefix), win}
	}
	return w
}
