package urls

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// IsHostName tells "www.postgresql.org" and "example.org:8080" from "v1.2": the ending must be in use.
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
