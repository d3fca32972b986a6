package pages

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/ask/texts"
)

// rowsOf makes rows of two texts of which each letter is a line, or none for -: capitals are shared, digits are
// boilerplate, and others are not.
func rowsOf(a, b string) (rows []texts.Line) {
	side := func(s string, i int) []texts.Piece {
		if i >= len(s) || s[i] == '-' {
			return nil
		}
		return []texts.Piece{{Text: s[i : i+1], Shared: s[i] >= 'A' && s[i] <= 'Z', Boilerplate: s[i] >= '0' && s[i] <= '9'}}
	}
	for i := range max(len(a), len(b)) {
		rows = append(rows, texts.Line{A: side(a, i), B: side(b, i), Same: i < min(len(a), len(b)) && a[i] == b[i]})
	}
	return rows
}

// folded writes the rows as shown: letters of A, and . for each row that is left out.
func folded(a, b string) (string, bool) {
	rows := rowsOf(a, b)
	visible := make([]bool, len(rows))
	any := fold(visible, rows)
	var out strings.Builder
	for i, r := range rows {
		switch {
		case !visible[i]:
			out.WriteByte('.')
		case r.A != nil:
			out.WriteString(r.A[0].Text)
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
		{"unlike: rows that share nothing are left out", "abcdefgh----Klmnopqr", "stuvwxyz0123K!?", "..........++Klm.....", true},
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

// TestFill checks that no page exceeds its bounds whatever the texts are, and that the pages together contain every
// row once.
func TestFill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringMatching(`[a-cA-C0-2]{0,400}`)
		rows := rowsOf(letters.Draw(t, "a"), letters.Draw(t, "b"))
		for _, r := range rows {
			for i := range r.A {
				r.A[i].Text = strings.Repeat(r.A[i].Text+"é", rapid.IntRange(0, 3000).Draw(t, "length"))
			}
		}
		visible := make([]bool, len(rows))
		fold(visible, rows)
		shown, pages := 0, 0
		for from := 0; from < len(rows); pages++ {
			var d diff
			next := d.fill(rows, visible, from)
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
	l := []texts.Piece{{Text: long}, {Text: "b", Shared: true}, {Text: long, Shared: true}, {Text: "c", Boilerplate: true}}
	for range 10 {
		l = append(l, texts.Piece{Text: long})
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
