package names

import (
	"reflect"
	"testing"
)

func TestDraw(t *testing.T) {
	got := Draw([]string{
		"https://sqlite.org", "https://www.sqlite.org", "https://vim.org", "https://vim.example", "https://docs.python.org", "https://go.dev",
		"https://redis.io/docs",
	}, 200)
	if want := []Name{{"sqlite", []string{"sqlite.org"}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTypo checks that each kind of typo occurs and that each name gets one, unless all its letters are equal.
func TestTypo(t *testing.T) {
	lengths := map[int]int{}
	for _, n := range Famous {
		typo := Typo(n.Asked)
		if lengths[len(typo)-len(n.Asked)]++; typo == n.Asked {
			t.Errorf("%s", typo)
		}
	}
	if len(lengths) != 3 {
		t.Errorf("%v", lengths)
	}
	if got := Typo("www"); got != "www" && got != "ww" && got != "wwww" {
		t.Error(got)
	}
}
