package terminal

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// siteWords are the words of the pages of the handbook.
var siteWords = strings.Fields("harbour ledger vessel bay lamp oak brass shade orchard gate wall stone village summer cellar crate potato winter jam copper kettle ladder basket pear plum wasp knife paper twine label shelf candle drawer window curtain meadow bridge ferry rope anchor tide gull crab net sail mast keel plank tar chart compass lantern bell fog pier")

// handbook returns the pages of a crawl of a handbook by their paths, as lines of JSON. A page has the text of its subject, and
// a link to the page before it.
func handbook(year int, paths ...string) string {
	var b strings.Builder
	before := "https://handbook.example.org/"
	for _, path := range append([]string{"/ start"}, paths...) {
		path, subject, _ := strings.Cut(path, " ")
		random := rand.New(rand.NewPCG(uint64(len(subject)), uint64(subject[0])<<8|uint64(subject[len(subject)-1])))
		var words []string
		for range 80 {
			words = append(words, siteWords[random.IntN(len(siteWords))])
		}
		url := "https://handbook.example.org" + path
		raw, _ := json.Marshal(map[string]string{"url": url, "timestamp": fmt.Sprintf("%d-01-01T00:00:00Z", year), //nolint:errchkjson // strings
			"html": fmt.Sprintf("<title>%s</title><h1>%[1]s</h1><p>%s. Mind the opening hours of the reading room.</p><p><a href=%q>The page before</a></p>", subject, strings.Join(words, " "), before)})
		b.Write(append(raw, '\n'))
		before = url
	}
	return b.String()
}

var siteRuns = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(program), "site")
	long := "/installation-on-a-cluster-of-many-machines-without-a-network Installing without a network"
	for name, text := range map[string]string{
		"old.jsonl": handbook(2023, "/guide/hours Opening hours of the reading room", "/guide/keys Keys and locks", "/guide"+long, "/guide/boats Boats and their moorings", "/guide/closed What the library has given up"),
		"new.jsonl": handbook(2024, "/1.0/hours Opening hours of the reading room", "/1.0/keys Keys and locks", "/1.0"+long, "/2.0/hours Opening hours of the reading room",
			"/2.0/keys Keys and locks", "/2.0"+long, "/2.0/boats Boats and their moorings", "/2.0/boats?from=menu Boats and their moorings"),
		"_redirects": "/guide/keys /2.0/keys 301\n/guide/hours /2.0/opening 301\n/2.0/boats /1.0/boats 301!\n/x /y 301 Country=de\n",
	} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	for _, name := range []string{"old", "new"} {
		if out, err := lshclust(dir, "cluster", "-q", "-o", name, name+".jsonl").CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return dir, nil
})

// TestSiteScreens shows what is said of a site on terminals of three sizes.
func TestSiteScreens(t *testing.T) {
	dir, err := siteRuns()
	if err != nil {
		t.Fatal(err)
	}
	screens(t, dir, map[string]int{"guard": 1}, map[string][]string{
		"moved":     {"moved", "old", "new"},
		"moved-url": {"moved", "old", "new", "--url", "https://handbook.example.org/guide/boats"},
		"guard":     {"guard", "new", "--urls", "old", "--rules", "_redirects"},
		"links":     {"links", "new", "--limit", "3"},
		"versions":  {"versions", "new", "--limit", "3"},
		"changes":   {"changes", "old", "new"},
	})
}
