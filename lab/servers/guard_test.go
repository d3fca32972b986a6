package servers

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// guarded runs guard with known paths against a server at a port, and returns what it prints.
func guarded(t *testing.T, port int, paths ...string) string {
	t.Helper()
	binary, runs := built(t)
	return guardedRun(t, binary, runs[1], port, paths...)
}

func guardedRun(t *testing.T, binary, run string, port int, paths ...string) string {
	t.Helper()
	list := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(list, []byte("https://a.example"+strings.Join(paths, "\nhttps://a.example")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(binary, "guard", run, "--urls", list, "--server", fmt.Sprintf("http://127.0.0.1:%d", port)).CombinedOutput()
	if err == nil && strings.Contains(string(said), "missing") {
		t.Error("a missing page is no error")
	}
	return string(said)
}

// freePort returns a port of the loopback interface that nobody uses.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// absent skips a test for want of a program, which the build machine must have.
func absent(t *testing.T, why error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// serving starts a program in a folder that serves a site at a port, until the test ends.
func serving(t *testing.T, dir string, port int, program string, args ...string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = dir
	if err := c.Start(); err != nil {
		stop()
		absent(t, err)
	}
	ended := make(chan struct{})
	go func() {
		c.Wait() //nolint:errcheck // it was killed
		close(ended)
	}()
	t.Cleanup(func() { stop(); <-ended })
	for {
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s has ended", program)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// TestGuardApache lets guard ask Apache, whose conditions and files only it knows.
func TestGuardApache(t *testing.T) {
	port := startWith(t, servers[1], `RewriteEngine On
RewriteCond %{HTTP_HOST} ^a\.example
RewriteCond %{REQUEST_METHOD} ^(HEAD|GET)$
RewriteRule ^/old/(.*)$ /404.html?$1 [R=301,L]
RewriteRule ^/gone - [G]
RewriteRule ^/none$ /lost [R=302,L]
RewriteRule ^/more/(.*)$ /more/$1/x [R=301,L]`)
	said := guarded(t, port, "/404.html", "/old/a", "/gone/b", "/none", "/lost", "/more/a")
	for _, want := range []string{"3 of 6 known URLs lost: 1 there, 1 redirected, 1 gone for good", "missing (1)", "dead (1)", "loop (1)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}

// TestGuardGenerators lets guard ask the servers that come with Hugo, MkDocs, Docusaurus and npm's serve, which know aliases, pages that
// redirect, and clean URLs.
func TestGuardGenerators(t *testing.T) {
	t.Run("hugo", func(t *testing.T) {
		hugo, err := exec.LookPath("hugo")
		if err != nil {
			absent(t, err)
		}
		dir, port := t.TempDir(), freePort(t)
		write(t, dir, "config.toml", "baseURL = \"https://a.example/\"\ntitle = \"x\"\ndisableKinds = [\"taxonomy\", \"term\", \"RSS\"]\n")
		write(t, dir, "content/docs/apples.md", "---\ntitle: Apples\naliases: [/old/apples]\n---\nAn apple.\n")
		for _, kind := range []string{"single", "list"} {
			write(t, dir, "layouts/_default/"+kind+".html", "<title>{{.Title}}</title>{{.Content}}")
		}
		serving(t, dir, port, hugo, "server", "--port", fmt.Sprint(port), "--bind", "127.0.0.1", "--watch=false", "--disableLiveReload")
		said := guarded(t, port, "/docs/apples", "/old/apples", "/lost")
		if !strings.Contains(said, "1 of 3 known URLs lost: 2 there, 0 redirected, 0 gone for good") {
			t.Error(said)
		}
	})
	t.Run("mkdocs", func(t *testing.T) {
		bin, dir, port := generatorPrograms(t), t.TempDir(), freePort(t)
		write(t, dir, "mkdocs.yml", "site_name: x\nsite_url: https://a.example/\nplugins:\n  - redirects:\n      redirect_maps:\n        old/apples.md: docs/apples.md\n")
		write(t, dir, "docs/index.md", "# Home\n")
		write(t, dir, "docs/docs/apples.md", "# Apples\nAn apple.\n")
		serving(t, dir, port, filepath.Join(bin, "mkdocs"), "serve", "-q", "--no-livereload", "-a", fmt.Sprintf("127.0.0.1:%d", port))
		said := guarded(t, port, "/docs/apples", "/old/apples", "/lost")
		if !strings.Contains(said, "1 of 3 known URLs lost: 2 there, 0 redirected, 0 gone for good") {
			t.Error(said)
		}
		paths := []string{"/lost"}
		for i := range 999 {
			paths = append(paths, fmt.Sprintf("/docs/apples?%d", i))
		}
		if said = guarded(t, port, paths...); !strings.Contains(said, "1 of 1000 known URLs lost: 0 there, 999 redirected") {
			t.Error(said[:min(len(said), 500)])
		}
	})
	t.Run("serve", func(t *testing.T) {
		dir, port := npmInstalled(t, "serve@14.2.5"), freePort(t)
		write(t, dir, "site/docs/apples.html", "<title>Apples</title>An apple.")
		write(t, dir, "site/serve.json", `{"cleanUrls": true, "redirects": [{"source": "/old/:name", "destination": "/docs/:name"}, {"source": "/dead", "destination": "/nothing"}]}`)
		serving(t, dir, port, filepath.Join(dir, "node_modules", ".bin", "serve"), "-L", "-l", fmt.Sprintf("tcp://127.0.0.1:%d", port), "site")
		said := guarded(t, port, "/docs/apples", "/old/apples", "/dead", "/lost")
		if !strings.Contains(said, "2 of 4 known URLs lost: 1 there, 1 redirected, 0 gone for good") {
			t.Error(said)
		}
	})
	t.Run("docusaurus", func(t *testing.T) {
		dir, port := npmInstalled(t, "@docusaurus/core@3.10.2"), freePort(t)
		write(t, dir, "docusaurus.config.js", "module.exports = {title: 'x', url: 'https://a.example', baseUrl: '/'};\n")
		write(t, dir, "build/index.html", `<title>Home</title>See <a href="/docs/apples">apples</a>.`)
		write(t, dir, "build/docs/apples.html", "<title>Apples</title>An apple.")
		write(t, dir, "build/old/apples.html", `<meta http-equiv="refresh" content="0; url=/docs/apples">`)
		write(t, dir, "build/dead.html", `<meta http-equiv="refresh" content="0; url=/none">`)
		serving(t, dir, port, filepath.Join(dir, "node_modules", ".bin", "docusaurus"), "serve", "--no-open", "--host", "127.0.0.1", "--port", fmt.Sprint(port))
		binary, _ := built(t)
		site := filepath.Join(t.TempDir(), "site")
		run(t, dir, binary, "cluster", "-q", "-o", site, "--base", "https://a.example/", "build")
		said := guardedRun(t, binary, site, port, "/docs/apples", "/old/apples", "/dead", "/lost")
		if !strings.Contains(said, "2 of 4 known URLs lost: 1 there, 1 redirected, 0 gone for good") || !strings.Contains(said, "dead (1)") {
			t.Error(said)
		}
	})
}

// npmInstalled returns a folder in which npm installs a package, with CI=true only.
func npmInstalled(t *testing.T, name string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil || os.Getenv("CI") != "true" {
		t.Skip("npm installs " + name + " with CI=true only")
	}
	dir := t.TempDir()
	run(t, dir, npm, "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", name)
	return dir
}

// TestAction runs the step of action.yml and the hook of pre-commit, and compares their SARIF with its schema. With CI=true,
// pip and npm install what reads YAML and the schema.
func TestAction(t *testing.T) {
	binary, _ := built(t)
	c := exec.Command("bash", "action.sh", binary)
	if os.Getenv("CI") == "true" {
		dir := t.TempDir()
		run(t, dir, "python3", "-m", "venv", dir)
		run(t, dir, filepath.Join(dir, "bin", "pip"), "install", "-q", "pyyaml==6.0.3", "jsonschema==4.25.1")
		run(t, dir, "npm", "pack", "--silent", "@microsoft/jest-sarif@1.0.0-beta.0")
		run(t, dir, "tar", "xzf", "microsoft-jest-sarif-1.0.0-beta.0.tgz")
		c.Args = append(c.Args, filepath.Join(dir, "package/lib/schemas/sarif-2.1.0-rtm.5.json"))
		c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	} else if exec.Command("python3", "-c", "import yaml").Run() != nil {
		t.Skip("Python has no yaml")
	}
	if said, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestGuardMany asks nginx for 10,000 URLs and logs how long that takes.
func TestGuardMany(t *testing.T) {
	port := startWith(t, servers[0], "location /old/ { rewrite ^/old/(.*)$ /new/$1 permanent; }\nlocation /new/ { return 200 x; }")
	var paths []string
	for i := range 5000 {
		paths = append(paths, fmt.Sprintf("/old/%d", i), fmt.Sprintf("/lost/%d", i))
	}
	begun := time.Now()
	said := guarded(t, port, paths...)
	t.Logf("10,000 URLs in %s", time.Since(begun).Round(time.Second/10))
	if !strings.Contains(said, "5000 of 10000 known URLs lost: 0 there, 5000 redirected, 0 gone for good") {
		t.Error(said[:min(len(said), 500)])
	}
}
