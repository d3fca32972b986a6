package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
)

// TestServer asks a server that answers in every way, and one that is sound but for its name.
func TestServer(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "site.example" {
			t.Errorf("asked for the host %q", r.Host)
		}
		to := map[string]string{
			"/moved": "/ok", "/folder": "/folder/", "/chain": "/moved", "/dead": "/none", "/loop": "/back", "/back": "/loop", "/self": "/self",
			"/off": "https://elsewhere.example/x", "/named": "http://www.site.example/ok#part", "/grow/": "/grow/x/", "/bad": "http://[", "/own": "http://" + r.Context().Value(http.LocalAddrContextKey).(net.Addr).String() + "/ok", //nolint:forcetypeassert // as documented
		}[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/grow/") {
			to = r.URL.Path + "x/"
		}
		switch {
		case to != "":
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusMovedPermanently)
		case r.URL.Path == "/get" && r.Method == http.MethodHead:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.URL.Path == "/gone":
			w.WriteHeader(http.StatusGone)
		case r.URL.Path == "/busy":
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		case slices.Contains([]string{"/", "/ok", "/folder/", "/get", "/slash/"}, r.URL.Path):
		case r.URL.Path == "/q" && slices.Contains([]string{"", "id=1", "id=3"}, r.URL.RawQuery):
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer served.Close()
	const site = "https://site.example"
	refresh := func(url string) string {
		return cmp.Or(map[string]string{site + "/get": site + "/moved", site + "/q?id=3": site + "/none", site + "/none": site + "/ok"}[url], url)
	}
	s, err := newServer(served.URL, site, urls.DefaultRules().Canonical, refresh, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("/ok=200,0 /moved=200,1 /folder=200,0 /chain=200,2 /dead=404,1 /loop=loop /self=loop /grow/a=loop /off=200,1 /named=200,1 /own=200,1 /bad=none /get=200,2 /gone=410,0 /busy=429,0 /broken=500,0 /slash=200,0 /q?id=1=200,0 /q?id=2=404,0 /q?id=3=404,1 /none=404,0")
	var list []string
	for _, w := range want {
		list = append(list, site+w[:strings.LastIndexByte(w, '=')])
	}
	for i, a := range s.ask(context.Background(), list) {
		got := fmt.Sprintf("%d,%d", a.Status, a.Hops)
		if a.Loop {
			got = "loop"
		} else if a.Status == 0 {
			got = "none"
		}
		if !strings.HasSuffix(want[i], "="+got) {
			t.Errorf("%s: %+v", want[i], a)
		}
	}
}

// TestServerSilent asks servers that hang, answer garbage, or are busy or not there: each is left after some URLs.
func TestServerSilent(t *testing.T) {
	end := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }))
	garbage, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { close(end); hangs.Close(); busy.Close(); garbage.Close() }()
	go func() {
		for {
			c, err := garbage.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, strings.Repeat("\x00garbage", 1000))
			c.Close()
		}
	}()
	var list []string
	for i := range 2000 {
		list = append(list, fmt.Sprintf("https://site.example/%d", i))
	}
	for _, at := range []string{hangs.URL, busy.URL, "http://" + garbage.Addr().String(), "http://127.0.0.1:1"} {
		s, err := newServer(at, "https://site.example", urls.DefaultRules().Canonical, func(url string) string { return url }, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		s.client.Timeout = 20 * time.Millisecond
		answers := s.ask(context.Background(), list)
		last := answers[len(answers)-1]
		if last.Status != 0 || !strings.HasPrefix(last.Why, "not asked, because 20 URLs") {
			t.Errorf("%s: %+v", at, last)
		}
		if first := answers[0]; first == (ask.Asked{}) {
			t.Errorf("%s: no reason", at)
		}
	}
}
