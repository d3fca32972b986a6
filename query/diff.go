package query

import (
	"bytes"
	"context"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/shingles"
)

// Marked is the text of a page in lines, with what it has in common with another text.
type Marked struct {
	URL   string
	Lines []MarkedLine
}

// MarkedLine is a line of text: pieces in turn, those that the other text has too and those that it has not.
type MarkedLine struct {
	Pieces []Piece
	Key    uint64 // the same for lines of the same words
}

// Piece is a run of text.
type Piece struct {
	Text   string
	Shared bool // every byte of it stands in a shingle that the other text has too
}

// Shared tells whether all words of the line are shared.
func (l MarkedLine) Shared() bool {
	for _, p := range l.Pieces {
		if !p.Shared {
			return false
		}
	}
	return true
}

// Diff marks the texts of two documents: what lies in a shingle that both have is shared.
func (r *Run) Diff(ctx context.Context, a, b uint32) (x, y Marked, err error) {
	pages, err := r.Pages(ctx, a, b)
	if err != nil {
		return x, y, err
	}
	parser, err := r.Parser()
	if err != nil {
		return x, y, err
	}
	textA := bytes.Clone(capture.Parse(parser, &pages[0]).Text)
	textB := bytes.Clone(capture.Parse(parser, &pages[1]).Text)
	s, err := r.Shingler()
	if err != nil {
		return x, y, err
	}
	setA, setB := shingles.NewSet(), shingles.NewSet()
	s.Sketch(setA, textA)
	s.Sketch(setB, textB)
	x = Marked{r.docs.URL(a), mark(s, textA, setB)}
	y = Marked{r.docs.URL(b), mark(s, textB, setA)}
	return x, y, nil
}

// mark cuts a text into lines and pieces.
func mark(s *shingles.Shingler, text []byte, other *shingles.Set) []MarkedLine {
	has := map[uint64]bool{}
	for _, v := range other.Values() {
		has[v] = true
	}
	shared := make([]bool, len(text))
	for v, span := range s.Locate(text) {
		if has[v] {
			for i := span.Start; i < span.End; i++ {
				shared[i] = true
			}
		}
	}
	var lines []MarkedLine
	var words []byte
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			n = len(text)
		}
		if len(bytes.TrimSpace(text[:n])) > 0 {
			words = shingles.Canonical(words[:0], text[:n], false)
			lines = append(lines, MarkedLine{pieces(text[:n], shared[:n]), hashWords(words)})
		}
		n = min(n+1, len(text))
		text, shared = text[n:], shared[n:]
	}
	return lines
}

// pieces cuts a line where it changes between shared and not. What is no word belongs to the word before it, at the
// front of a line to the first word.
func pieces(line []byte, shared []bool) []Piece {
	var out []Piece
	for i := 0; i < len(line); {
		first := i
		for first < len(line)-1 && !wordByte(line[first]) {
			first++
		}
		j := first
		for j < len(line) && (shared[j] == shared[first] || !wordByte(line[j])) {
			j++
		}
		out = append(out, Piece{string(line[i:j]), shared[first]})
		i = j
	}
	return out
}

func wordByte(c byte) bool {
	return c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
