package eval

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/eval/gold"
)

// MarkScores says how a person marked the neighbours that several methods list.
type MarkScores struct {
	Queries int          `json:"queries"` // with a marked neighbour
	Rows    int          `json:"rows"`    // neighbours of queries
	Marked  int          `json:"marked"`
	Methods []MethodMark `json:"methods"` // sorted by name
	Pairs   []MarkPair   `json:"pairs"`   // every two methods
}

// MethodMark says how the neighbours of one method were marked.
type MethodMark struct {
	Method    string `json:"method"`
	Queries   int    `json:"queries"` // for which it lists a neighbour
	Listed    int    `json:"listed"`
	Good      int    `json:"good"`
	Bad       int    `json:"bad"`
	DontKnow  int    `json:"unknown"`
	Unmarked  int    `json:"unmarked"`
	Precision Figure `json:"precision"` // good / (good + bad); interval by resampling queries
}

// MarkPair compares the precision of two methods query by query, over the queries for which both have a good or bad
// mark.
type MarkPair struct {
	A          string `json:"a"`
	B          string `json:"b"`
	Difference Figure `json:"difference"` // mean of the precision of A minus that of B; interval by resampling queries
	Better     int    `json:"better"`     // queries where A is more precise
	Worse      int    `json:"worse"`
	Same       int    `json:"same"`
}

// tally counts the marks of one method for one query.
type tally struct{ good, bad, unknown, unmarked int }

func (t tally) judged() int { return t.good + t.bad }

func (t tally) precision() float64 { return share(t.good, t.judged()) }

// ScoreMarks counts marks by method.
func ScoreMarks(marks []gold.Mark, o ResampleOptions) MarkScores {
	s := MarkScores{Rows: len(marks), Methods: []MethodMark{}, Pairs: []MarkPair{}}
	by := map[string]map[string]*tally{} // by method and query
	marked := map[string]bool{}
	for _, m := range marks {
		if m.Verdict != "" {
			s.Marked++
			marked[m.Query] = true
		}
		for _, l := range m.Listed {
			if by[l.Method] == nil {
				by[l.Method] = map[string]*tally{}
			}
			if by[l.Method][m.Query] == nil {
				by[l.Method][m.Query] = &tally{}
			}
			by[l.Method][m.Query].count(m.Verdict)
		}
	}
	s.Queries = len(marked)
	names := slices.Sorted(maps.Keys(by))
	for i, a := range names {
		s.Methods = append(s.Methods, methodMark(a, by[a], o))
		for _, b := range names[i+1:] {
			s.Pairs = append(s.Pairs, markPair(a, b, by[a], by[b], o))
		}
	}
	return s
}

func (t *tally) count(verdict string) {
	switch verdict {
	case gold.Good:
		t.good++
	case gold.Bad:
		t.bad++
	case gold.DontKnow:
		t.unknown++
	default:
		t.unmarked++
	}
}

// methodMark adds up the queries of one method.
func methodMark(name string, queries map[string]*tally, o ResampleOptions) MethodMark {
	m := MethodMark{Method: name, Queries: len(queries)}
	var rows [][2]float64
	for _, q := range slices.Sorted(maps.Keys(queries)) {
		t := queries[q]
		m.Good, m.Bad, m.DontKnow, m.Unmarked = m.Good+t.good, m.Bad+t.bad, m.DontKnow+t.unknown, m.Unmarked+t.unmarked
		if t.judged() > 0 {
			rows = append(rows, [2]float64{float64(t.good), float64(t.judged())})
		}
	}
	m.Listed = m.Good + m.Bad + m.DontKnow + m.Unmarked
	if n := m.Good + m.Bad; n > 0 {
		m.Precision = Figure{Value: share(m.Good, n), N: len(rows)}
	}
	m.Precision.resample(rows, o)
	return m
}

// markPair compares two methods over the queries for which both have a good or bad mark.
func markPair(a, b string, of, against map[string]*tally, o ResampleOptions) MarkPair {
	p := MarkPair{A: a, B: b}
	var rows [][2]float64
	total := 0.0
	for _, q := range slices.Sorted(maps.Keys(of)) {
		x, y := of[q], against[q]
		if y == nil || x.judged() == 0 || y.judged() == 0 {
			continue
		}
		d := x.precision() - y.precision()
		switch cmp.Compare(d, 0) {
		case 1:
			p.Better++
		case -1:
			p.Worse++
		default:
			p.Same++
		}
		total += d
		rows = append(rows, [2]float64{d, 1})
	}
	if len(rows) > 0 {
		p.Difference = Figure{Value: total / float64(len(rows)), N: len(rows)}
	}
	p.Difference.resample(rows, o)
	return p
}

// share returns a/b, or 0 if b is 0.
func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
