package urls

import "testing"

func TestIsHostName(t *testing.T) {
	for name, want := range map[string]bool{
		"www.postgresql.org": true, "example.org:8080": true, "EXAMPLE.COM": true, "user.github.io": true, "192.0.2.7": true, "127.0.0.1:80": true,
		"localhost": true, "localhost:3000": true, "xn--bcher-kva.example": true, "b\u00fccher.example": true, "wiki.local": true,
		"v1.2": false, "1.2.3": false, "docs": false, "": false, ".org": false, "index.html": false, "example.org:x": false, "a b.org": false, "jquery.min": false,
	} {
		if got := IsHostName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
