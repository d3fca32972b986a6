package urls

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/lshclust/lshclust/internal/ascii"
)

// IsHostName distinguishes host names such as "www.postgresql.org", "example.org:8080", "bücher.example", "192.0.2.7"
// and "localhost" from names such as "v1.2": the top-level domain must exist or be reserved for use without a registry.
func IsHostName(name string) bool {
	name, port, _ := strings.Cut(strings.ToLower(name), ":")
	if _, err := strconv.ParseUint(port, 10, 16); err != nil && port != "" {
		return false
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.Is4() || name == "localhost" {
		return true
	}
	if !strings.Contains(name, ".") || strings.HasPrefix(name, ".") {
		return false
	}
	host, ok := asciiHost(name)
	if !ok || host != name && ascii.Is(name) {
		return false
	}
	switch host[strings.LastIndexByte(host, '.')+1:] {
	case "example", "test", "localhost", "local", "internal", "lan", "onion":
		return true
	}
	suffix, known := publicsuffix.PublicSuffix(host)
	return known || strings.Contains(suffix, ".")
}
