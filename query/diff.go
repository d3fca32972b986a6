package query

import (
	"bytes"
	"context"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/shingles"
)

// Marked is the text of a page in lines, with marks on the parts that it shares with another text.
type Marked struct {
	URL   string
	Lines []MarkedLine
}

// MarkedLine is a line of text. Its pieces are in turn shared with the other text and not.
type MarkedLine struct {
	Pieces []Piece
	Key    uint64 // the same for lines of the same words
}

// Piece is a part of a line.
type Piece struct {
	Text   string
	Shared bool // every byte of it is in a shingle that the other text has too
}

// Shared reports whether all words of the line are shared.
func (l MarkedLine) Shared() bool {
	for _, p := range l.Pieces {
		if !p.Shared {
			return false
		}
	}
	return true
}

// Diff marks the words that the texts of two documents share: those of every shingle that both have.
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

// mark splits a text into lines and pieces.
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

// pieces splits a line where it changes between shared and not. Characters between words belong to the word before
// them, or at the start of a line to the first word.
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
