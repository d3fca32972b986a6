package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// mostBytes is the size that no page exceeds.
const mostBytes = 100_000

// screens are the widths and colours in which pages are looked at. The width changes the layout, and not the colours.
var screens = []struct {
	width  int64
	scheme string
}{{320, "dark"}, {360, "light"}, {1440, "dark"}, {1440, "light"}}

// Look checks what must hold for every page, given the paths of pages by their names: they fit all screens, they are
// small, no text of strangers is run, and axe-core finds nothing serious. If LSHCLUST_SCREENSHOTS names a folder, it
// keeps a picture of each.
func Look(t *testing.T, pages map[string]string) {
	t.Helper()
	LookAt(t, site(t), pages)
}

// LookAt is Look for the pages of another server than the shared one.
func LookAt(t *testing.T, base string, pages map[string]string) {
	t.Helper()
	axe := axeCore(t)
	for name, path := range pages {
		t.Run(name, func(t *testing.T) {
			checkSize(t, base+path)
			tab := NewTab(t)
			tab.base = base
			for _, s := range screens {
				tab.Screen(s.width, s.scheme, true)
				tab.Open(path)
				tab.Wait("document.querySelector('h1')")
				checkFrame(t, tab, s.width)
				checkAxe(t, tab, axe)
				keep(t, tab, fmt.Sprintf("%s-%d-%s.png", name, s.width, s.scheme))
			}
		})
	}
}

// checkSize checks the size of a page.
func checkSize(t *testing.T, address string) {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept", "text/html")
	r, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) > mostBytes {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	if kind := r.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("%s", kind)
	}
}

// checkFrame checks the layout of the current page, and that nothing in it was run.
func checkFrame(t *testing.T, tab *Tab, width int64) {
	t.Helper()
	if n := Ask[int64](tab, "document.documentElement.scrollWidth"); n > width {
		t.Errorf("%d pixels: the page is %d wide: %s", width, n, Ask[string](tab, wide))
	}
	if n := Ask[int](tab, "document.querySelectorAll('h1').length"); n != 1 {
		t.Errorf("%d headings", n)
	}
	if bad := Ask[string](tab, unsafe); bad != "" {
		t.Errorf("unsafe: %s", bad)
	}
}

// wide finds elements that are wider than the screen.
const wide = `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 100)).slice(0, 3).join("\n")`

// unsafe finds what a page must not contain: scripts of strangers, handlers, styles other than places in percent, links that run code, and links
// to other sites that send a referrer.
const unsafe = `[...document.querySelectorAll("*")].filter(e =>
	[...e.attributes].some(a => /^on/i.test(a.name) || a.name === 'style' && !/^inset:([0-9.]+% ?){4}$/.test(a.value) || /^\s*(javascript|vbscript|data:text)/i.test(a.value) && /^(href|src|action|formaction|xlink:href)$/i.test(a.name)) ||
	e.tagName === "SCRIPT" && !(e.getAttribute("src") || "").startsWith("/assets/") || ["IFRAME", "OBJECT", "EMBED", "BASE", "STYLE", "IMG"].includes(e.tagName) ||
	e.tagName === "A" && e.host && e.host !== location.host && e.rel !== "noopener noreferrer nofollow"
).map(e => e.outerHTML.slice(0, 200)).join("\n")`

// keep writes a picture of the page if the environment asks for it.
func keep(t *testing.T, tab *Tab, name string) {
	t.Helper()
	dir := os.Getenv("LSHCLUST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(tab.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// axeVersion is the version of axe-core that the tests install.
const axeVersion = "axe-core@4.14.1"

// installedAxe is the script of axe-core: the file that LSHCLUST_AXE names or, with CI=true, what npm installs.
var installedAxe = sync.OnceValues(func() (string, error) {
	path := os.Getenv("LSHCLUST_AXE")
	if path == "" {
		dir, err := os.MkdirTemp("", "axe")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		if said, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir, axeVersion).CombinedOutput(); err != nil { //nolint:noctx // of this test
			return "", fmt.Errorf("%w: %s", err, said)
		}
		path = filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")
	}
	script, err := os.ReadFile(path)
	return string(script), err
})

// axeCore returns the script of axe-core, or "" if it is not installed, outside of CI.
func axeCore(t *testing.T) string {
	t.Helper()
	if os.Getenv("LSHCLUST_AXE") == "" && os.Getenv("CI") != "true" {
		t.Log("axe-core is not run: set CI=true to install it, or LSHCLUST_AXE to its script")
		return ""
	}
	script, err := installedAxe()
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// checkAxe checks that axe-core finds nothing serious in the current page, targets of less than 24 pixels (WCAG 2.2)
// included.
func checkAxe(t *testing.T, tab *Tab, script string) {
	t.Helper()
	if script == "" {
		return
	}
	Ask[chromedp.Void](tab, script)
	found := Ask[string](tab, `axe.run(document, {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then(r => JSON.stringify(r.violations.map(v =>
		({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + (n.failureSummary || "").slice(0, 300))}))))`)
	var violations []struct {
		ID, Impact, Help string
		Nodes            []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		if v.Impact == "serious" || v.Impact == "critical" {
			t.Errorf("axe-core: %s, %s: %s\n%s", v.Impact, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
		} else {
			t.Logf("axe-core: %s, %s: %s\n%s", v.Impact, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
		}
	}
}
