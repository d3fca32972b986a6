package texts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/shingles"
)

// show writes marked lines, with braces around the parts that are not shared.
func show(lines []marked) string {
	var b strings.Builder
	for _, l := range lines {
		for _, p := range l.pieces {
			if p.Shared {
				b.WriteString(p.Text)
			} else {
				fmt.Fprintf(&b, "{%s}", p.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestMark(t *testing.T) {
	s, err := shingles.New(shingles.Config{W: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, other, want string }{
		{"same", "one two three four", "one two three four", "one two three four\n"},
		{"nothing", "one two three", "four five six", "{one two three}\n"},
		{"end differs", "one two three four five", "one two three six", "one two three {four five}\n"},
		{"dash at the front", "-one two three", "one two three", "-one two three\n"},
		{"lines", "one two\nthree\n\nfour", "zero one two three", "one two\nthree\n{four}\n"},
		{"too short for a shingle", "one", "one", "one\n"},
		{"empty", "", "one", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := shingles.NewSet()
			s.Sketch(other, []byte(c.other))
			if d := cmp.Diff(c.want, show(mark(s, []byte(c.text), other, nil))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestMarkBoilerplate checks that boilerplate is neither shared nor part of the text's own words, except where a
// shared shingle overlaps it.
func TestMarkBoilerplate(t *testing.T) {
	s, err := shingles.New(shingles.Config{W: 2})
	if err != nil {
		t.Fatal(err)
	}
	sketch := func(text string) *shingles.Set {
		set := shingles.NewSet()
		s.Sketch(set, []byte(text))
		return set
	}
	menu := map[uint64]bool{}
	for _, v := range sketch("home news about").Values() {
		menu[v] = true
	}
	var got []string
	for _, l := range mark(s, []byte("home news about\nsmall cats sleep\nabout dogs"), sketch("home news about big cats sleep"), menu) {
		for _, p := range l.pieces {
			got = append(got, fmt.Sprintf("%s %t %t", p.Text, p.Shared, p.Boilerplate))
		}
	}
	want := []string{"home news about false true", "small  false false", "cats sleep true false", "about dogs false false"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAlign(t *testing.T) {
	lines := func(s string) (out []marked) {
		for _, k := range s {
			out = append(out, marked{key: uint64(k)})
		}
		return out
	}
	for _, c := range []struct {
		a, b string
		want []aligned
	}{
		{"abc", "abc", []aligned{{0, 0}, {1, 1}, {2, 2}}},
		{"abc", "axc", []aligned{{0, 0}, {1, 1}, {2, 2}}},
		{"abc", "ac", []aligned{{0, 0}, {1, -1}, {2, 1}}},
		{"ac", "abc", []aligned{{0, 0}, {-1, 1}, {1, 2}}},
		{"xay", "ab", []aligned{{0, -1}, {1, 0}, {2, 1}}},
		{"", "ab", []aligned{{-1, 0}, {-1, 1}}},
		{"", "", nil},
	} {
		if d := cmp.Diff(c.want, align(lines(c.a), lines(c.b)), cmp.AllowUnexported(aligned{})); d != "" {
			t.Errorf("%s | %s: %s", c.a, c.b, d)
		}
	}
}
