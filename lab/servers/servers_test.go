package servers

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// site is a list of moves with the URLs that stay.
type site struct {
	name  string
	moves []rules.Move
	stay  []string
}

const (
	old  = "https://old.example"
	next = "https://new.example"
)

// sites are what the rules must get right: odd characters, queries, pages beside folders of the same name, exceptions
// within a folder, whole hosts, several hosts.
func sites() []site {
	odd := site{name: "odd", stay: []string{old + "/", old + "/a.b", old + "/docs", old + "/docs/stays"}}
	for i, path := range []string{
		"/page", "/a+b", "/axb", "/a(b)c", "/caf%C3%A9", "/two%20words", "/%22quoted%22", "/100%25", "/semi;colon", "/dollar$1",
		"/tilde~x", "/a%5Cb", "/curly%7Bx%7D", "/docs/moved.html", "/q?id=1", "/q?id=2&lang=de", "/Upper", "/star*", "/hash%23x", "/%E6%97%A5%E6%9C%AC",
		"/quest%3Fion", "/apos'x", "/per%2541", "/caret%5Ex", "/pipe%7Cx", "/back%60tick",
	} {
		to := fmt.Sprintf("%s/n/%d%s", next, i, strings.ReplaceAll(path, "?", "/q-"))
		odd.moves = append(odd.moves, rules.Move{From: old + path, To: to})
	}
	odd.moves = append(odd.moves, rules.Move{From: old + "/to-query", To: next + "/search?q=a%20b&x=%24y"})
	folder := site{name: "folder", stay: []string{old, old + "/blog/stays", old + "/new/docs"}}
	for _, rest := range []string{"", "/a", "/b", "/c/d", "/c/e.html", "/c/f%20g"} {
		folder.moves = append(folder.moves, rules.Move{From: old + "/docs" + rest, To: old + "/manual" + rest})
	}
	folder.moves = append(folder.moves, rules.Move{From: old + "/docs/special", To: old + "/blog/stays"}, rules.Move{From: old + "/blog/one", To: old + "/news/one"})
	host := site{name: "host"}
	several := site{name: "several", stay: []string{"https://c.example/x"}}
	several.moves = append(several.moves, rules.Move{From: "https://c.example/q?id=1", To: next + "/q1"}, rules.Move{From: "https://d.example/q?id=1", To: next + "/q2"})
	for _, path := range []string{"", "/a", "/a/b", "/c.html", "/d%20e/f"} {
		host.moves = append(host.moves, rules.Move{From: old + path, To: next + path})
		several.moves = append(several.moves, rules.Move{From: "https://a.example" + path, To: next + "/a-site" + path}, rules.Move{From: "https://b.example" + path, To: next + "/b-site" + path})
	}
	return []site{odd, folder, host, several}
}

// server is a kind of server: the name of its rules, and how to start it with a configuration.
type server struct {
	name, program string
	config        func(dir string, port int, conf string) string
	args          func(dir, config string) []string
}

var servers = []server{
	{"nginx", "nginx", func(dir string, port int, conf string) string {
		return fmt.Sprintf("daemon off;\nmaster_process off;\npid %[1]s/pid;\nerror_log %[1]s/log;\nevents {}\nhttp { access_log off; client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;\nserver { listen 127.0.0.1:%[2]d; root %[1]s/www; include %[3]s; } }\n", dir, port, conf)
	}, func(_, config string) []string { return []string{"-c", config, "-e", config + ".log"} }},
	{"apache", "apache2", func(dir string, port int, conf string) string {
		const modules = "/usr/lib/apache2/modules"
		var b strings.Builder
		for _, m := range []string{"mpm_event", "authz_core", "alias", "rewrite", "headers", "mime", "setenvif"} {
			fmt.Fprintf(&b, "LoadModule %s_module %s/mod_%s.so\n", m, modules, m)
		}
		fmt.Fprintf(&b, "TypesConfig /dev/null\nServerRoot %[1]s\nServerName localhost\nPidFile %[1]s/pid\nErrorLog %[1]s/log\nDefaultRuntimeDir %[1]s\nListen 127.0.0.1:%[2]d\nDocumentRoot %[1]s/www\n<Directory %[1]s/www>\nRequire all granted\n</Directory>\nAllowEncodedSlashes On\nInclude %[3]s\n", dir, port, conf)
		return b.String()
	}, func(_, config string) []string { return []string{"-X", "-f", config} }},
}

// TestServers asks both servers for every URL in its common forms. Each answer is a 301 to the right URL, and URLs that stay
// are not redirected.
func TestServers(t *testing.T) {
	for _, s := range servers {
		for _, site := range sites() {
			t.Run(s.name+"/"+site.name, func(t *testing.T) { try(t, s, site) })
		}
	}
}

func try(t *testing.T, s server, site site) {
	list := rules.Compress(site.moves, site.stay, true)
	if len(list) >= len(site.moves) && site.name != "odd" {
		t.Errorf("%d rules for %d moves", len(list), len(site.moves))
	}
	port := start(t, s, list)
	for _, m := range site.moves {
		for _, form := range forms(m.From) {
			code, to := ask(t, port, form)
			if code != http.StatusMovedPermanently || canonical(t, to) != canonical(t, m.To) {
				t.Errorf("%s: %d %s, want 301 %s", form, code, to, m.To)
			}
		}
	}
	for _, url := range site.stay {
		if code, to := ask(t, port, url); to != "" {
			t.Errorf("%s stays: %d %s", url, code, to)
		}
	}
}

// forms returns the forms of a canonical URL that are common on the web.
func forms(url string) []string {
	if strings.Contains(url, "?") || strings.HasSuffix(url, ".html") {
		return []string{url}
	}
	return []string{url, url + "/", url + "/index.html"}
}

func canonical(t *testing.T, url string) string {
	t.Helper()
	if url == "" {
		return ""
	}
	c, err := (&urls.Rules{}).Canonical(url)
	if err != nil {
		t.Errorf("%q: %v", url, err)
	}
	return strings.ReplaceAll(c, "%24", "$") // nginx cannot write $, and both mean the same
}

// start starts a server with rules and returns its port.
func start(t *testing.T, s server, list []rules.Rule) int {
	t.Helper()
	var conf bytes.Buffer
	if _, err := rules.Write(&conf, s.name, list, rules.Site{}); err != nil {
		t.Fatal(err)
	}
	return startWith(t, s, conf.String())
}

// installed returns the path of the program of a server. Without it, the test is skipped.
func installed(t *testing.T, s server) string {
	t.Helper()
	for _, name := range []string{s.program, filepath.Join("/usr/sbin", s.program)} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	absent(t, fmt.Errorf("%s is not installed: it is neither in PATH nor in /usr/sbin", s.program))
	return ""
}

// startWith starts a server with a part of its configuration and returns its port.
func startWith(t *testing.T, s server, conf string) int {
	t.Helper()
	program := installed(t, s)
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "www"), 0o755); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	include, config := filepath.Join(dir, "rules.conf"), filepath.Join(dir, "server.conf")
	for path, content := range map[string]string{filepath.Join(dir, "www", "404.html"): "There is no such page.", include: conf, config: s.config(dir, port, include)} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, program, s.args(dir, config)...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		c.Wait() //nolint:errcheck // it was killed
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(dir, "log")) //nolint:errcheck // shown if it is there
			t.Logf("%s\n%s\n%s", conf, out.String(), log)
		}
	})
	for {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			return port
		}
		select {
		case <-ended:
			t.Fatalf("%s has ended", s.name)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ask asks for a URL and returns the status and the Location.
func ask(t *testing.T, port int, url string) (code int, location string) {
	t.Helper()
	_, rest, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /%s HTTP/1.0\r\nHost: %s\r\n\r\n", path, host)
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(conn); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(answer.String(), "\r\n\r\n")
	for i, line := range strings.Split(head, "\r\n") {
		if i == 0 {
			fmt.Sscanf(line, "HTTP/1.1 %d", &code) //nolint:errcheck // 0 if it is no answer
		}
		if v, ok := strings.CutPrefix(line, "Location: "); ok {
			location = v
		}
	}
	return code, location
}
