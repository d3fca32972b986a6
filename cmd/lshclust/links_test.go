package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
)

// linksOf clusters files, by name, and returns what links finds.
func linksOf(t *testing.T, files map[string]string) (found map[string][]string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, "site", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(dir, "run")
	if r := inProcess(t, "", "cluster", "-q", "-o", run, "--base", "https://a.example/", filepath.Join(dir, "site")); r.code != 0 {
		t.Fatal(r.stderr)
	}
	r := inProcess(t, "", "links", run, "--format", "json", "--limit", "1000")
	var a ask.LinksAnswer
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatal(err, r.stderr)
	}
	found = map[string][]string{}
	for _, f := range a.Items {
		found[f.Kind] = append(found[f.Kind], strings.TrimSpace(f.URL+" "+strings.Join(f.To, " ")))
	}
	return found
}

// TestCompeting finds two pages of one name and one vocabulary in different words, and a page about something else than its
// site. Copies, two of a series, short pages, and a page that links to the other are none.
func TestCompeting(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 2))
	text := func(words string, n int) string {
		of := strings.Fields(words + " and then also with some more of it")
		var b strings.Builder
		for i := range n {
			if i%len(of) == 0 {
				order.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
			}
			b.WriteString(of[i%len(of)] + " ")
		}
		return b.String()
	}
	page := func(title, text string) string { return "<title>" + title + "</title><p>" + text }
	install, header := "install server package configure daemon account disk network start boot", "margin width frame layout screen pixel style column border font"
	copied := text("copy mirror replica backup snapshot archive vault", 200)
	files, list := map[string]string{
		"install.html": page("Installing the daemon", text(install, 300)), "setup.html": page("Installing the daemon today", text(install, 300)),
		"header.html": page("Width of the header", text(header, 300)), "footer.html": page("Width of the footer", text(header, 300)),
		"copy1.html": page("Keeping replicas", copied), "copy2.html": page("Keeping replicas safe", copied),
		"short1.html": page("Vaulted ceilings", text("ceiling arch stone", 30)), "short2.html": page("Vaulted ceilings high", text("ceiling arch stone", 30)),
		"part1.html": page("Tuning queries", text("query plan index join scan cost", 300)+"<a href=part2.html>more tuning</a>"), "part2.html": page("Tuning queries more", text("query plan index join scan cost", 300)),
	}, ""
	var stars []string // of which each page names two, and the odd page all
	for i := range 40 {
		stars = append(stars, fmt.Sprintf("star%c%c ", 'a'+i%5, 'a'+i/5))
	}
	for i := range 20 {
		files[fmt.Sprintf("page%d.html", i)] = page(fmt.Sprintf("Orchard %c", 'A'+i), text(fmt.Sprintf("orchard tree fruit harvest season kind%c", 'a'+i), 150)+stars[2*i]+stars[2*i+1])
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list += "<li><a href=" + name + ">" + strings.TrimSuffix(name, ".html") + "</a>"
	}
	files["index.html"] = page("Home", list)
	files["odd.html"] = page("Quasars", strings.Repeat(strings.Join(stars, ""), 8))
	found := linksOf(t, files)
	if got := strings.Join(found["competing"], "; "); got != "https://a.example/install.html https://a.example/setup.html" && got != "https://a.example/setup.html https://a.example/install.html" {
		t.Errorf("competing: %s", got)
	}
	if got := strings.Join(found["off-topic"], "; "); !strings.HasPrefix(got, "https://a.example/odd.html") || strings.Contains(got, "/page") {
		t.Errorf("off-topic: %s", got)
	}
}

// TestNames suggests a link where a page is named as links elsewhere name it, but not where only "in this manual" is said.
func TestNames(t *testing.T) {
	files, list := map[string]string{}, ""
	for i, words := range []string{"lemon orchard", "lemon orchard", "in this manual", "in this manual"} {
		files[fmt.Sprintf("link%d.html", i)] = fmt.Sprintf("<title>Link %d</title><p>Read what the <a href=%s.html>%s</a> says of trees", i, strings.Fields(words)[1], words)
	}
	files["orchard.html"], files["this.html"] = "<title>Trees of citrus</title><p>Trees and their fruit", "<title>Trees of this kind</title><p>Trees and their leaves"
	files["named.html"], files["said.html"] = "<title>Named</title><p>What the lemon orchard says of trees", "<title>Said</title><p>What is said in this manual of trees"
	for name := range maps.Keys(files) {
		list += "<li><a href=" + name + ">" + strings.TrimSuffix(name, ".html") + "</a>"
	}
	files["index.html"] = "<title>Home</title>" + list
	if got := linksOf(t, files)["missing"]; len(got) != 1 || got[0] != "https://a.example/named.html https://a.example/orchard.html" {
		t.Errorf("missing: %q", got)
	}
}

// TestNoFalseAlarms audits sites whose pages are all found, each in its own way.
func TestNoFalseAlarms(t *testing.T) {
	const prose = "<p>A page with some words about apples, pears and the soil of a garden, number "
	clean := map[string]string{"index.html": "<title>Home</title><a href=/guide>guide</a> <a href=/api/>api</a>" + prose + "0"}
	clean["guide.html"] = "<title>Guide</title><link rel=canonical href=https://a.example/guide><a href=/api/setup>set-up</a> <a href=/>home</a>" + prose + "1"
	clean["api/index.html"] = "<title>API</title><a href=/api/setup>set-up</a> <a href=/guide#top>guide</a>" + prose + "2"
	clean["api/setup.html"] = "<title>Set-up</title><a href=../guide>guide</a>" + prose + "3"
	clean["sitemap.xml"] = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/guide</loc></url><url><loc>https://a.example/api/setup</loc></url></urlset>`
	frames := map[string]string{
		"index.html": "<title>Home</title><frameset cols=2><frame src=menu.html><frame src=main.html></frameset>",
		"menu.html":  "<title>Menu</title><a href=a.html target=main>a</a> <a href=b.html target=main>b</a>", "main.html": "<title>Main</title>" + prose + "0",
		"a.html": "<title>A</title>" + prose + "1", "b.html": "<title>B</title><iframe src=inner.html></iframe>" + prose + "2", "inner.html": "<title>Inner</title>" + prose + "3",
	}
	aliases := map[string]string{"index.html": "<title>Home</title><a href=page/>the page</a>" + prose + "0", "page/index.html": "<title>Page</title><a href=/>home</a>" + prose + "1"}
	for i := range 500 {
		aliases[fmt.Sprintf("old/%d/index.html", i)] = `<!DOCTYPE html><html><head><title>https://a.example/page/</title><link rel="canonical" href="https://a.example/page/"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=https://a.example/page/"></head></html>`
	}
	for name, files := range map[string]map[string]string{"clean": clean, "frames": frames, "aliases": aliases} {
		files["404.html"] = "<title>Site</title>" + strings.Repeat("<p>A menu and more of it, as on every page", 20) // as generators write it
		files["index.html"] += "<a href=/cdn-cgi/l/email-protection#8be8>mail</a>"                                   // as Cloudflare writes an address
		found := linksOf(t, files)
		for _, kind := range []string{"orphan", "gone", "unreachable"} {
			if len(found[kind]) > 0 {
				t.Errorf("%s: %d %s, such as %s", name, len(found[kind]), kind, found[kind][0])
			}
		}
	}
	lost := linksOf(t, map[string]string{"index.html": "<title>Home</title><a href=none.html>none</a>" + prose + "0", "lost.html": "<title>Lost</title>" + prose + "1"})
	if len(lost["orphan"]) != 1 || len(lost["gone"]) != 1 {
		t.Errorf("%v", lost)
	}
}
