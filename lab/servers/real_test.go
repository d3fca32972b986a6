package servers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// real are redirect files of public repositories. LSHCLUST_REPOS names a folder that has the repository OWNER/NAME as the
// git directory OWNER+NAME/repo.
var real = []struct{ format, repo, path string }{
	{"nginx", "python/psf-salt", "salt/docs/config/nginx.docs-redirects.conf"},
	{"nginx", "coollabsio/coolify-docs", "nginx/redirects.conf"},
	{"nginx", "fecgov/fec-proxy", "redirects-transition.conf"},
	{"nginx", "fecgov/fec-proxy", "redirects-e-regs.conf"},
	{"nginx", "fecgov/fec-proxy", "redirects-eqs.conf"},
	{"nginx", "fecgov/fec-proxy", "redirects-sers.conf"},
	{"nginx", "mattcone/markdown-guide", "redirects.conf"},
	{"nginx", "stellar/stellar-docs", "nginx/includes/redirects.conf"},
	{"htaccess", "perma-id/w3id.org", "ic/standards/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "dpv/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "ibp/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "emmo/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "arm/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "riverbench/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "tern/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "faircookbook/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "fair/.htaccess"},
	{"htaccess", "perma-id/w3id.org", "security/.htaccess"},
	{"netlify", "cert-manager/website", "public/_redirects"},
	{"netlify", "home-assistant/developers.home-assistant", "static/_redirects"},
	{"netlify", "fluxcd/website", "static/_redirects"},
	{"netlify", "helm/helm-www", "netlify.toml"},
}

// asking matches the words of a file of rules that may be paths or patterns of paths.
var asking = regexp.MustCompile(`(?:^|[\s"'])((?:\^|/)[^\s"';]*|\S+(?:\$|\.\w+))`)

// sampled returns a text that a pattern matches: the nth of some.
func sampled(re *syntax.Regexp, n int) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if r := max(re.Rune[i], 'a'+rune(n)); r <= re.Rune[i+1] {
				return string(r)
			} else if r := max(re.Rune[i], '0'+rune(n)); r <= re.Rune[i+1] {
				return string(r)
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("xyz"[n])
	case syntax.OpAlternate:
		return sampled(re.Sub[n%len(re.Sub)], n)
	case syntax.OpStar, syntax.OpQuest:
		if n == 1 {
			return ""
		}
		return sampled(re.Sub[0], n)
	case syntax.OpRepeat:
		return strings.Repeat(sampled(re.Sub[0], n), max(1, re.Min))
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range re.Sub {
			b.WriteString(sampled(sub, n))
		}
	}
	return b.String()
}

// requests returns what to ask for each word of a file of rules that may be a path or a pattern, and near it.
func requests(format, text string) (list []string) {
	for _, m := range asking.FindAllStringSubmatch(text, -1) {
		word := m[1]
		if format == "netlify" {
			word = regexp.QuoteMeta(regexp.MustCompile(`:\w+|\*`).ReplaceAllString(word, "x"))
		}
		re, err := syntax.Parse(word, syntax.Perl)
		if err != nil {
			continue
		}
		for n := range 3 {
			path := "/" + strings.TrimLeft(sampled(re.Simplify(), n), "/")
			path = strings.NewReplacer("%", "%25", " ", "%20", "#", "%23").Replace(path)
			if strings.Contains(path, "://") || strings.Contains(path, "//") {
				continue
			}
			path = cmp.Or(strings.TrimRight(path, "/"), "/")
			list = append(list, path)
			if !strings.Contains(path, "?") {
				list = append(list, path+"?id=7", path+"/deeper", path+"x")
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// netlify asks Netlify's own program, of which LSHCLUST_NODE names the folder of modules, as reply does.
func netlify(t *testing.T, text string, site *rules.Site, list []string) map[string]string {
	t.Helper()
	const script = `const [r, fs] = [require('netlify-redirector'), require('fs')];
const {text, list} = JSON.parse(fs.readFileSync(0));
const header = {scheme: 'https', host: 'site.example', getHeader() { return '' }, getCookie() { return '' }};
(async () => {
  let rules = text;
  if (text.includes('[[redirects]]')) {
    const {parseAllRedirects} = await import(require.resolve('@netlify/redirect-parser'));
    fs.writeFileSync('netlify.toml', text);
    const {redirects} = await parseAllRedirects({redirectsFiles: [], netlifyConfigPath: 'netlify.toml', configRedirects: [], minimal: true});
    rules = redirects.map(x => [x.from, ...Object.entries(x.query || {}).map(([k, v]) => k + '=' + v), x.to || x.from, (x.status || 301) + (x.force ? '!' : ''), Object.entries(x.conditions || {}).map(([k, v]) => k + '=' + v).join(' ')].join(' ')).join('\n');
  }
  const p = await r.parsePlain(rules, {});
  console.log(JSON.stringify(list.map(u => { const [path, query] = u.split('?'); return p.match({...header, path, query: query || ''}) || null })));
})();`
	var forms []string
	for _, u := range list {
		plain, query, _ := strings.Cut(u, "?")
		forms = append(forms, u, strings.TrimSuffix(strings.TrimSuffix(plain, "/")+"/?"+query, "?"))
	}
	in, _ := json.Marshal(map[string]any{"text": text, "list": forms}) //nolint:errchkjson // strings
	c := exec.Command("node", "-e", script)
	c.Dir, c.Stdin, c.Env = t.TempDir(), bytes.NewReader(in), append(os.Environ(), "NODE_PATH="+os.Getenv("LSHCLUST_NODE"))
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	var answers []*struct {
		To     string
		Status int
	}
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil {
		t.Fatal(err, said.String())
	}
	got := map[string]string{}
	for i, a := range answers {
		u := list[i/2]
		if a == nil || got[u] != "" {
			continue
		}
		_, query, _ := strings.Cut(u, "?")
		to, fragment, cut := strings.Cut(a.To, "#")
		if strings.HasPrefix(to, "/") {
			to = site.Base + to
		}
		if to = canonical(t, to); cut && fragment != "" {
			to += "#" + fragment
		}
		switch {
		case a.Status == http.StatusGone:
			got[u] = "gone"
		case a.Status >= 300 && a.Status < 400 && to != canonical(t, site.Base+forms[i]):
			got[u] = without(to, query)
		case i%2 == 0:
			got[u] = "-"
		}
	}
	return got
}

// TestReal asks nginx, Apache and Netlify's own program for URLs made of the words of real redirect files, and compares the
// answers with what package rules reads from them.
func TestReal(t *testing.T) {
	repos := os.Getenv("LSHCLUST_REPOS")
	if repos == "" {
		t.Skip("set LSHCLUST_REPOS to a folder of repositories")
	}
	for _, f := range real {
		t.Run(f.repo+"/"+f.path, func(t *testing.T) {
			raw, err := exec.Command("git", "-C", filepath.Join(repos, strings.Replace(f.repo, "/", "+", 1), "repo"), "show", "HEAD:"+f.path).Output()
			if err != nil {
				t.Skip(err)
			}
			compared(t, f.format, f.repo+" "+f.path, string(raw))
		})
	}
}

// compared asks a server or Netlify's own program for URLs made of the words of a file, and compares the answers with what
// package rules reads from it. It prints a row of a table.
func compared(t *testing.T, format, name, text string) {
	t.Helper()
	site := rules.Site{Base: "https://site.example", Canonical: (&urls.Rules{}).Canonical}
	list, problems, err := rules.Read([]byte(text), strings.Replace(format, "htaccess", "apache", 1), name, site)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(problems)
	checker := rules.Checker{Site: site, Rules: list}
	ask := requests(format, text)
	var own map[string]string
	port := 0
	switch format {
	case "netlify":
		own = netlify(t, text, &site, ask)
	case "nginx":
		port = startWith(t, servers[0], text)
	default:
		port = startWith(t, folder, regexp.MustCompile(`(?m)^ErrorDocument.*$`).ReplaceAllString(text, "")) // it is the answer where there is none
	}
	equal, named, redirected, different := 0, 0, 0, 0
	for _, path := range ask {
		if _, err := site.Canonical(site.Base + path); err != nil {
			continue
		}
		got, sure := answer(&checker, site.Base+path)
		want := strings.TrimPrefix(own[path], "-")
		if format != "netlify" && sure {
			want = reply(t, port, &site, site.Base+path)
		}
		switch {
		case !sure:
			named++
		case got == want:
			if equal++; want != "" {
				redirected++
			}
		default:
			if different++; different < 6 {
				t.Errorf("%s: the server says %q, the rules %q", path, want, got)
			}
		}
	}
	fmt.Printf("%s %s | %d lines | %d rules | %d unread | %d requests | %d equal (%d redirects) | %d named | %d different\n", format, name, strings.Count(text, "\n"), len(list), len(problems), equal+named+different, equal, redirected, named, different)
}

// netlifyRules are rules as people write them: placeholders, queries, conditions, weak and strong ones, and what is wrong.
const netlifyRules = `# a comment
/news/:section/:page /:section/:page
/man/:v/* /docs/:v/:splat 301!
/store id=:id /blog/:id 301
/store id=:id kind=:k /shop/:k/:id 302
/minify-* /small/:splat
/a/*/z /docs/:splat
/app/* /index.html 200
/app/old /docs/x 301
/gone /none 410
/de/* /en/:splat 302 Language=de
/here /docs/x#part
/out https://other.example/y?z=1
/rest/* https://other.example/:splat 301
/* /404.html 404
`

// TestNetlify asks Netlify's own program about these rules and those of the shared faults. It is in the folder of modules that
// LSHCLUST_NODE names or, with CI=true, is installed by npm.
func TestNetlify(t *testing.T) {
	if os.Getenv("LSHCLUST_NODE") == "" {
		if os.Getenv("CI") != "true" {
			t.Skip("Netlify's parser is not installed: set LSHCLUST_NODE to a folder of modules, or CI=true")
		}
		dir := t.TempDir()
		run(t, dir, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", "@netlify/redirect-parser@15", "netlify-redirector@0.5")
		t.Setenv("LSHCLUST_NODE", filepath.Join(dir, "node_modules"))
	}
	t.Run("written", func(t *testing.T) { compared(t, "netlify", "written", netlifyRules) })
	dir := shareddata.Faults(t, "sites")
	for _, pattern := range []string{"*._redirects", "*netlify.toml"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) //nolint:errcheck // the patterns are right
		if len(files) == 0 {
			t.Errorf("%s has no %s", dir, pattern)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				raw, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				compared(t, "netlify", filepath.Base(file), string(raw))
			})
		}
	}
}
