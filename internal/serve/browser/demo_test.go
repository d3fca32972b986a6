package browser

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestDemoSite makes the demo to click from the sample and finds a page in it by words, from files alone.
func TestDemoSite(t *testing.T) {
	tab, dir := NewTab(t), t.TempDir()
	command := filepath.Join(dir, "lshclust")
	for _, c := range [][]string{{"go", "-C", "../../..", "build", "-o", command, "./cmd/lshclust"}, {"../../../lab/site/make.sh", command, filepath.Join(dir, "site"), "postgresql"}} {
		if said, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v, %s", c, err, said)
		}
	}
	elsewhere, size := regexp.MustCompile(`(src|rel="?stylesheet"? href)="?https?:`), int64(0)
	err := filepath.WalkDir(filepath.Join(dir, "site"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if size += int64(len(b)); strings.HasSuffix(path, ".html") && elsewhere.Match(b) {
			t.Errorf("%s: %s", path, elsewhere.Find(b))
		}
		return err
	})
	if err != nil || size > 6_000_000 {
		t.Errorf("%v, %d bytes", err, size)
	}
	tab.base = (&url.URL{Scheme: "file", Path: filepath.Join(dir, "site")}).String()
	tab.Open("/index.html")
	checkAxe(t, tab, axeCore(t))
	tab.tabTo("document.activeElement.id === 'q'")
	tab.Type("backup")
	tab.Wait("document.querySelectorAll('#found a').length > 0")
	tab.tabTo("document.activeElement.matches('#found a')")
	tab.Type(kb.Enter)
	tab.Wait("location.pathname.includes('/postgresql/') && document.querySelector('h1')")
}
