package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/parallel"
)

// Bounds of what a server is asked.
const (
	mostAsked   = 200_000 // URLs
	mostHops    = 20      // redirects that browsers follow
	mostSilent  = 20      // URLs in a row without an answer
	askTogether = 8
	askTimeout  = 5 * time.Second
)

// siteServer is a running server that is asked for the URLs of a site.
type siteServer struct {
	server    *url.URL
	site      string // canonical URL of the host of the site
	host      string // what requests name as host
	canonical func(string) (string, error)
	redirect  func(string) string // where a page that the server has redirects by what it says, such as a refresh; otherwise its own URL
	client    *http.Client
	rate      int
	turns     <-chan time.Time
	silent    atomic.Int32 // URLs in a row without an answer
}

func newServer(raw, base string, canonical func(string) (string, error), redirect func(string) string, rate int) (*siteServer, error) {
	server, err := url.Parse(raw)
	if err != nil || server.Host == "" || server.Scheme != "http" && server.Scheme != "https" {
		return nil, fmt.Errorf("--server %s is no URL such as http://127.0.0.1:8080", raw)
	}
	site, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		DialContext: (&net.Dialer{Timeout: askTimeout}).DialContext, ResponseHeaderTimeout: askTimeout, TLSHandshakeTimeout: askTimeout,
		MaxIdleConnsPerHost: askTogether, MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
	}
	client := &http.Client{Transport: transport, Timeout: askTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &siteServer{server: server, site: site.Scheme + "://" + site.Host, host: site.Host, canonical: canonical, redirect: redirect, client: client, rate: rate}, nil
}

// ask asks for URLs and returns the answers in the same order.
func (s *siteServer) ask(ctx context.Context, list []string) []ask.Asked {
	ticker := time.NewTicker(max(1, time.Second/time.Duration(s.rate)))
	defer ticker.Stop()
	s.turns = ticker.C
	if s.top(ctx) >= 400 {
		s.host = s.server.Host // as servers for development do, it may answer to its own name only
		if status := s.top(ctx); status == 0 || status >= 300 {
			_, s.host, _ = strings.Cut(s.site, "://")
		}
	}
	out := make([]ask.Asked, len(list))
	work := context.WithoutCancel(ctx)                                 // each URL has an answer that says why it was not asked
	parallel.Each(work, len(list), askTogether, func(_, i int) error { //nolint:errcheck // no answer is an error
		if out[i] = s.one(ctx, i, list[i]); out[i].Status == 0 || out[i].Status == http.StatusTooManyRequests {
			s.silent.Add(1)
		} else {
			s.silent.Store(0)
		}
		return nil
	})
	return out
}

// top returns the status of the top of the site, whose redirects are not followed.
func (s *siteServer) top(ctx context.Context) (status int) {
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		if _, status, _ = s.request(ctx, method, s.site+"/", map[string]string{}); status < 400 {
			break
		}
	}
	return status
}

// one asks for a URL, or says why not, and if there is no page at it, for its form with a slash.
func (s *siteServer) one(ctx context.Context, i int, known string) ask.Asked {
	switch {
	case ctx.Err() != nil:
		return ask.Asked{Why: ctx.Err().Error()}
	case i >= mostAsked:
		return ask.Asked{Why: fmt.Sprintf("not asked, because there are more than %d URLs", mostAsked)}
	case s.silent.Load() >= mostSilent:
		return ask.Asked{Why: fmt.Sprintf("not asked, because %d URLs before it had no answer", mostSilent)}
	}
	a := s.follow(ctx, known)
	if plain, query, _ := strings.Cut(known, "?"); a.Status == http.StatusNotFound && a.Hops == 0 && path.Ext(plain) == "" {
		if b := s.follow(ctx, strings.TrimSuffix(plain+"/?"+query, "?")); b.Status < 300 && b.Status > 0 || b.Hops > 0 || b.Status == http.StatusGone {
			return b
		}
	}
	return a
}

// follow asks for a URL by HEAD and, if that leads to no page, by GET.
func (s *siteServer) follow(ctx context.Context, at string) ask.Asked {
	a := s.by(ctx, http.MethodHead, at)
	if a.Loop || a.Status >= 300 && a.Status != http.StatusTooManyRequests && a.Status != http.StatusGone {
		return s.by(ctx, http.MethodGet, at)
	}
	return a
}

// by asks for a URL by a method and follows redirects within the site. Like a browser, it keeps cookies.
func (s *siteServer) by(ctx context.Context, method, at string) (a ask.Asked) {
	seen, cookies, known := map[string]bool{}, map[string]string{}, at
	for page, _ := s.canonical(at); ; { // a known URL is canonical
		if a.End = at; at == known {
			a.Hops = 0 // at the start, or back after a cookie was set
		}
		state := fmt.Sprint(at, cookies)
		if seen[state] || len(seen) > mostHops {
			a.Loop = true
			return a
		}
		seen[state] = true
		to, status, err := s.request(ctx, method, at, cookies)
		if a.Status = status; err != nil {
			a.Why = err.Error()
			return a
		}
		if by := s.redirect(page); to == "" && status < 300 && by != page {
			to = by
		}
		if to == "" {
			return a
		}
		next, err := s.canonical(to)
		switch {
		case err != nil && errors.Is(err, urls.ErrTooLong):
			a.Loop = true
			return a
		case err != nil:
			a.Status, a.Why = 0, "it redirects to "+to+": "+err.Error()
			return a
		case next != page:
			a.Hops++
		}
		page, at = next, to
		if !strings.HasPrefix(next+"/", s.site+"/") && !strings.HasPrefix(next, s.site+"?") {
			a.End, a.Status = to, http.StatusOK // of another site
			return a
		}
	}
}

// request asks for a URL of the site. It returns where a redirect leads.
func (s *siteServer) request(ctx context.Context, method, at string, cookies map[string]string) (to string, status int, err error) {
	select {
	case <-s.turns:
	case <-ctx.Done():
		return "", 0, ctx.Err()
	}
	u, err := url.Parse(at)
	if err != nil {
		return "", 0, err
	}
	u.Scheme, u.Host, u.Fragment = s.server.Scheme, s.server.Host, ""
	r, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return "", 0, err
	}
	r.Host = s.host
	r.Header = http.Header{"User-Agent": {"lshclust guard"}, "Accept": {"*/*"}, "X-Forwarded-Proto": {"https"}} // as if by a proxy
	for _, name := range slices.Sorted(maps.Keys(cookies)) {
		r.AddCookie(&http.Cookie{Name: name, Value: cookies[name]})
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return "", 0, errors.Unwrap(err)
	}
	io.CopyN(io.Discard, answer.Body, 64<<10) //nolint:errcheck // so that the connection can be used again
	answer.Body.Close()
	for _, c := range answer.Cookies() {
		if cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(cookies, c.Name)
		}
	}
	if status = answer.StatusCode; status >= 300 && status < 400 && answer.Header.Get("Location") != "" {
		to = s.public(u, answer.Header.Get("Location"))
	}
	return to, status, nil
}

// public returns the URL of the site for what a server says in a redirect, which may name the server itself.
func (s *siteServer) public(at *url.URL, location string) string {
	to, err := at.Parse(location)
	if err != nil {
		return location
	}
	site, _ := url.Parse(s.site) // it was parsed before
	if to.Host == s.server.Host || strings.TrimPrefix(to.Hostname(), "www.") == site.Hostname() {
		to.Scheme, to.Host = site.Scheme, site.Host
	}
	return to.String()
}
