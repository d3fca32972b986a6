package pages

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func matrixOf(t *testing.T, values [][]float64) *matrix {
	t.Helper()
	var members []matrixMember
	for i := range len(values) {
		members = append(members, matrixMember{Link: Link{strings.Repeat(fmt.Sprintf("</text>%d ", i), 20), "/page"}, url: "https://a.example/"})
	}
	m, err := newMatrix(members, "similarity", func(i, j int) (float64, error) { return values[i][j], nil })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMatrix(t *testing.T) {
	m := matrixOf(t, [][]float64{{}, {0.9}, {0.2, 0.8}, {0, 0.1, 0.3}})
	if m.Pairs != 6 || len(m.Cells) != 6 || m.below(0.25) != 3 {
		t.Errorf("%d pairs, %d cells, %d below", m.Pairs, len(m.Cells), m.below(0.25))
	}
	if w := m.weakest(); *w != (line{from: 2, to: 3, similarity: 0.3}) {
		t.Errorf("weakest link %+v", w)
	}
	for i, x := range m.Members {
		if x.Number != i+1 || !strings.HasSuffix(x.Name, "…") || len(x.Name) > 80 {
			t.Errorf("member %d: %+v", i, x)
		}
	}
	for i, row := range m.Table.Rows {
		if len(row) != len(m.Table.Columns) {
			t.Errorf("row %d has %d cells for %d columns", i, len(row), len(m.Table.Columns))
		}
	}
	if last := m.Table.Rows[3]; last[1] != "0.00" || last[3] != "0.30" {
		t.Errorf("%v", last)
	}
	for _, c := range m.Cells {
		if c.X+cellSize > m.Width || c.Y+cellSize > m.Height+1 || c.Shade < 0 || c.Shade > shadesOf {
			t.Errorf("%+v", c)
		}
	}
}

func TestSmallMatrix(t *testing.T) {
	one := matrixOf(t, [][]float64{{}})
	if one.Pairs != 0 || one.weakest() != nil || apart(one, 0.5) != "" || (*matrix)(nil).weakest() != nil {
		t.Errorf("%+v", one)
	}
	if got := apart(matrixOf(t, [][]float64{{}, {0.2}}), 0.5); !strings.HasPrefix(got, "1 of the 1 pairs") {
		t.Errorf("%q", got)
	}
	broken := errors.New("broken")
	if _, err := newMatrix(make([]matrixMember, 2), "similarity", func(int, int) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// Members of one name go by their URLs.
func TestDistinguish(t *testing.T) {
	members := []matrixMember{{Link: Link{Text: "same"}, url: "https://a.example/x"}, {Link: Link{Text: "other"}, url: "https://a.example/y"}, {Link: Link{Text: "same"}, url: "https://b.example/"}}
	distinguish(members)
	for i, want := range []string{"a.example/x", "other", "b.example"} {
		if members[i].Text != want {
			t.Errorf("%q, want %q", members[i].Text, want)
		}
	}
}

func TestShade(t *testing.T) {
	last := 0
	for v := 0.0; v <= 1; v += 0.01 {
		if s := shadeOf(v); s < last || s > shadesOf {
			t.Errorf("shade %d of %v after %d", s, v, last)
		} else {
			last = s
		}
	}
	if shadeOf(0) != 0 || shadeOf(1) != shadesOf || shadeOf(1e-9) != 1 {
		t.Error("ends")
	}
}
