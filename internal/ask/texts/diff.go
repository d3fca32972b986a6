package texts

import (
	"bytes"
	"context"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/shingles"
)

// Line is a line of either of two texts, or a line of each side by side.
type Line struct {
	A    []Piece `json:"a,omitempty" doc:"missing if only b has the line"`
	B    []Piece `json:"b,omitempty" doc:"missing if only a has the line"`
	Same bool    `json:"same" doc:"whether both texts have the words of the line"`
}

// Piece is a part of a line.
type Piece struct {
	Text        string `json:"text"`
	Shared      bool   `json:"shared" doc:"whether all of it is in shingles that the other text has too"`
	Boilerplate bool   `json:"-"` // only in shingles left out of comparisons; set only if Diff separates boilerplate
}

// Diff aligns the lines of the texts of two documents and marks the words of every shingle that both contain. If
// apart is set, shingles that are boilerplate of either host do not count as shared, even if both pages contain them.
// As in comparisons, a page that is little else than boilerplate keeps it.
func Diff(ctx context.Context, r *runs.Run, a, b uint32, apart bool) ([]Line, error) {
	pages, err := runs.ReadPages(ctx, r, a, b)
	if err != nil {
		return nil, err
	}
	s, err := Shingler(r)
	if err != nil {
		return nil, err
	}
	var texts [2][]byte
	sets := [2]*shingles.Set{shingles.NewSet(), shingles.NewSet()}
	for i := range pages {
		if texts[i], err = runs.VisibleText(r, &pages[i]); err != nil {
			return nil, err
		}
		s.Sketch(sets[i], texts[i])
	}
	var hosts []uint32
	for _, id := range []uint32{a, b} {
		if page, err := r.PageOf(id); apart && err == nil {
			hosts = append(hosts, r.Pages.Host(page))
		}
	}
	x := mark(s, texts[0], sets[1], boilerplateOf(r, sets[0], hosts))
	y := mark(s, texts[1], sets[0], boilerplateOf(r, sets[1], hosts))
	out := []Line{}
	for _, row := range align(x, y) {
		var l Line
		if row.a >= 0 {
			l.A = x[row.a].pieces
		}
		if row.b >= 0 {
			l.B = y[row.b].pieces
		}
		l.Same = row.a >= 0 && row.b >= 0 && x[row.a].key == y[row.b].key
		out = append(out, l)
	}
	return out, nil
}

// boilerplateOf returns the shingles of a text that comparisons with pages of some hosts leave out.
func boilerplateOf(r *runs.Run, set *shingles.Set, hosts []uint32) map[uint64]bool {
	drop := map[uint64]bool{}
	for _, host := range hosts {
		if common, leftOut := r.Boilerplate.Explain(nil, host, set.Values()); leftOut {
			for _, v := range common {
				drop[v] = true
			}
		}
	}
	return drop
}

// marked is a line of text. Its pieces alternate between shared and not shared.
type marked struct {
	pieces []Piece
	key    uint64 // equal for lines with the same words
}

// byteMark says which shingles contain a byte of a text.
type byteMark uint8

const (
	own byteMark = iota
	boiler
	shared
)

// mark splits a text into lines and pieces. Shingles of boilerplate do not count as shared.
func mark(s *shingles.Shingler, text []byte, other *shingles.Set, boilerplate map[uint64]bool) []marked {
	has := map[uint64]bool{}
	for _, v := range other.Values() {
		has[v] = true
	}
	marks := make([]byteMark, len(text))
	for v, span := range s.Locate(text) {
		m := own
		switch {
		case boilerplate[v]:
			m = boiler
		case has[v]:
			m = shared
		}
		for i := span.Start; i < span.End; i++ {
			marks[i] = max(marks[i], m)
		}
	}
	var lines []marked
	for line := range bytes.Lines(text) {
		at := marks[:len(line)]
		marks = marks[len(line):]
		if line = bytes.TrimSuffix(line, []byte("\n")); len(bytes.TrimSpace(line)) > 0 {
			s.Sketch(nil, line)
			lines = append(lines, marked{pieces(line, at), s.Digest()})
		}
	}
	return lines
}

// pieces splits a line where its marks change. Characters between words belong to the word before them, or at the
// start of a line to the first word.
func pieces(line []byte, marks []byteMark) []Piece {
	var out []Piece
	for i := 0; i < len(line); {
		first := i
		for first < len(line)-1 && !wordByte(line[first]) {
			first++
		}
		j := first
		for j < len(line) && (marks[j] == marks[first] || !wordByte(line[j])) {
			j++
		}
		out = append(out, Piece{string(line[i:j]), marks[first] == shared, marks[first] == boiler})
		i = j
	}
	return out
}

func wordByte(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
