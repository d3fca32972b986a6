package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLint checks the OpenAPI document with spectral.
func TestLint(t *testing.T) {
	if os.Getenv("CI") != "true" {
		return
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"openapi.json": get(t, served(t)+"/openapi.json"),
		"rules.yaml":   []byte("extends: [\"spectral:oas\"]\nrules: {info-contact: off} # whoever runs a server, not who wrote it, has an address\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"npm install --silent --no-audit --no-fund --ignore-scripts @stoplight/spectral-cli@6.16.3", "npx spectral lint --ruleset rules.yaml --fail-severity hint openapi.json"} {
		words := strings.Fields(command)
		c := exec.Command(words[0], words[1:]...)
		c.Dir = dir
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, said)
		}
	}
}

// TestClients makes clients from the OpenAPI document with two generators, which must leave out no operation, and asks with
// them. Like TestSchemathesis, it needs programs that only CI=true installs.
func TestClients(t *testing.T) {
	if os.Getenv("CI") != "true" {
		return
	}
	base, dir := served(t), t.TempDir()
	document := get(t, base+"/openapi.json")
	operations := len(regexp.MustCompile(`"operationId"`).FindAll(document, -1))
	for name, content := range map[string]string{
		"openapi.json": string(document), "go.mod": "module client\n\ngo 1.26.0\n",
		"oapi.yaml": "package: client\ngenerate: {models: true, client: true}\noutput: client.go\n",
		"main/main.go": `package main

import (
	"context"
	"fmt"
	"os"

	"client"
)

func main() {
	c, err := client.NewClientWithResponses(os.Args[1])
	if err != nil {
		panic(err)
	}
	related, err := c.RelatedWithResponse(context.Background(), &client.RelatedParams{Url: "postgresql.org/docs/15/gin.html"})
	if err != nil {
		panic(err)
	}
	who, err := c.QueryTextWithResponse(context.Background(), nil, client.QueryTextJSONRequestBody{Text: "a vacuum removes what is obsolete"})
	if err != nil {
		panic(err)
	}
	fmt.Println(related.JSON200.Items[0].Url, who.JSON200.Total)
}
`,
		"ask.py": `import sys
from client import Client
from client.api.questions import query_text, related
from client.models import QueryTextBody
c = Client(sys.argv[1])
who = query_text.sync(client=c, body=QueryTextBody(text="a vacuum removes what is obsolete"))
print(related.sync(client=c, url_query="postgresql.org/docs/15/gin.html").items[0].url, who.total)
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := installed(t, "openapi-python-client==0.26.2")
	run := func(program string, args ...string) string {
		c := exec.Command(program, args...)
		c.Dir = dir
		said, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", program, args, err, said)
		}
		return string(said)
	}
	run("go", "run", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.1", "-config", "oapi.yaml", "openapi.json")
	run(filepath.Join(bin, "openapi-python-client"), "generate", "--path", "openapi.json", "--output-path", "client", "--meta", "none")
	ofGo, err := os.ReadFile(filepath.Join(dir, "client.go"))
	if err != nil {
		t.Fatal(err)
	}
	parsers := regexp.MustCompile(`(?m)^func Parse\w+Response\(`).FindAll(ofGo, -1)
	modules, err := filepath.Glob(filepath.Join(dir, "client", "api", "*", "[a-z]*.py"))
	if err != nil || len(parsers) != operations || len(modules) != operations {
		t.Errorf("%d operations in Go and %d in Python of %d, %v", len(parsers), len(modules), operations, err)
	}
	run("go", "mod", "tidy")
	const want = "https://postgresql.org/docs/15/gist.html 0\n"
	if got := run("go", "run", "./main", base); got != want {
		t.Errorf("Go: %s", got)
	}
	if got := run(filepath.Join(bin, "python"), "ask.py", base); got != want {
		t.Errorf("Python: %s", got)
	}
}
