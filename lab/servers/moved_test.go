package servers

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Pages of a site before and after its documentation moved.
const (
	page      = `{"url":"https://a.example/%s","timestamp":"%d-01-01T00:00:00Z","html":"<title>%s</title><p>%s</p>"}` + "\n"
	apples    = "An apple keeps through the winter if the cellar is cool and dark and nobody puts the crates beside the potatoes, which make everything sprout."
	pears     = "Pears are picked before they are ripe, wrapped in paper one by one, and brought into the kitchen a week before the guests are expected."
	plums     = "Plums become jam without any sugar when they are stirred for a night and a day in a copper pot over a fire of beech wood."
	beginning = "The orchard has an old gate and a wall of stone on which the cats of the village sleep through the warm afternoons of the summer."
)

// built builds the command and the runs of the site, the older first.
func built(t *testing.T) (binary string, runs []string) {
	t.Helper()
	dir := t.TempDir()
	binary = filepath.Join(dir, "lshclust")
	build := exec.Command("go", "build", "-o", binary, "./cmd/lshclust")
	build.Dir = filepath.Join("..", "..")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	site := func(name string, year int, pages ...[2]string) string {
		lines := fmt.Sprintf(page, "", year, "Orchard", beginning)
		for _, p := range pages {
			lines += fmt.Sprintf(page, p[0], year, filepath.Base(p[0]), p[1])
		}
		in, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
		if err := os.WriteFile(in, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command(binary, "cluster", "-q", "-o", out, in).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return out
	}
	older := site("older", 2023, [2]string{"docs/apples", apples}, [2]string{"docs/pears?lang=en&size=2", pears}, [2]string{"docs/plums", plums})
	newer := site("newer", 2024, [2]string{"manual/apples", apples}, [2]string{"manual/pears", pears})
	return binary, []string{older, newer}
}

// lshclust serves the runs of the site and returns the address.
func lshclust(t *testing.T) string {
	t.Helper()
	binary, runs := built(t)
	c := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--log", "none", runs[1], runs[0])
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill() //nolint:errcheck // it has ended
		c.Wait()         //nolint:errcheck // it was killed
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`).FindString(line)
	if at == "" {
		t.Fatal(line)
	}
	return at
}

// TestMovedPages: nginx with the configuration of docs/api.md sends visitors of pages that are gone to where these went, and
// shows its error page for others.
func TestMovedPages(t *testing.T) {
	installed(t, servers[0])
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```nginx\n")
	conf, _, ok := strings.Cut(rest, "```")
	if !ok || !strings.Contains(conf, "127.0.0.1:8080") {
		t.Fatalf("docs/api.md has no configuration of nginx: %s", conf)
	}
	port := startWith(t, servers[0], strings.ReplaceAll(conf, "127.0.0.1:8080", lshclust(t)))
	for url, want := range map[string]string{
		"https://a.example/docs/apples":               "https://a.example/manual/apples",
		"https://a.example/docs/apples/":              "https://a.example/manual/apples",
		"https://a.example/docs/pears?lang=en&size=2": "https://a.example/manual/pears",
		"https://a.example/docs/plums":                "",
		"https://a.example/manual/apples":             "", // it is where it should be, but the server has not found it
		"https://a.example/nothing%20%22at%22?all":    "",
	} {
		status := 302
		if want == "" {
			status = 404
		}
		if code, to := ask(t, port, url); code != status || to != want {
			t.Errorf("%s: %d %q, want %d %q", url, code, to, status, want)
		}
	}
}
