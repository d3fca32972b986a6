package extsort

import (
	"bytes"
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
	rest    [][]T  // of each source; empty when it has ended
	nodes   []node // 1 to k-1; 0 is the winner
	key     int    // bytes compared to drop equal records; 0 drops nothing
	last    T
	any     bool // last is set
	err     error
}

type node struct {
	prefix uint64 // of the first record of the source; all ones at its end
	source int
}

func newTree[T record](sources []source, key int) *tree[T] {
	k := len(sources)
	t := &tree[T]{sources: sources, rest: make([][]T, k), nodes: make([]node, max(k, 1)), key: key}
	players := make([]node, 2*k) // k to 2k-1 are the leaves
	for i := range sources {
		t.rest[i] = cast[T](sources[i].rest)
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
	if len(t.rest[i]) == 0 && t.sources[i].more != nil && t.err == nil {
		var b []byte
		b, t.err = t.sources[i].more()
		t.rest[i] = cast[T](b)
	}
	if len(t.rest[i]) == 0 {
		return node{math.MaxUint64, i}
	}
	return node{prefix(&t.rest[i][0]), i}
}

// beats reports whether the record of a comes before that of b.
func (t *tree[T]) beats(a, b node) bool {
	return a.prefix < b.prefix || a.prefix == b.prefix && t.beatsTail(a.source, b.source)
}

// beatsTail decides between equal prefixes. A source that has ended loses.
func (t *tree[T]) beatsTail(a, b int) bool {
	if len(t.rest[a]) == 0 || len(t.rest[b]) == 0 {
		return len(t.rest[b]) == 0 && len(t.rest[a]) > 0
	}
	return bytes.Compare(tail(&t.rest[a][0]), tail(&t.rest[b][0])) < 0
}

func (t *tree[T]) fill(b []byte) (int, error) {
	out := cast[T](b)
	n := 0
	for n < len(out) && len(t.sources) > 0 && t.err == nil {
		i := t.nodes[0].source
		if len(t.rest[i]) == 0 {
			break
		}
		v := &t.rest[i][0]
		if t.any && !less(&t.last, v) && !t.again(v) {
			return 0, t.err
		}
		if t.key == 0 || !t.any || !sameKey(v, &t.last, t.key) {
			out[n] = *v
			n++
		}
		t.last, t.any = *v, true
		t.rest[i] = t.rest[i][1:]
		t.replay(i)
	}
	var zero T
	return n * len(zero), t.err
}

// again checks a record that does not come after the last one: it must be equal.
func (t *tree[T]) again(v *T) bool {
	if less(v, &t.last) {
		t.err = fmt.Errorf("%w: a record is smaller than the one before it", ErrCorrupt)
	}
	return t.err == nil
}

// replay plays the matches of source i, whose record is new, up to the root.
func (t *tree[T]) replay(i int) {
	var w node
	if len(t.rest[i]) > 0 {
		w = node{prefix(&t.rest[i][0]), i}
	} else {
		w = t.player(i)
	}
	for at := (i + len(t.sources)) / 2; at > 0; at /= 2 {
		l := t.nodes[at]
		if l.prefix == w.prefix {
			if t.beatsTail(l.source, w.source) {
				t.nodes[at], w = w, l
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
		t.nodes[at] = node{max(l.prefix, w.prefix), lose}
		w = node{min(l.prefix, w.prefix), win}
	}
	t.nodes[0] = w
}
