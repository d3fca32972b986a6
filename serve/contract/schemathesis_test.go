package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// schemathesis is the version that the test installs.
const schemathesis = "schemathesis==4.32.5"

// TestSchemathesis makes requests from the document, right and wrong ones, and checks every answer against it. The
// program is the one that LSHCLUST_SCHEMATHESIS names or, with CI=true, is installed to a temporary folder. Without
// either there is no Python to count on, and TestContract alone holds the server to the document.
func TestSchemathesis(t *testing.T) {
	program := os.Getenv("LSHCLUST_SCHEMATHESIS")
	switch {
	case program != "":
	case os.Getenv("CI") == "true":
		program = installed(t)
	default:
		return
	}
	base := served(t)
	c := exec.Command(program, "run", "--url", base, "--checks", "all", "--max-examples", "40", "--seed", "1", "--no-color", base+"/openapi.json")
	c.Dir = t.TempDir()
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	cases := regexp.MustCompile(`(\d+) generated`).FindSubmatch(said)
	if cases == nil {
		t.Fatalf("%s", said)
	}
	if n, err := strconv.Atoi(string(cases[1])); err != nil || n < 500 {
		t.Errorf("%d requests, %v\n%s", n, err, said)
	}
	t.Logf("%s requests of schemathesis, by path, method and status:\n%s", cases[1], requestCounts.FindAll(get(t, base+"/metrics"), -1))
}

// requestCounts finds the numbers of requests in the metrics.
var requestCounts = regexp.MustCompile(`(?m)^lshclust_http_requests_total.*\n`)

// installed installs schemathesis to a temporary folder.
func installed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", schemathesis},
	} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	return filepath.Join(dir, "bin", "schemathesis")
}
