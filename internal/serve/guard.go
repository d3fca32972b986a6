package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/serve/api"
)

// guard refuses requests before they reach a run, and sets headers that protect browsers.
type guard struct {
	loopback bool // whether the server listens on the loopback interface
	hosts    []string
	origins  []string
	token    [sha256.Size]byte
	open     bool // whether no token is needed
	cross    *http.CrossOriginProtection
}

func newGuard(o Options) (*guard, error) {
	g := &guard{
		hosts: o.Hosts, origins: o.Origins, token: sha256.Sum256([]byte(o.Token)), open: o.Token == "",
		cross: http.NewCrossOriginProtection(),
	}
	for _, origin := range o.Origins {
		if err := g.cross.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("origin %q: must be a scheme and a host, such as https://example.org", origin)
		}
	}
	return g, nil
}

// isLoopback reports whether an address can be reached from this machine only.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		if g.allowOrigin(w, r) && r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if p := g.refuse(r); p != nil {
			trouble(w, r, p)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// protect sets the headers of every answer, so that browsers run nothing in it, show it in no frame, and let no other
// site read it.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex")
}

// allowOrigin lets web pages of the allowed origins read the answer. It reports whether the request comes from one.
func (g *guard) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	if len(g.origins) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag, Link, Retry-After, X-Request-Id")
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, If-None-Match")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return true
}

// refuse returns the problem of a request that must not be answered, or nil.
func (g *guard) refuse(r *http.Request) *api.Problem {
	switch {
	case g.loopback && !g.knowsHost(r.Host):
		// A web page may have a name that was made to resolve to this machine (DNS rebinding).
		return api.NewProblem(http.StatusMisdirectedRequest, "unknown-host", "The server does not go by this name",
			"The header Host is not a name of this server.", "Ask for localhost, or start the server with --host NAME.")
	case r.URL.Path == "/healthz" || r.URL.Path == "/readyz":
		return nil
	case !g.open && !g.authorized(r):
		return api.NewProblem(http.StatusUnauthorized, "token", "A token is needed", "The header Authorization does not have the token of the server.",
			"Send Authorization: Bearer TOKEN. In a browser, give the token as the password, with any name.")
	case g.cross.Check(r) != nil:
		return api.NewProblem(http.StatusForbidden, "cross-origin", "Another site must not ask this", "A web page of another site sent the request.",
			"Start the server with --cors ORIGIN to allow the site.")
	}
	return nil
}

// knowsHost reports whether the header Host names the loopback interface or one of the names of the server.
func (g *guard) knowsHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback() || slices.Contains(g.hosts, host)
}

// authorized reports whether a request contains the token, either as a bearer token or, from browsers, as the
// password of any user.
func (g *guard) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	_, password, basic := r.BasicAuth()
	if basic {
		token = password
	}
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return (basic || strings.EqualFold(scheme, "Bearer")) && subtle.ConstantTimeCompare(given[:], g.token[:]) == 1
}
