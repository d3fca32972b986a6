package urls

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// IsHostName distinguishes host names such as "www.postgresql.org" and "example.org:8080" from names such as "v1.2":
// the top-level domain must exist.
func IsHostName(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	if !strings.Contains(name, ".") || strings.HasPrefix(name, ".") {
		return false
	}
	if host, ok := asciiHost(name); !ok || host != name {
		return false
	}
	_, known := publicsuffix.PublicSuffix(name)
	return known
}
