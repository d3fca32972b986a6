package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
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
			"/": "/none", "/moved": "/ok", "/folder": "/folder/", "/chain": "/moved", "/dead": "/none", "/loop": "/back", "/back": "/loop", "/self": "/self",
			"/off": "https://elsewhere.example/x", "/named": "http://www.site.example/ok#part", "/grow/": "/grow/x/", "/bad": "http://[", "/own": "http://" + r.Context().Value(http.LocalAddrContextKey).(net.Addr).String() + "/ok", //nolint:forcetypeassert // as documented
		}[r.URL.Path]
		if strings.HasPrefix(r.URL.Path, "/grow/") {
			to = r.URL.Path + "x/"
		}
		if _, err := r.Cookie("seen"); err != nil && r.URL.Path == "/cookie" {
			to = "/set"
		}
		if r.URL.Path == "/set" {
			to = "/cookie"
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/", Secure: true})
		}
		if r.URL.Path == "/headloop" && r.Method == http.MethodHead || r.URL.Path == "/https" && r.Header.Get("X-Forwarded-Proto") != "https" {
			to = "https://site.example" + r.URL.Path
		}
		if r.URL.Path == "/headlogin" && r.Method == http.MethodHead {
			to = "/none"
		}
		switch {
		case r.Header.Get("Accept") == "":
			w.WriteHeader(http.StatusNotAcceptable)
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
		case slices.Contains([]string{"/", "/ok", "/folder/", "/get", "/slash/", "/cookie", "/headloop", "/headlogin", "/https"}, r.URL.Path):
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
	want := strings.Fields("/ok=200,0 /moved=200,1 /folder=200,0 /chain=200,2 /dead=404,1 /loop=loop /self=loop /grow/a=loop /off=200,1 /named=200,1 /own=200,1 /bad=none /get=200,2 /gone=410,0 /busy=429,0 /broken=500,0 /slash=200,0 /q?id=1=200,0 /q?id=2=404,0 /q?id=3=404,1 /none=404,0 /cookie=200,0 /headloop=200,0 /headlogin=200,0 /https=200,0")
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

// TestServerJudged lets the command ask a server, and reads what it says of each answer.
func TestServerJudged(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch to := map[string]string{"/one": "/two", "/two": "/"}[r.URL.Path]; {
		case to != "":
			http.Redirect(w, r, to, http.StatusMovedPermanently)
		case r.URL.Path == "/own":
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path != "/":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer served.Close()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.jsonl": `{"url":"https://site.example/","html":"<title>A</title><p>some words of the only page"}`, "known.txt": "\xff\xfe" + strings.ReplaceAll("/\n/one\n/own\n/lost\n", "", "\x00")[1:]} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := inProcess(t, "", "cluster", "-q", "-o", "run", "a.jsonl"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	r := inProcess(t, "", "guard", "run", "--urls", "known.txt", "--server", served.URL)
	for _, want := range []string{"2 of 4 known URLs lost: 1 there, 1 redirected", "/own\n    the server answers 403\n", "/lost\n    → perhaps", "https://site.example/one\n    it leads to https://site.example/ by 2 redirects\n    → https://site.example/ (chain, 100 % sure)\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in\n%s%s", want, r.stdout, r.stderr)
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
