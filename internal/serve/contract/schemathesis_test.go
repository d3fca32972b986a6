package contract

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// packages are those of Python that the test installs.
var packages = []string{"schemathesis==4.32.5", "openapi-spec-validator==0.9.0"}

// TestSchemathesis checks that the document is one of OpenAPI 3.1, makes requests from it, right and wrong ones, and
// checks every answer against it. The programs are in the folder that LSHCLUST_SCHEMATHESIS names or, with CI=true, are
// installed to a temporary folder. Without either there is no Python to count on, and TestContract alone holds the
// server to the document.
func TestSchemathesis(t *testing.T) {
	programs := os.Getenv("LSHCLUST_SCHEMATHESIS")
	switch {
	case programs != "":
	case os.Getenv("CI") == "true":
		programs = installed(t, packages...)
	default:
		return
	}
	base := served(t)
	check := exec.Command(filepath.Join(programs, "openapi-spec-validator"), "--schema", "3.1", "-")
	check.Stdin = bytes.NewReader(get(t, base+"/openapi.json"))
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	c := exec.Command(filepath.Join(programs, "schemathesis"), "run", "--url", base, "--checks", "all", "--max-examples", "40", "--seed", "1", "--no-color", base+"/openapi.json")
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

// installed installs the packages to a temporary folder and returns that of the programs.
func installed(t *testing.T, packages ...string) string {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		append([]string{filepath.Join(bin, "python"), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"}, packages...),
	} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	return bin
}
