package pages

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/query"
	"pgregory.net/rapid"
)

// marked makes lines of which each letter is a line: capitals are shared, digits are boilerplate, and others are not.
func marked(letters string) (lines []query.MarkedLine) {
	for _, r := range letters {
		p := query.Piece{Text: string(r), Shared: r >= 'A' && r <= 'Z', Boilerplate: r >= '0' && r <= '9'}
		lines = append(lines, query.MarkedLine{Pieces: []query.Piece{p}, Key: uint64(r)})
	}
	return lines
}

// folded writes the rows as shown: letters of A, and . for each row that is left out.
func folded(a, b string) (string, bool) {
	x, y := marked(a), marked(b)
	rows := query.Align(x, y)
	visible := make([]bool, len(rows))
	any := fold(visible, rows, x, y)
	var out strings.Builder
	for i, r := range rows {
		switch {
		case !visible[i]:
			out.WriteByte('.')
		case r.A >= 0:
			out.WriteString(a[r.A : r.A+1])
		default:
			out.WriteByte('+')
		}
	}
	return out.String(), any
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		name, a, b, want string
		any              bool
	}{
		{"alike: equal rows are left out", "ABCDEFGHIJKLMNOP", "ABCDEFGHxJKLMNOP", "......GHIJK.....", true},
		{"unlike: rows that share nothing are left out", "abcdefghKlmnopqr", "stuvwxyz0123K!?", "..........++Klm.....", true},
		{"few rows are not left out", "ABCxDEF", "ABCyDEF", "ABCxDEF", false},
		{"the same text", "ABCDEFGHIJKLMNOPQRST", "ABCDEFGHIJKLMNOPQRST", "ABCDEFGHIJKL........", true},
		{"nothing in common", "abcdefghijklmnopqrst", "uv", "abcdefghijkl........", true},
		{"empty", "", "", "", false},
	} {
		got, any := folded(c.a, c.b)
		if got != c.want || any != c.any {
			t.Errorf("%s: %q %t, want %q %t", c.name, got, any, c.want, c.any)
		}
	}
}

// Whatever the texts are, a page holds no more than its bounds, and the pages together hold every row once.
func TestFill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringMatching(`[a-cA-C0-2]{0,400}`)
		x, y := marked(letters.Draw(t, "a")), marked(letters.Draw(t, "b"))
		for i := range x {
			x[i].Pieces[0].Text = strings.Repeat(x[i].Pieces[0].Text+"é", rapid.IntRange(0, 3000).Draw(t, "length"))
		}
		rows := query.Align(x, y)
		visible := make([]bool, len(rows))
		fold(visible, rows, x, y)
		shown, pages := 0, 0
		for from := 0; from < len(rows); pages++ {
			var d diff
			next := d.fill(rows, visible, x, y, from)
			if next <= from {
				t.Fatalf("page %d goes from row %d to %d", pages, from, next)
			}
			bytes := 0
			for _, r := range d.Rows {
				shown += max(1, r.Folded)
				for _, m := range append(r.A, r.B...) {
					if bytes += len(m.Text); !utf8.ValidString(m.Text) {
						t.Fatalf("%q is cut in a character", m.Text)
					}
				}
			}
			if len(d.Rows) > mostDiffed+1 || bytes > mostText+2*longestLine {
				t.Fatalf("%d rows, %d bytes", len(d.Rows), bytes)
			}
			from = next
		}
		if shown != len(rows) {
			t.Fatalf("%d rows shown of %d", shown, len(rows))
		}
	})
}

func TestMarksOf(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	l := query.MarkedLine{Pieces: []query.Piece{{Text: long}, {Text: "b", Shared: true}, {Text: long, Shared: true}, {Text: "c", Boilerplate: true}}}
	for range 10 {
		l.Pieces = append(l.Pieces, query.Piece{Text: long})
	}
	bytes := 0
	got := marksOf(l, &bytes)
	if last := got[len(got)-1]; last != (mark{"…", ownKind}) || len(got) > 8 || bytes > 2*longestLine {
		t.Errorf("%d parts of %d bytes, the last one %+v", len(got), bytes, last)
	}
	if got[0].Kind != ownKind || got[1] != (mark{"b", sharedKind}) || got[3] != (mark{"c", boilerKind}) || len(got[2].Text) > longestPiece+10 {
		t.Errorf("%+v", got[:4])
	}
}

// The picture of a text covers its width without gaps, with the kinds where they are.
func TestBands(t *testing.T) {
	for _, c := range []struct {
		text string
		want []band
	}{
		{"", nil},
		{"aA", []band{{0, 500, 0, ownKind}, {500, 500, 0, sharedKind}}},
		{"A0Bb", []band{{0, 250, 0, sharedKind}, {250, 250, 0, boilerKind}, {500, 250, 0, sharedKind}, {750, 250, 0, ownKind}}},
	} {
		got := bandsOf(marked(c.text), 0)
		for i := range got {
			got[i].X, got[i].Width = 10*float64(int(got[i].X/10+.5)), 10*float64(int(got[i].Width/10+.5))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
	many := bandsOf(marked(strings.Repeat("aA0", 5000)), 1)
	wide := 0.0
	for _, b := range many {
		if wide += b.Width; b.Y != 14 {
			t.Errorf("%+v", b)
		}
	}
	if len(many) > mostBands || wide < 999.9 || wide > 1000.1 {
		t.Errorf("%d bands, %v wide", len(many), wide)
	}
}
