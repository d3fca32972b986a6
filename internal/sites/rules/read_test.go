package rules

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
)

const oldSite, newSite = "https://old.example", "https://new.example"

func site(base string) Site { return Site{Base: base, Canonical: urls.DefaultRules().Canonical} }

// oddPaths are paths that the syntax of a format could break.
var oddPaths = []string{
	"/page", "/a+b", "/axb", "/a(b)c", "/caf%C3%A9", "/two%20words", "/%22quoted%22", "/100%25", "/semi;colon", "/dollar$1",
	"/tilde~x", "/curly%7Bx%7D", "/docs/moved.html", "/q?id=1", "/q?id=2&lang=de", "/Upper", "/star*", "/hash%23x", "/%E6%97%A5%E6%9C%AC",
	"/apos'x", "/per%2541", "/caret%5Ex", "/pipe%7Cx", "/back%60tick", "/a:b", "/c=d", "/x[y]", "",
}

// TestRoundTrip writes rules for odd paths, folders and whole hosts in every format and reads them again.
func TestRoundTrip(t *testing.T) {
	one := []Rule{{From: oldSite + "/docs", To: newSite + "/manual", Prefix: true}, {From: oldSite + "/blog", To: oldSite + "/news", Prefix: true}, {From: oldSite + "/to", To: newSite + "/search?q=a%20b&x=y"}}
	var several []Rule
	for i, path := range oddPaths {
		r := Rule{From: oldSite + path, To: fmt.Sprintf("%s/n/%d%s", newSite, i, strings.ReplaceAll(path, "?", "/q-"))}
		one = append(one, r)
		several = append(several, r, Rule{From: "https://b.example" + path, To: newSite + "/b" + path})
	}
	several = append(several, Rule{From: "https://c.example", To: newSite + "/c", Prefix: true})
	for _, name := range Formats {
		f, _ := formatOf(name)
		for lists, list := range map[string][]Rule{"one host": one, "several hosts": several} {
			of := site(oldSite)
			if lists == "several hosts" && (f.each || name == "readthedocs" || name == "nginx" || name == "apache") {
				continue // these formats are of one host, or read only for one
			}
			if f.each {
				list = slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Prefix })
			}
			for i := range list {
				list[i].To = strings.ReplaceAll(list[i].To, "$", "%24") // nginx has no other way to write it
			}
			if name == "rediraffe" {
				for i := range list {
					list[i].To = strings.Replace(list[i].To, newSite, oldSite, 1)
				}
			}
			var b bytes.Buffer
			left, err := Write(&b, name, list, of)
			if err != nil {
				t.Fatal(err)
			}
			got, unread, err := Read(b.Bytes(), name, "", of)
			if err != nil || len(unread) > 0 {
				t.Errorf("%s: %v %v", name, unread, err)
			}
			found := map[string]Rule{}
			for _, r := range got {
				if r.Line == 0 {
					t.Errorf("%s: %v has no line", name, r)
				}
				if r.Weak {
					t.Errorf("%s: %v is weak", name, r)
				}
				r.Line = 0
				r.To = strings.ReplaceAll(r.To, "$", "%24")
				found[r.From] = r
			}
			missed := 0
			for _, want := range list {
				k := Checker{Site: of, Rules: got}
				if at, to, _ := k.Answer(want.From, 0); strings.Contains(want.From, "?") && at >= 0 && got[at].conds != nil {
					if strings.ReplaceAll(to, "$", "%24") != want.To {
						t.Errorf("%s, %s: %s leads to %s, want %s", name, lists, want.From, to, want.To)
					}
				} else if r, ok := found[want.From]; !ok {
					missed++
					if left == 0 {
						t.Errorf("%s, %s: %v is not read", name, lists, want)
					}
				} else if !reflect.DeepEqual(r, want) {
					t.Errorf("%s, %s: %v, want %v", name, lists, r, want)
				}
			}
			if missed != left || len(got) != len(list)-left {
				t.Errorf("%s, %s: %d of %d rules read, %d missed, %d cannot be written\n%s", name, lists, len(got), len(list), missed, left, b.String())
			}
		}
	}
}

// TestRead reads rules as people write them, and names the lines that it cannot read.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		answers    map[string]string // path to URL; - stands for gone, nothing for no answer
		unread     []int
	}{
		{"nginx", `server {
    listen 80; # comment {
    location = /a { return 301 /b; }
    location /old/ { return 302 https://new.example$request_uri; }
    location ~ ^/v([0-9]+)/(.*)$ { return 301 /version-$1/$2; }
    rewrite ^/docs/(.*)$ /manual/$1 permanent;
    rewrite ^/internal /x last;
    location /gone { return 410; }
    if ($http_user_agent ~ bot) { return 301 /bots; }
    rewrite ^/bad(.*$ /y permanent;
    location / { try_files $uri =404; }
}`, map[string]string{"/a": "/b", "/old/x": "https://new.example/old/x", "/v2/y": "/version-2/y", "/docs/z/1": "/manual/z/1", "/internal": "", "/gone": "-", "/else": ""}, []int{7, 9, 10}},
		{"apache", `<IfModule mod_rewrite.c>
RewriteEngine On
RewriteBase /
Redirect 301 /a /b
Redirect gone /gone
RedirectMatch 301 ^/v([0-9]+)/(.*)$ https://new.example/version-$1/$2
RedirectPermanent /only
RewriteRule ^docs/(.*)$ /manual/$1 [R=301,L]
RewriteRule ^internal$ index.php [L]
RewriteCond %{HTTP_USER_AGENT} bot
RewriteRule ^x$ /y [R=301,L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteRule ^blog/(\d+)$ /post/$1 [R,L]
</IfModule>`, map[string]string{"/a": "/b", "/a/c": "/b/c", "/gone": "-", "/v2/y": "https://new.example/version-2/y", "/docs/z": "/manual/z", "/blog/12": "/post/12", "/internal": ""}, []int{7, 9, 11}},
		{"netlify", "# comment\n/a  /b\n/docs/*  /manual/:splat  301!\n/gone /x 410\n/news/:year/:slug /blog/:slug\n/* /index.html 200\n/c /d 302 Country=de\nnonsense\n", map[string]string{"/a": "/b", "/docs/x": "/manual/x", "/gone": "-", "/news/2020/y": "/blog/y", "/c": ""}, []int{7, 8}},
		{"mkdocs", "site_name: x\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        'a.md': 'b.md#c'\n        d/index.md: https://new.example/d # e\n        nonsense\n  - other:\n      x: y\n", map[string]string{"/a": "/b#c", "/d": "https://new.example/d", "/x": ""}, []int{8}},
		{"zensical", "[project]\nsite_name = \"x\"\n[project.plugins.redirects.redirect_maps]\n\"a.md\" = \"b.md\"\n[other]\nx = 1\n", map[string]string{"/a": "/b"}, nil},
		{"rediraffe", "# comment\n\"a b.rst\" \"c.rst\"\nd e\nf\n", map[string]string{"/a%20b": "/c", "/d": "/e"}, []int{4}},
		{"docusaurus", "export default {\n  plugins: [['@docusaurus/plugin-client-redirects', {\n    redirects: [\n      {to: '/b', from: '/a'}, // don't\n      {\n        from: [\"/c\", '/d'],\n        to: \"/e\",\n      },\n      {from: name, to: '/x'},\n    ],\n  }]],\n};\n", map[string]string{"/a": "/b", "/c": "/e", "/d": "/e"}, []int{9}},
		{"readthedocs", `{"count": 3, "results": [{"from_url": "/a.html", "to_url": "/b.html", "type": "exact"}, {"from_url": "/docs/*", "to_url": "/m/:splat", "type": "page"},` + "\n" + `{"from_url": "", "type": "clean_url_to_html"}, {"from_url": "/x", "type": "prefix"}]}`, map[string]string{"/a.html": "/b.html", "/docs/z": "/m/z"}, []int{2, 2}},
		{"hugo", "---\ntitle: x\naliases:\n  - /a\n  - /b/\nweight: 1\n---\n- text\n", map[string]string{"/a": "/posts/x", "/b": "/posts/x"}, nil},
		{"csv", "from,to,prefix\n/a,/b,false\n\"x\n", map[string]string{"/a": "/b"}, []int{3}},
		{"cloudflare", "old.example/a,https://old.example/b,301\nold.example/d,https://old.example/e,301,TRUE,FALSE,TRUE,FALSE\nx y,z,301\n", map[string]string{"/a": "/b", "/d/x": "/e"}, []int{3}},
		{"cloudflare", "/* /index.html 200\n/a /b 301!\nhttps://old.example/c /d 301\n/e /f 410\n/g id=:id /h\n/i/* /k/:splat # why\n/l https://new.example/ 302\n", map[string]string{"/a": "", "/c": "", "/e": "", "/i/x": "/k/x", "/l": "https://new.example", "/z": ""}, []int{1, 2, 3, 4, 5}},
		{"rediraffe", "a b\nb c/d\nx y\ny z\nz y\n", map[string]string{"/a": "/c/d", "/b": "/c/d"}, nil},
		{"readthedocs", `[{"from_url": "/a", "to_url": "/b", "type": "exact", "enabled": false}, {"from_url": "/c", "to_url": "/d", "type": "exact", "enabled": true}]`, map[string]string{"/a": "", "/c": "/d"}, nil},
		{"readthedocs", `[{"type": "page", "to_url": "/b"},` + "\n" + `{"from_url": "/a", "to_url": "/b"}]`, map[string]string{"/a": "", "/": ""}, []int{1, 2}},
		{"cloudflare", "https://old.example/a;https://old.example/b\nhttps://old.example/d;https://old.example/e\n", map[string]string{"/a": "/b", "/d": "/e"}, nil},
		{"cloudflare", "/ /index.html\n/a* /index-old.html\n/b https://x.example/ 200\n", map[string]string{"/": "", "/ab": "/index-old.html", "/b": ""}, []int{1, 3}},
		{"docusaurus", "export default {\n  // fromExtensions: ['html'],\n  redirects: [{from: '/a', to: '/b'}],\n};\n", map[string]string{"/a": "/b", "/c": ""}, nil},
		{"docusaurus", "export default {\n  fromExtensions: ['html'],\n  redirects: [{from: '/a', to: '/b'}],\n};\n", map[string]string{"/a": "/b"}, []int{2}},
		{"vercel", `{"redirects": [` + "\n" + `{"source": "/v4/:path((?!admin).*)", "destination": "/docs/:path"},{"source": "/v10\\.html", "destination": "/docs/x"}]}`, map[string]string{"/v10.html": "/docs/x", "/v10": ""}, []int{2}},
	} {
		s := site(oldSite)
		list, unread, err := Read([]byte(c.text), c.name, "posts/x.md", s)
		if err != nil {
			t.Fatal(err)
		}
		var at []int
		for _, u := range unread {
			at = append(at, u.Line)
		}
		if !slices.Equal(at, c.unread) {
			t.Errorf("%s: unread %v, want %v", c.name, unread, c.unread)
		}
		k := Checker{Site: s, Rules: list}
		for path, want := range c.answers {
			rule, to, _ := k.Answer(oldSite+path, 0)
			got := strings.TrimPrefix(to, oldSite)
			if rule >= 0 && list[rule].Gone {
				got = "-"
			}
			if got != want {
				t.Errorf("%s: %s leads to %q, want %q; %v", c.name, path, got, want, list)
			}
		}
	}
}

// TestAnswers has what nginx, Apache and the parser of Netlify answer for rules as people write them.
func TestAnswers(t *testing.T) {
	for _, c := range []struct{ format, rules, asked string }{
		{"netlify", "/news/:section/:page /:section/:page\n/man/:v/* /docs/:v/:splat", "/news/docs/x=/docs/x /news/docs= /man/1/a/b=/docs/1/a/b /man/1=/docs/1"},
		{"netlify", "/store id=:id /docs/:id\n/q id=1 lang=de /one", "/store?id=x=/docs/x /store?b=1&id=x=/docs/x /store= /q?lang=de&id=1&z=1=/one /q?id=1="},
		{"netlify", "/minify-* /docs/:splat\n/a/*/z /docs/:splat\n/two/*/b/* /v/:splat", "/minify-x/y=/docs/x/y /a/x/y/z=/docs/x/y /a/z=/docs /a/x= /two/a/b/c=/v/a"},
		{"netlify", "/k_*.md /x\n/p/:x* /1/:x*\n/s/:b.html /2/:b\n/t/:x /3/:x/:xy\n/a-*/z /4/:splat\n/:v/:v/w /5/:v", "/k_get.md= /p/a=/1/a /p/a/b= /s/z=/2/:b /t/a=/3/a/ay /a-1/z=/4/1 /1/2/w=/5/1"},
		{"netlify", "/x/:a-:b /y/:a\n/port/:x https://h.example:8080/:x\n/d/:x /d$1/:x", "/x/1-2=/y/:a /port/a=https://h.example:8080/a /d/z=/d$1/z"},
		{"netlify", "https://blog.example/* https://new.example/:splat\n/p/* /q/:splat", "/x= /p/a=/q/a"},
		{"netlify", "/api/* /.netlify/functions/:splat 200\n/app/* /index.html 200\n/app/x /y\n/off/* /404.html 404\n/off/x /y", "/api/x=served /app/x=served /off/x="},
		{"netlify", "[build]\npublish = \"x\"\n[[redirects]]\nfrom = \"/one/*\"\nto = \"/two/:splat\"\nforce = true\n[[redirects]]\nfrom = \"/q\"\nto = \"/:id\"\nquery = {id = \":id\"}\n", "/one/x=/two/x /q?id=7=/7 /q="},
		{"nginx", `rewrite ^/v1.0/(.*)$ /docs/$1 permanent; location ~ "^/q/[a-z]{2}/(.*)$" { return 301 /docs/$1; } location ~* ^/Manual/(.*)$ { return 301 /docs/$1; }`, "/v1.0/x=/docs/x /v1x0/x=/docs/x /q/en/x=/docs/x /q/eng/x= /manual/y=/docs/y"},
		{"nginx", "location = / { rewrite ^ /en/ permanent; } location ~ ^/k/ { rewrite /x$ /docs/x/ permanent; } location /k { return 410; }", "/=/en /no= /q/x= /k/a/x=/docs/x /k/a= /kk=gone"},
		{"nginx", "location /old { return 301 /new; } location /old/kept { } location ~ php$ { return 301 /p; }", "/old/x=/new /old/kept/x= /a.php=/p"},
		{"nginx", "server { server_name blog.old.example; return 301 https://blog.example/; } server { server_name www.old.example *.other.example; location = /a { return 301 /b; } } server { return 301 /all; }", "/x= /a=/b"},
		{"nginx", "server { listen 80; return 301 https://$host$request_uri; } server { server_name www.old.example *.other.example; location = /a { return 301 /b; } }", "/x= /a=/b"},
		{"nginx", "/one /docs/x;\n~^/two/(.+)$ /docs/$1;\n", "/one=/docs/x /two/y=/docs/y"},
		{"nginx", `if ($request_uri ~* "^/Old$") { return 301 /x; } location / { try_files $uri $uri/ =404; }`, "/old=/x /a="},
		{"apache", "RewriteEngine On\nRewriteRule ^one$ /x [R=permanent,L]\nRewriteRule ^Two$ /x [redirect=303,nocase,last]\nRewriteRule ^three$ - [gone]\nRewriteRule ^four$ - [R=410]\nRewriteRule ^keep - [L]\nRewriteRule ^(k.*)$ /y/$1 [R]", "/one=/x /two=/x /three=gone /four=gone /keep= /kind=/y/kind"},
		{"apache", "RewriteEngine On\nRewriteCond %{QUERY_STRING} (^|&)id=7(&|$)\nRewriteRule ^page\\.php$ /x? [R=301,L]", "/page.php?a=1&id=7=/x /page.php?id=77= /page.php="},
		{"apache", "<VirtualHost *:80>\nServerName blog.example\nRedirect permanent / https://blog.example/\n</VirtualHost>\n<VirtualHost *:80>\nServerName x.example\nServerAlias www.old.example\nRedirect permanent /a /x/\n</VirtualHost>\n", "/lost= /a=/x /a/b=/x/b"},
		{"apache", "<VirtualHost *:80>\nServerName old.example\nServerAlias x.example\nRedirect /a \"/x\"\n</VirtualHost>\n<VirtualHost *:80>\nServerName x.example\n<IfModule a>\n</IfModule>\nRedirect /b /x\n</VirtualHost>\n", "/a=/x /b="},
		{"apache", "RewriteRule \"^docs(?:/(.*))?$\" \\\n  /x [R]\nRedirect 410 /c/\nRedirectMatch \\.asp$ /y\n", "/docs/a=/x /c/d=gone /cd= /p.asp=/y"},
		{"nginx", `server { server_name .old.example; if ($request_uri ~ "^/a/(.*)$") { return 301 /b/$1; } } server { server_name x.example; return 301 /x; }`, "/a/c=/b/c /a/c?d=/b/c?d /e="},
		{"apache", "RewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [L,R=301]\nRewriteRule ^h/kept - [L]\nRewriteRule ^h/(.*)$ /g/$1 [R=301,L]\nRedirect 301 /old /x\n", "/old=/x /h/a=/g/a /h/kept="},
		{"apache", "Redirect 301 /a /alias\nRewriteEngine On\nRewriteRule ^a$ /rewritten \\\n [R=301,L]", "/a=/rewritten"},
		{"vercel", `{"redirects": [{"source": "/one", "destination": "/1", "permanent": true}, {"source": "/blog/:slug*", "destination": "/docs/:slug*"}, {"source": "/p/:id(\\d+)", "destination": "/q/:id"}, {"source": "/old/(.*)", "destination": "/new/$1"}], "rewrites": [{"source": "/app/:x*", "destination": "/index.html"}]}`, "/one=/1 /blog/x/y=/docs/x/y /blog=/docs /p/7=/q/7 /p/x= /old/a=/new/a /app/x=served"},
		{"vercel", `{"hosting": {"redirects": [{"source": "/one/**", "destination": "/1", "type": 301}]}}`, "/one=/1 /one/a/b=/1"},
		{"csv", "source,target,regex\n/one,/1,0\n^/two/(.*)$,/2/$1,1\n", "/one=/1 /two/x=/2/x"},
		{"csv", "Old URL;New URL\n/one;/1\n", "/one=/1"},
		{"hugo", "---\naliases: [/a, \"b\"] # why\n---\n", "/a=/posts/x /posts/b=/posts/x"},
		{"hugo", "---\naliases:\n- /a # why\n- b\nurl: /own/\n---\nurl: no\n", "/a=/own /b=/own"},
		{"hugo", `{"title": "J", "aliases": ["/j"], "slug": "own"}`, "/j=/posts/own"},
		{"hugo", "---\npermalink: /soap/\nredirect_from: /\n---\n", "/=/soap"},
		{"hugo", "---\nredirect_from:\n  - foo.html\n---\n", "/foo.html=/posts/x"},
		{"mkdocs", "plugins:\n  - redirects:\n      redirect_maps:\n        old/url.html.md: new.md\n", "/old/url.html=/new"},
		{"mkdocs", "plugins:\n  - redirects:\n      redirect_maps: {\"one.md\": \"docs/x.md\", two.md: https://new.example/y}\n", "/one=/docs/x /two=https://new.example/y"},
	} {
		s := site(oldSite)
		list, unread, _ := Read([]byte(c.rules), c.format, "posts/x.md", s)
		if len(unread) > 0 {
			t.Errorf("%s %.60q: %v", c.format, c.rules, unread)
		}
		k := Checker{Site: s, Rules: list}
		k.prepare()
		for pair := range strings.FieldsSeq(c.asked) {
			at := strings.LastIndex(pair, "=")
			rule, to, doubt := k.Answer(strings.TrimSuffix(oldSite+pair[:at], "/"), 0)
			if to = strings.TrimPrefix(to, oldSite); rule >= 0 && list[rule].Gone {
				to = "gone"
			} else if rule >= 0 && list[rule].Serves {
				to = "served"
			}
			if to != pair[at+1:] || doubt >= 0 {
				t.Errorf("%s %.60q: %s, but got %q, doubt %d", c.format, c.rules, pair, to, doubt)
			}
		}
	}
}

// TestDoubt names the lines that cannot be honoured, which cast doubt on the URLs that they may answer.
func TestDoubt(t *testing.T) {
	for _, c := range []struct{ format, rules, named, doubted, sure string }{
		{"nginx", "include redirects.conf;\nlocation = /a { return 301 /b; }", "1", "/x /a", ""},
		{"nginx", "map $uri $to { /x /y; }\nif ($to) { return 301 $to; }", "2", "/x", ""},
		{"nginx", "location /api/ { proxy_pass http://127.0.0.1; }\nlocation ~ \\.php$ { fastcgi_pass x; }", "2 1", "/api/x /x.php", "/x"},
		{"nginx", "if ($http_user_agent ~ bot) { return 301 /bots; }\nif ($scheme = http) { return 301 https://$host$request_uri; }", "1", "/x", ""},
		{"nginx", "location /a/ { if ($cookie_x) { rewrite ^ /b; } }\nrewrite ^/c(?=x)(.*)$ /d/$1 permanent;", "2 1", "/a/x /cx", "/x"},
		{"nginx", "location / { try_files $uri @app; }", "1", "/x", ""},
		{"nginx", "server { server_name blog.other.example; location /a { return 301 https://blog.example/; } } server { location /c { return 301 /all; } }", "1", "/a /c", ""},
		{"apache", "<VirtualHost *:80>\nRedirect permanent /b https://blog.example/\n</VirtualHost>\n<VirtualHost *:81>\nServerName x.example\n</VirtualHost>\n", "2", "/b", "/a"},
		{"apache", "RewriteRule ^a - [S=2]\nRewriteRule ^ - [E=x:1]\nFallbackResource /x\n", "1 3", "/a /x", ""},
		{"nginx", "error_page 404 = @old;\n", "1", "/x", ""},
		{"apache", "RewriteEngine On\nRewriteCond %{QUERY_STRING} ^doc=(\\w+)$\nRewriteRule ^view\\.php$ /docs/%1/? [R=301,L]", "3", "/view.php?doc=x", "/x"},
		{"nginx", "location ^~ /a/ { return 301 /b; } location /a/c/ { }\nlocation /d { location /d/e { return 410; } return 301 /f; }\nif ($arg_id = 7) { return 301 /seven; }", "3 1 2", "/a/x /d/x /x", ""},
		{"apache", "Include conf/redirects.conf", "1", "/x", ""},
		{"apache", "RewriteEngine On\nRewriteCond %{HTTP_USER_AGENT} bot\nRewriteRule ^a /b [R]\nRewriteRule ^c /d [S=1]", "3 4", "/a /c", "/x"},
		{"apache", "RewriteEngine On\nRewriteRule ^index\\.php$ - [L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule . /index.php [L]", "4", "/x", ""},
		{"apache", "RewriteEngine On\nRewriteCond %{HTTP_HOST} ^x$ [OR]\nRewriteCond %{HTTP_HOST} ^y$\nRewriteRule ^a /b [R]\nRewriteRule !^c /d [R]", "4 5", "/a /x", ""},
		{"apache", "<If \"%{HTTP_HOST} == 'x'\">\nRedirect /a /b\n</If>\n<IfModule mod_alias.c>\nRedirect /c /d\n</IfModule>", "2", "/a", "/x"},
		{"netlify", "/a /b 302 Country=de\n/a /c\n", "1", "/a", "/x"},
		{"mkdocs", "plugins:\n  - redirects:\n      redirect_maps: !include redirects.yml\n", "3", "/x", ""},
		{"vercel", `{"redirects": [{"source": "/a", "destination": "/b", "has": [{"type": "host"}]}]}`, "1", "/a", "/x"},
	} {
		s := site(oldSite)
		list, unread, _ := Read([]byte(c.rules), c.format, "", s)
		var named []string
		for _, u := range unread {
			named = append(named, fmt.Sprint(u.Line))
		}
		if got := strings.Join(named, " "); got != c.named {
			t.Errorf("%s %.60q: named %s: %v", c.format, c.rules, got, unread)
		}
		k := Checker{Site: s, Rules: list}
		k.prepare()
		for i, paths := range []string{c.doubted, c.sure} {
			for path := range strings.FieldsSeq(paths) {
				if _, _, doubt := k.Answer(oldSite+path, 0); (doubt >= 0) != (i == 0) {
					t.Errorf("%s %.60q: %s: doubt %d", c.format, c.rules, path, doubt)
				}
			}
		}
	}
}

// TestReadOfHugo reads front matter by the path of the file from the top of a project.
func TestReadOfHugo(t *testing.T) {
	for file, want := range map[string]string{"content/docs/x.md": "/docs/x", "site/content/docs/_index.md": "/docs", "docs/content.md": "/docs/content", "content/my_index.md": "/my_index", "content/docs/content/x.md": "/docs/content/x"} {
		list, _, err := Read([]byte("---\naliases: [/a]\n---\n"), "hugo", file, site(oldSite))
		if err != nil || len(list) != 1 || list[0].To != oldSite+want {
			t.Errorf("%s: %+v, %v", file, list, err)
		}
	}
}

// TestDetect tells rules from other files by names and by what they hold.
func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Caddyfile", "example.org {\n\tredir /one /two permanent\n}\n", ""},
		{"x", "example.org {\n\tredir /one /two permanent\n}\n", ""},
		{"conf.py", "import os\nimport sys\n", ""},
		{"x", "import os\nrediraffe_redirects = {\n    \"one\": \"docs/x\",\n}\ndef setup(app):\n    pass\n", ""},
		{"next.config.js", "module.exports = {\n  async redirects() {\n    return [\n      { source: '/one', destination: '/x' },\n    ]\n  },\n}\n", ""},
		{"x", "export default function cfg() {\n  if (x) {\n    return '/zzz';\n  }\n}\n", ""},
		{"docusaurus.config.ts", "export default {plugins: [['x', {redirects: [{from: '/a', to: '/b'}]}]]}\n", "docusaurus"},
		{"404.html", "<html><body>Not found</body></html>\n", ""},
		{"netlify.toml", "[build]\npublish = \"site\"\n[[redirects]]\nfrom = \"/one\"\nto = \"/two\"\n", "netlify"},
		{"other.toml", "[build]\n  /a.css /b.css\n", ""},
		{"vercel.json", `{"redirects": [{"source": "/a", "destination": "/b"}]}`, "vercel"},
		{"package.json", `{"name": "x"}`, ""},
		{"site.conf", "<VirtualHost *:80>\nRedirect 301 /a /b\n</VirtualHost>\n", "apache"},
		{"haproxy.conf", "frontend x\n  bind :80\n", ""},
		{"list.csv", "old.example/a,https://old.example/b,301\n", "cloudflare"},
		{"redirects.map", "/one /docs/x;\n/two /docs/y;\n", "nginx"},
		{"redirects.csv", "Old URL,New URL\n/one,/two\n", "csv"},
		{"_config.yml", "title: x\nbaseurl: /x\n", ""},
		{"redirects.txt", "a.rst b.rst\nc.rst d.rst\n", "rediraffe"},
		{"redirects.txt", "# moved\nhow-to/a/ reference/a/\n\"how to/b.md\" \"reference/b c.md\"\n", "rediraffe"},
		{"README", "Two words\nThis is a text about Redirect rules.\nNo rules.\n", ""},
		{".htaccess", "Options -Indexes\nRedirect 301 /a /b\n", "apache"},
		{"x.md", "---\ntitle: x\nredirect_from:\n  - /a\n---\n", "hugo"},
		{"x.md", "---\ntitle: x\n---\nSee aliases: none\n", ""},
	} {
		if got := Detect(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %.40q is taken for %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// FuzzRead reads any text in every format. What was read can be asked, and what it answers is a canonical URL.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"location = /a { return 301 /b; } rewrite ^/x/(.*)$ /y/$1 permanent; map $uri $n { ~^/m(.*) /n$1; }", "RewriteCond %{HTTP_HOST} ^a$\nRewriteRule ^x/(.*)$ /y/$1 [R=301]\nRedirect gone /z\n",
		"/a/* /b/:splat 301!\n/:x/y /z/:x", "/a /b !\n/a id=:id /:id", "map $uri $x { { } default \"\"; ~*^/a /b$1; } location { return \"\"; try_files \"\"; } location ^~ /a/ { if ($x) { rewrite ^ $x? ; } set $y $host$uri; }",
		"RewriteCond %{QUERY_STRING} =a [OR]\nRewriteCond %{QUERY_STRING} b\nRewriteRule !^x - [S=1,R=410]\n<If x>\nRedirect 404 /\n</If>\nProxyPass /a b", `{"redirects": [{"source": "/:a*/(b)/**", "destination": "/:a$1"}]}`, "source;target;regex\n(a;b;1", "Redirect \" /a\n'\n", "redirect_maps:\n  'a.md': 'b.md'\n", "redirects: [{from: ['/a'], to: '/b'}]", `[{"from_url": "/a/*", "to_url": "/b/:splat", "type": "page"}]`, "a,b\n\"c", "aliases: [a, \"b\"]\n- c",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := site(oldSite)
		for _, name := range Readable {
			list, _, err := Read([]byte(text), name, "a/b.md", s)
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				to, ok := s.answer(&list[i], ask(oldSite+"/a/b"), 0)
				if plain, _, _ := strings.Cut(to, "#"); ok && !list[i].Gone && list[i].Single() {
					if again, err := s.Canonical(plain); err != nil || again != plain {
						t.Errorf("%s: %q leads to %q: %v", name, text, to, err)
					}
				}
			}
		}
	})
}
