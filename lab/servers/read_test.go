package servers

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// written are rules as people write them, with paths to ask for. Each is also asked for with a slash, with more after it
// and with queries.
var written = []struct{ server, conf, paths string }{
	{"nginx", `rewrite ^/v1.0/(.*)$ /docs/$1 permanent;
location ~ "^/q/[a-z]{2}/(.*)$" { return 301 /docs/$1; }
location ~* ^/Manual/(.*)$ { return 301 /docs/$1; }`, "/v1.0 /v1x0/a /q/en/a /q/eng/a /manual/y /MANUAL/y /Manual"},
	{"nginx", `location = / { rewrite ^ /en/ permanent; }
location ~ ^/k/ { rewrite /x$ /docs/x/ permanent; }
location /old { return 302 https://new.example$request_uri; }
location /old/kept { }
location ^~ /pre/ { return 301 /after/; }
location ~ /pre/.*\.php$ { return 301 /never; }
location = /pre/exact { return 410; }
location /deep/ { rewrite ^/deep/(\w+)/(\w+)$ /$2/$1? redirect; }`, "/ /k /k/x /k/y/x /x /old /old/kept /old/kept/z /older /pre /pre/a /pre/a.php /pre/exact /deep /deep/a /deep/a/b"},
	{"nginx", `if ($uri ~* "^/Old$") { return 301 /docs/x/; }
if ($request_uri ~ "^/page\?id=7$") { return 301 /seven; }
if ($args ~ "^id=8$") { return 301 /eight; }
if ($uri !~ ^/(docs|old|page|a|b|new)) { return 301 /docs; }
location /a { return 301 $scheme://$host/b$uri; }
location /b/c { return 301 https://$host$request_uri; }
location /docs/in { location /docs/in/side { return 301 /docs/nested; } return 301 /docs/outer; }`, "/OLD /old /page /page?id=7 /page?id=8 /nothing /a /b /b/c /docs/in /docs/in/side /docs/in/sidelong"},
	{"nginx", `rewrite ^/one/(?<name>\w+)$ /two/$name permanent;
rewrite ^/three/(.+)/(.+)$ https://other.example/$2?x=$1 permanent;
rewrite ^/four$ /five;
rewrite ^/six$ /seven last;
location ~ \.(htm|asp)$ { rewrite ^(.*)\.(?:htm|asp)$ $1.html permanent; }
location /caf { rewrite ^/café/(.*)$ /coffee/$1 permanent; }
return 404;`, "/one/a /one/a/b /three/a/b /three/a/b/c /four /six /p.htm /q/p.asp /caf%C3%A9/x"},
	{"nginx", `location / { rewrite ^/([^/]+)/index\.php$ /$1/ permanent; try_files $uri $uri/ =404; }
location /api/ { rewrite ^/api/v1/(.*) /api/v2/$1 redirect; }
location ~ ^/(en|de)/(.*)$ { return 301 /$2?lang=$1; }
location ~* ^/IMG/ { return 301 /images/; }`, "/x/index.php /api /api/v1/a /api/v2/a /en /en/a /de/a/b /fr/a /img/a"},
	{"apache", `RedirectMatch 301 ^/v1.0/(.*)$ /docs/$1
Redirect permanent /a /docs/x/
Redirect 302 /b/ /docs/y/
Redirect gone /c
RedirectMatch 410 ^/d$
RedirectPermanent /e https://other.example/e
RedirectMatch temp "\.asp$" /docs/
Redirect 404 /f
Redirect /f /g`, "/v1.0 /v1x0/a /a /ab /a/b /b /bc /c /c/d /d /d/e /e /e/f /x.asp /x.aspx /f"},
	{"apache", `RewriteEngine On
Redirect 301 /first /alias
RewriteRule ^/first$ /docs/x/ [R=permanent,L]
RewriteRule ^/Two$ /docs/x/ [redirect=303,nocase,last]
RewriteRule ^/three$ - [gone]
RewriteRule ^/four$ - [R=410]
RewriteRule ^/five$ - [F]
RewriteRule "^/si x/(.*)$" "/seven/$1" [R=301,NE,L]
RewriteRule ^/(en|de)/(.*)$ /$2?lang=$1 [R,L]
RewriteRule !^/(docs|first|kept|alias|en|de) /docs/ [R=301,L]`, "/first /first/x /two /TWO /three /four /five /si%20x/a /en /en/a /de/a/b /docs /kept /other /alias"},
	{"apache", `RewriteEngine On
RewriteCond %{QUERY_STRING} (^|&)id=7(&|$)
RewriteRule ^/page\.php$ /docs/x/? [R=301,L]
RewriteCond %{QUERY_STRING} ^doc=(\w+)$
RewriteRule ^/(view)\.php$ /docs/$1/%1/? [R=301,L]
RewriteCond %{QUERY_STRING} ^$
RewriteRule ^/view\.php$ /docs/none [R=301,L]
RewriteCond %{REQUEST_URI} !^/h/kept
RewriteRule ^/h/(.*)$ /g/$1 [R=301,L]
RewriteCond %{HTTP_HOST} ^other\.example$ [OR]
RewriteCond %{HTTP_HOST} ^third\.example$
RewriteRule ^ /never [R=301,L]
RewriteCond %{HTTP_HOST} =site.example
RewriteRule ^/own$ https://%{HTTP_HOST}/mine%{REQUEST_URI} [R=301,L]`, "/page.php /page.php?id=7 /page.php?a=1&id=7 /page.php?id=77 /view.php /view.php?doc=x /view.php?doc=x&y=1 /h /h/kept /h/a /own"},
	{"htaccess", `RewriteEngine On
RewriteRule ^one$ /docs/x/ [R=permanent,L]
RewriteRule ^two$ /docs/x/ [redirect=301,last]
RewriteRule ^Three$ /docs/x/ [R=301,nocase,L]
RewriteRule ^four$ - [gone]
RewriteRule ^five$ - [R=410]
RewriteCond %{QUERY_STRING} (^|&)id=7(&|$)
RewriteRule ^page\.php$ /docs/x/? [R=301,L]
RewriteRule ^(de|en)/?(.*)$ /$2?lang=$1 [R=301,L]
RewriteRule (.*)\.aspx?$ /$1/ [R=301,L]
RewriteRule ^old(/.*)?$ https://new.example$1 [R=301,L]
RewriteRule ^keep/ - [L]
RewriteRule ^k(.*)/z$ /y$1 [R=302,L]
Redirect 301 /alias /one
RedirectMatch 301 ^/match/(\d+)$ /m$1`, "/one /two /THREE /four /five /page.php /page.php?a=1&id=7 /de /en/x /a.asp /b/c.aspx /old /old/a /older /keep/z /kind/z /alias /match/7 /match/x"},
	{"htaccess", `RewriteEngine On
RewriteCond %{HTTPS} off
RewriteCond %{HTTP:X-Forwarded-Proto} https
RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [L,R=301]
RewriteCond %{REQUEST_FILENAME} -f
RewriteRule ^ - [L]
RewriteCond %{REQUEST_URI} ^/(a|b)/
RewriteCond %{REQUEST_URI} !\.css$
RewriteRule ^[^/]+/(.*)$ /%1x/$1 [R=301,L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME} !-d
RewriteRule ^c/(.+)$ /d/$1 [R=301,L]
RewriteRule ^index\.php$ - [L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteRule ^prog/ /index.php [L]`, "/a /a/y /b/y.css /ax /c /c/y /prog/x /index.php /none"},
}

// folder is Apache with rules that stand in a folder, as those of .htaccess do.
var folder = server{"apache", "apache2", func(dir string, port int, conf string) string {
	return strings.Replace(servers[1].config(dir, port, conf), "Include "+conf, fmt.Sprintf("<Directory %s/www>\nInclude %s\n</Directory>", dir, conf), 1)
}, servers[1].args}

// TestRead asks both servers what rules as people write them do, and compares it with what package rules reads from them.
// URLs that a line may answer of which Read says that it is not certain are not compared.
func TestRead(t *testing.T) {
	asked, named := 0, 0
	for _, c := range written {
		t.Run(c.server, func(t *testing.T) {
			s := folder
			if at := slices.IndexFunc(servers, func(s server) bool { return s.name == c.server }); at >= 0 {
				s = servers[at]
			}
			port := startWith(t, s, c.conf)
			site := rules.Site{Base: "https://site.example", Canonical: (&urls.Rules{}).Canonical}
			list, problems, err := rules.Read([]byte(c.conf), s.name, "", site)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(problems)
			checker := rules.Checker{Site: site, Rules: list}
			for path := range strings.FieldsSeq(c.paths) {
				forms := []string{path}
				if !strings.Contains(path, "?") {
					forms = append(forms, path+"?id=7", path+"?a=b", path+"/deeper", path+"/x", path+"x")
				}
				for _, form := range forms {
					form = site.Base + strings.Replace(form, "//", "/", 1)
					want, sure := answer(&checker, form)
					if !sure {
						named++
						continue
					}
					asked++
					if got := reply(t, port, &site, form); got != want {
						t.Errorf("%s: the server says %q, the rules %q", form, got, want)
					}
				}
			}
		})
	}
	t.Logf("%d requests compared, %d named", asked, named)
}

// reply returns where a server sends a URL or its form with a slash: its canonical URL without the query of the request,
// "gone", or nothing.
func reply(t *testing.T, port int, site *rules.Site, url string) string {
	t.Helper()
	plain, query, _ := strings.Cut(url, "?")
	for _, form := range []string{url, strings.TrimSuffix(plain, "/") + "/?" + query} {
		form = strings.TrimSuffix(form, "?")
		switch code, to := ask(t, port, form); {
		case code == http.StatusGone:
			return "gone"
		case code >= 300 && code < 400:
			if strings.HasPrefix(to, "/") {
				to = site.Base + to
			}
			plain, fragment, cut := strings.Cut(strings.Replace(ownPort.ReplaceAllString(to, "$1"), "http://site.example", site.Base, 1), "#")
			if to = canonical(t, plain); cut && fragment != "" {
				to += "#" + fragment
			}
			if to != canonical(t, form) {
				return without(to, query)
			}
		}
	}
	return ""
}

// ownPort matches the name of the site with a port.
var ownPort = regexp.MustCompile(`^(https?://site\.example):\d+`)

// without cuts the query of a request, which servers carry over.
func without(url, query string) string {
	return strings.TrimSuffix(strings.TrimSuffix(url, "?"+query), "&"+query)
}

// answer returns what rules say, in the form of reply, and whether it is sure.
func answer(c *rules.Checker, url string) (to string, sure bool) {
	own, _ := c.Canonical(url) //nolint:errcheck // it is one
	switch at, to, doubt := c.Answer(own, 0); {
	case doubt >= 0:
		return "", false
	case at < 0 || c.Rules[at].Serves || to == own:
		return "", true
	case c.Rules[at].Gone:
		return "gone", true
	default:
		_, query, _ := strings.Cut(url, "?")
		return without(to, query), true
	}
}

// TestGuardServer lets guard ask nginx, with conditions, hosts and a loop that only the server knows.
func TestGuardServer(t *testing.T) {
	port := startWith(t, servers[0], `rewrite ^/old/(.*)$ /$1 permanent;
location = /docs/apples { if ($http_user_agent ~ lshclust) { return 301 http://a.example/manual/apples/; } }
location = /manual/apples { return 301 /manual/apples/; }
location /manual/ { return 200 x; }
location = /loop { return 301 /back; }
location = /back { return 301 /loop; }
location = /dead { return 302 /none; }
location = /gone { return 410; }
location = /busy { return 429; }`)
	binary, runs := built(t)
	list := filepath.Join(t.TempDir(), "known.txt")
	known := "https://a.example/old/manual/apples\nhttps://a.example/docs/apples\nhttps://a.example/loop\nhttps://a.example/dead\nhttps://a.example/gone\nhttps://a.example/busy\nhttps://a.example/docs/plums\n"
	if err := os.WriteFile(list, []byte(known), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(binary, "guard", runs[1], "--urls", runs[0], "--urls", list, "--server", fmt.Sprintf("http://127.0.0.1:%d", port)).CombinedOutput()
	if err == nil {
		t.Error("nothing is found")
	}
	for _, want := range []string{"5 of ", "1 gone for good", "missing (3)", "dead (1)", "loop (1)", "unread (1)", "the server answers 429", "it leads to https://a.example/none, for which the server answers 404"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}
