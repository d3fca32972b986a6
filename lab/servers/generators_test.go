package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/sites/rules"
)

// generatorVersions are the generators that are tried, with those of their plugins that redirect.
var generatorVersions = []string{"mkdocs==1.6.1", "mkdocs-redirects==1.2.3", "sphinx>=8,<10", "sphinxext-rediraffe==0.3.0", "zensical>=0.0.58"}

// generatorPrograms returns the folder of the programs of the generators: the one that LSHCLUST_GENERATORS names or, with CI=true, that of a
// virtual environment in which pip installs them.
func generatorPrograms(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("LSHCLUST_GENERATORS"); dir != "" {
		return dir
	}
	if os.Getenv("CI") != "true" {
		t.Skip("generators of sites are not installed: set LSHCLUST_GENERATORS to the folder of their programs, or CI=true")
	}
	dir := t.TempDir()
	run(t, dir, "python3", "-m", "venv", dir)
	run(t, dir, filepath.Join(dir, "bin", "pip"), append([]string{"install", "-q"}, generatorVersions...)...)
	return filepath.Join(dir, "bin")
}

func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, said)
	}
}

// generated are pages of a site that moved from old/ to new/, one of which has the name of each.
var generated = []string{"plain", "two words", "café", "a(b)c", "it's", "a & b", "deep/er/page", "100%", "v1.2", "日本"}

// generator is a program that makes a site and its redirects.
type generator struct {
	name   string
	format string
	html   bool // URLs end in .html
	build  func(t *testing.T, bin, dir, conf string)
}

var generators = []generator{
	{"mkdocs", "mkdocs", false, func(t *testing.T, bin, dir, conf string) {
		write(t, dir, "mkdocs.yml", "site_name: x\nsite_url: "+old+"/\n"+conf)
		pages(t, filepath.Join(dir, "docs"), ".md", "# %s\n")
		run(t, dir, filepath.Join(bin, "mkdocs"), "build", "-q", "--strict", "-d", "out")
	}},
	{"mkdocs without directory URLs", "mkdocs", true, func(t *testing.T, bin, dir, conf string) {
		write(t, dir, "mkdocs.yml", "site_name: x\nsite_url: "+old+"/\nuse_directory_urls: false\n"+conf)
		pages(t, filepath.Join(dir, "docs"), ".md", "# %s\n")
		run(t, dir, filepath.Join(bin, "mkdocs"), "build", "-q", "--strict", "-d", "out")
	}},
	{"zensical", "zensical", false, func(t *testing.T, bin, dir, conf string) {
		write(t, dir, "zensical.toml", "[project]\nsite_name = \"x\"\nsite_url = \""+old+"/\"\nsite_dir = \"out\"\n"+conf)
		pages(t, filepath.Join(dir, "docs"), ".md", "# %s\n")
		run(t, dir, filepath.Join(bin, "zensical"), "build")
	}},
	{"sphinx html", "rediraffe", true, func(t *testing.T, bin, dir, conf string) { sphinx(t, bin, dir, conf, "html") }},
	{"sphinx dirhtml", "rediraffe", false, func(t *testing.T, bin, dir, conf string) { sphinx(t, bin, dir, conf, "dirhtml") }},
}

func sphinx(t *testing.T, bin, dir, conf, builder string) {
	t.Helper()
	write(t, dir, "redirects.txt", conf)
	write(t, dir, "conf.py", "project = 'x'\nextensions = ['sphinxext.rediraffe']\nrediraffe_redirects = 'redirects.txt'\nexclude_patterns = ['out', 'redirects.txt']\n")
	pages(t, dir, ".rst", "%s\n==========================\n")
	run(t, dir, filepath.Join(bin, "sphinx-build"), "-q", "-b", builder, ".", "out")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pages writes the sources of the new pages.
func pages(t *testing.T, dir, suffix, text string) {
	t.Helper()
	for _, name := range append([]string{"index"}, generated...) {
		if name != "index" {
			name = "new/" + name
		}
		write(t, dir, name+suffix, fmt.Sprintf(text, filepath.Base(name)))
	}
}

// refreshTo finds where a page redirects, in its refresh.
var refreshTo = regexp.MustCompile(`http-equiv="?refresh"? content="0; ?url=([^"]*)"`)

// TestGenerators builds a site with the rules that Write writes for its generator. Every old URL has a page that redirects to
// the new one.
func TestGenerators(t *testing.T) {
	bin := generatorPrograms(t)
	for _, g := range generators {
		t.Run(g.name, func(t *testing.T) { g.try(t, bin) })
	}
}

// try builds a site with programs in a folder.
func (g *generator) try(t *testing.T, bin string) {
	t.Helper()
	end, slash := "", "/"
	if g.html {
		end, slash = ".html", ""
	}
	var list []rules.Rule
	for _, name := range generated {
		path := strings.NewReplacer("%28", "(", "%29", ")").Replace((&url.URL{Path: name}).EscapedPath())
		list = append(list, rules.Rule{From: old + "/old/" + path + end, To: old + "/new/" + path + end})
	}
	site := rules.Site{Base: old, HTML: g.html, Form: func(url string) string { return url + slash }}
	var conf bytes.Buffer
	if left, err := rules.Write(&conf, g.format, list, site); err != nil || left > 0 {
		t.Fatal(left, err)
	}
	dir := t.TempDir()
	g.build(t, bin, dir, conf.String())
	for _, name := range generated {
		file := filepath.Join("old", filepath.FromSlash(name)+".html")
		if !g.html {
			file = filepath.Join("old", filepath.FromSlash(name), "index.html")
		}
		text, err := os.ReadFile(filepath.Join(dir, "out", file))
		m := refreshTo.FindSubmatch(text)
		if err != nil || m == nil {
			t.Errorf("%s: %v %s", name, err, text)
			continue
		}
		base := &url.URL{Scheme: "https", Host: strings.TrimPrefix(old, "https://"), Path: "/" + filepath.ToSlash(file)}
		target := html.UnescapeString(string(m[1]))
		to, err := base.Parse(target)
		if err != nil {
			to, err = base.Parse((&url.URL{Path: target}).String()) // rediraffe does not encode paths
		}
		if err != nil {
			t.Error(err)
			continue
		}
		got := strings.TrimSuffix(strings.TrimSuffix(to.Path, "index.html"), "/")
		if want := "/new/" + name + end; got != want {
			t.Errorf("%s leads to %s", name, got)
		}
	}
}

// docusaurusPackages are the plugin of Docusaurus that redirects, without the program around it, and what it imports.
var docusaurusPackages = []string{"@docusaurus/utils-validation@3.10.2", "@docusaurus/utils-common@3.10.2", "@docusaurus/logger@3.10.2", "lodash@4", "fs-extra@11", "eta@2"}

// docusaurusBuild calls the plugin as Docusaurus does after a build.
const docusaurusBuild = `
const fs = require('fs');
const plugin = require('@docusaurus/plugin-client-redirects');
const {normalizePluginOptions} = require('@docusaurus/utils-validation');
const [out, conf, routes] = process.argv.slice(2);
const {redirects} = Function('return {' + fs.readFileSync(conf, 'utf8') + '}')();
const siteConfig = {future: {experimental_router: 'browser'}};
const options = plugin.validateOptions({validate: normalizePluginOptions, options: {id: 'default', redirects}});
plugin.default({siteConfig}, options).postBuild({routesPaths: JSON.parse(routes), baseUrl: '/', outDir: out, siteConfig})
  .catch(e => { console.error(e.message); process.exit(1); });
`

// TestDocusaurus is TestGenerators for the plugin of Docusaurus, which is in the folder that LSHCLUST_DOCUSAURUS names or, with
// CI=true, is installed by npm.
func TestDocusaurus(t *testing.T) {
	modules := os.Getenv("LSHCLUST_DOCUSAURUS")
	if modules == "" && os.Getenv("CI") != "true" {
		t.Skip("the plugin of Docusaurus is not installed: set LSHCLUST_DOCUSAURUS to a folder with node_modules, or CI=true")
	}
	if modules == "" {
		modules = t.TempDir()
		run(t, modules, "npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", "."}, docusaurusPackages...)...)
		run(t, modules, "npm", "pack", "@docusaurus/plugin-client-redirects@3.10.2")
		packed := filepath.Join("node_modules", "@docusaurus", "plugin-client-redirects")
		if err := os.MkdirAll(filepath.Join(modules, packed), 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, modules, "tar", "xzf", "docusaurus-plugin-client-redirects-3.10.2.tgz", "--strip-components=1", "-C", packed)
	}
	g := generator{"docusaurus", "docusaurus", false, func(t *testing.T, bin, dir, conf string) {
		routes := []string{"/"}
		for _, name := range generated {
			routes = append(routes, "/new/"+(&url.URL{Path: name}).EscapedPath())
		}
		raw, _ := json.Marshal(routes)
		write(t, dir, "redirects.js", conf)
		write(t, bin, "build.cjs", docusaurusBuild)
		run(t, dir, "node", filepath.Join(bin, "build.cjs"), filepath.Join(dir, "out"), "redirects.js", string(raw))
	}}
	g.try(t, modules)
}
