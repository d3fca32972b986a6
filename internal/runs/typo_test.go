package runs

import "testing"

func TestOneTypo(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"postgresq.org", "postgresql.org", true}, {"postgresql.org", "postgresqll.org", true}, {"abc", "abd", true}, {"abc", "acb", true}, {"ab", "ba", true},
		{"", "a", true}, {"abc", "abc", false}, {"", "", false}, {"abc", "bca", false}, {"abcd", "ab", false}, {"abc", "xbd", false}, {"a.org", "b.com", false},
	} {
		if oneTypo(c.a, c.b) != c.want || oneTypo(c.b, c.a) != c.want {
			t.Errorf("%q and %q: not %v", c.a, c.b, c.want)
		}
	}
}
