package lsh

import (
	"context"
	"fmt"
	"slices"
	"sort"
)

// Meetings is how many of the pairs that have a key in common meet there in a run too long to be paired all with all, by key
// size and similarity. A key of common words makes long runs, which no formula over similarities knows, so it is counted in
// signatures of the set. It depends on k and on the bound of runs, and not on m and l.
type Meetings struct {
	rows  []uint32 // sampled
	c     Config
	keys  []runs
	tally [maxTunedK + 1][len(bandEdges)][classes]tally
}

// runs are those of the sampled rows in one key.
type runs struct {
	k  int
	of [][]uint32 // of each sampled row: all rows with its key, ascending
}

// tally counts pairs that meet, from the sampled rows.
type tally struct{ met, lost float64 }

// classEdges are the lower ends of classes of rows by the share of their meetings that are lost. Rows differ: those of a
// template of ten thousand pages meet their like in long runs alone, and no number of keys finds them. The last class is for
// rows of too few meetings to tell.
var classEdges = [...]float64{0, 0.2, 0.6, 0.9, 0.99}

const classes = len(classEdges) + 1

// maxTunedK is the greatest key size that Tune looks at.
const maxTunedK = 5

// meetKeys is the number of keys of each size that are looked at: few signatures are in many runs, and these are long.
var meetKeys = [maxTunedK + 1]int{1: 4, 2: 16, 3: 32, 4: 32, 5: 32}

// bandEdges are the lower ends of the ranges of similarity in which meetings are counted.
var bandEdges = [...]float64{0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7}

func bandOf(s float64) int {
	return max(0, sort.Search(len(bandEdges), func(i int) bool { return bandEdges[i] > s })-1)
}

// NewMeetings finds the runs of the sampled rows in some keys of each size up to 5, chosen by the seed. MaxRun and Reach of c
// count. Then Count is to be called for each row of the sample.
func NewMeetings(ctx context.Context, sigs Signatures, rows []uint32, c Config, seed uint64) (*Meetings, error) {
	out := &Meetings{rows: rows}
	for k := 1; k <= min(maxTunedK, sigs.M); k++ {
		x, err := NewIndex(sigs.M, k, int(min(float64(meetKeys[k]), choose(sigs.M, k))), seed)
		if err != nil {
			return nil, err
		}
		if out.c, err = x.check(sigs, c); err != nil {
			return nil, err
		}
		for _, r := range rows {
			if int64(r) >= int64(sigs.Len()) {
				return nil, fmt.Errorf("lsh: row %d of %d", r, sigs.Len())
			}
		}
		first := len(out.keys)
		out.keys = append(out.keys, make([]runs, x.L)...)
		m := meeting{x: x, sigs: sigs, c: out.c, rows: rows, rowBits: rowBits(sigs.Len())}
		m.done = func(j int, w *wanted) {
			found := runs{k, make([][]uint32, len(rows))}
			for i, key := range w.of {
				found.of[i] = w.runs[key]
			}
			out.keys[first+j] = found
		}
		if err := m.all(ctx); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Count counts whom sampled row i meets; similarity tells that of another row. The runs of the row are let go.
func (m *Meetings) Count(i int, similarity func(row uint32) float64) {
	var row [maxTunedK + 1][len(bandEdges)]tally
	for _, key := range m.keys {
		run := key.of[i]
		at, _ := slices.BinarySearch(run, m.rows[i])
		for p, other := range run {
			if p == at {
				continue
			}
			t := &row[key.k][bandOf(similarity(other))]
			t.met++
			near := p == 0 || at == 0 || max(p-at, at-p) <= m.c.Reach
			if len(run) > m.c.MaxRun && !near {
				t.lost++
			}
		}
		key.of[i] = nil
	}
	for k := range row {
		for band, t := range row[k] {
			if t.met > 0 {
				m.tally[k][band][t.class()].add(t)
			}
		}
	}
}

// fewMeetings is the number below which a row, or a range of similarities, says nothing by itself.
const fewMeetings = 20

func (t tally) class() int {
	if t.met < fewMeetings {
		return classes - 1
	}
	return max(0, sort.SearchFloat64s(classEdges[:], t.lost/t.met+1e-9)-1)
}

func (t *tally) add(u tally) { t.met, t.lost = t.met+u.met, t.lost+u.lost }

// share is a part of the pairs of a similarity and the share of their meetings that are formed.
type share struct{ weight, kept float64 }

// kept tells what of the meetings of pairs of a similarity, in keys of size k, is formed: by class of rows, from the range of
// the similarity or from all ranges where few met.
func (m *Meetings) kept(k int, similarity float64) []share {
	if m == nil || k > maxTunedK {
		return []share{{1, 1}}
	}
	of := m.tally[k][bandOf(similarity)]
	if sum(of).met < fewMeetings {
		of = [classes]tally{}
		for _, band := range m.tally[k] {
			for c, t := range band {
				of[c].add(t)
			}
		}
	}
	all := sum(of)
	if all.met == 0 {
		return []share{{1, 1}}
	}
	var out []share
	for _, t := range of {
		if t.met > 0 {
			out = append(out, share{t.met / all.met, 1 - t.lost/t.met})
		}
	}
	return out
}

func sum(of [classes]tally) (all tally) {
	for _, t := range of {
		all.add(t)
	}
	return all
}

// formed is the share of the meetings of pairs of a similarity that are formed.
func (m *Meetings) formed(k int, similarity float64) (formed float64) {
	for _, s := range m.kept(k, similarity) {
		formed += s.weight * s.kept
	}
	return formed
}
