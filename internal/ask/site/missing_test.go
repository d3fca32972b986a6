package site

import (
	"strings"
	"testing"
	"unicode"
)

// TestNoVersion names no page by the number of a version or of a chapter, which several have.
func TestNoVersion(t *testing.T) {
	for name, want := range map[string]bool{"1.2": false, "v2.0-rc1": false, "Version 3": false, "Chapter 4": false, "Chapter #4": false, "part 2": false, "TLS 1.2": true, "HTTP/2": true, "Chapters": true, "Section 2: Scope": true} {
		if got := strings.ContainsFunc(noVersion.ReplaceAllString(name, ""), unicode.IsLetter); got != want {
			t.Errorf("%s is a name: %v", name, got)
		}
	}
}
