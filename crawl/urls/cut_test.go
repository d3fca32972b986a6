package urls

import "testing"

func TestCut(t *testing.T) {
	for url, want := range map[string][2]string{
		"https://a.example/b/c?d=/e": {"a.example", "b/c?d=/e"}, "https://a.example:8080": {"a.example:8080", ""}, "https://a.example/": {"a.example", ""},
		"a.example/b": {"a.example", "b"}, "": {"", ""},
	} {
		if host, path := Cut(url); host != want[0] || path != want[1] {
			t.Errorf("%s: %q %q", url, host, path)
		}
	}
}
