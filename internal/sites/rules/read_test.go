package rules

import (
	"bytes"
	"fmt"
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
			if lists == "several hosts" && (f.each || name == "readthedocs") {
				continue // these formats are of one host
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
			if got := Detect("", b.Bytes()); got != name {
				t.Errorf("%s is taken for %q", name, got)
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
				if r, ok := found[want.From]; !ok {
					missed++
					if left == 0 {
						t.Errorf("%s, %s: %v is not read", name, lists, want)
					}
				} else if r != want {
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
    map $uri $new { default ""; /m1 /n1; ~^/m2/(\d+)$ /n2/$1; }
    if ($new) { return 301 $new; }
    location / { try_files $uri =404; }
}`, map[string]string{"/a": "/b", "/old/x": "https://new.example/old/x", "/v2/y": "/version-2/y", "/docs/z/1": "/manual/z/1", "/internal": "/x", "/gone": "-", "/m1": "/n1", "/m2/7": "/n2/7", "/else": ""}, []int{9, 10}},
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
</IfModule>`, map[string]string{"/a": "/b", "/a/c": "/b/c", "/gone": "-", "/v2/y": "https://new.example/version-2/y", "/docs/z": "/manual/z", "/blog/12": "/post/12", "/internal": ""}, []int{7, 11}},
		{"netlify", "# comment\n/a  /b\n/docs/*  /manual/:splat  301!\n/gone /x 410\n/news/:year/:slug /blog/:slug\n/* /index.html 200\n/c /d 302 Country=de\nnonsense\n", map[string]string{"/a": "/b", "/docs/x": "/manual/x", "/gone": "-", "/news/2020/y": "/blog/y", "/c": ""}, []int{7, 8}},
		{"mkdocs", "site_name: x\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        'a.md': 'b.md#c'\n        d/index.md: https://new.example/d # e\n        nonsense\n  - other:\n      x: y\n", map[string]string{"/a": "/b#c", "/d": "https://new.example/d", "/x": ""}, []int{8}},
		{"zensical", "[project]\nsite_name = \"x\"\n[project.plugins.redirects.redirect_maps]\n\"a.md\" = \"b.md\"\n[other]\nx = 1\n", map[string]string{"/a": "/b"}, nil},
		{"rediraffe", "# comment\n\"a b.rst\" \"c.rst\"\nd e\nf\n", map[string]string{"/a%20b": "/c", "/d": "/e"}, []int{4}},
		{"docusaurus", "export default {\n  plugins: [['@docusaurus/plugin-client-redirects', {\n    redirects: [\n      {to: '/b', from: '/a'}, // don't\n      {\n        from: [\"/c\", '/d'],\n        to: \"/e\",\n      },\n      {from: name, to: '/x'},\n    ],\n  }]],\n};\n", map[string]string{"/a": "/b", "/c": "/e", "/d": "/e"}, []int{9}},
		{"readthedocs", `{"count": 3, "results": [{"from_url": "/a.html", "to_url": "/b.html", "type": "exact"}, {"from_url": "/docs/*", "to_url": "/m/:splat", "type": "page"},` + "\n" + `{"from_url": "", "type": "clean_url_to_html"}, {"from_url": "/x", "type": "prefix"}]}`, map[string]string{"/a.html": "/b.html", "/docs/z": "/m/z"}, []int{2}},
		{"hugo", "---\ntitle: x\naliases:\n  - /a\n  - /b/\nweight: 1\n---\n- text\n", map[string]string{"/a": "/posts/x", "/b": "/posts/x"}, nil},
		{"csv", "from,to,prefix\n/a,/b,false\n\"x\n", map[string]string{"/a": "/b"}, []int{3}},
		{"cloudflare", "old.example/a,https://old.example/b,301\nold.example/d,https://old.example/e,301,TRUE,FALSE,TRUE,FALSE\nx y,z,301\n", map[string]string{"/a": "/b", "/d/x": "/e"}, []int{3}},
	} {
		s := site(oldSite)
		list, unread, err := Read([]byte(c.text), c.name, "posts/x.md", s)
		if err != nil {
			t.Fatal(err)
		}
		if got := Detect("", []byte(c.text)); got != c.name {
			t.Errorf("%s is taken for %q", c.name, got)
		}
		var at []int
		for _, u := range unread {
			at = append(at, u.Line)
		}
		if !slices.Equal(at, c.unread) {
			t.Errorf("%s: unread %v, want %v", c.name, unread, c.unread)
		}
		for path, want := range c.answers {
			got := ""
			for i := range list {
				if to, ok := s.Answer(&list[i], oldSite+path); ok && list[i].Unsure == "" {
					got = strings.TrimPrefix(to, oldSite)
					if list[i].Gone {
						got = "-"
					}
					break
				}
			}
			if got != want {
				t.Errorf("%s: %s leads to %q, want %q; %v", c.name, path, got, want, list)
			}
		}
	}
}

// FuzzRead reads any text in every format. What was read can be asked, and what it answers is a canonical URL.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"location = /a { return 301 /b; } rewrite ^/x/(.*)$ /y/$1 permanent; map $uri $n { ~^/m(.*) /n$1; }", "RewriteCond %{HTTP_HOST} ^a$\nRewriteRule ^x/(.*)$ /y/$1 [R=301]\nRedirect gone /z\n",
		"/a/* /b/:splat 301!\n/:x/y /z/:x", "redirect_maps:\n  'a.md': 'b.md'\n", "redirects: [{from: ['/a'], to: '/b'}]", `[{"from_url": "/a/*", "to_url": "/b/:splat", "type": "page"}]`, "a,b\n\"c", "aliases: [a, \"b\"]\n- c",
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
				to, ok := s.Answer(&list[i], oldSite+"/a/b")
				if plain, _, _ := strings.Cut(to, "#"); ok && !list[i].Gone && list[i].Single() {
					if again, err := s.Canonical(plain); err != nil || again != plain {
						t.Errorf("%s: %q leads to %q: %v", name, text, to, err)
					}
				}
			}
		}
	})
}
