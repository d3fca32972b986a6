package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRulesDocumented holds docs/format.md to the list of rules and its version.
func TestRulesDocumented(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, r := range AllRules() {
		fmt.Fprintf(&want, "| `%s` | %s |\n", r.Name, r.What)
	}
	if !strings.Contains(string(raw), "| --- | --- |\n"+want.String()+"\n") {
		t.Errorf("the table of URL rules should be\n%s", &want)
	}
	if v := fmt.Sprintf("have version %d (`crawl.RulesVersion`)", RulesVersion); !strings.Contains(string(raw), v) {
		t.Errorf("docs/format.md does not say %q", v)
	}
}

// TestReasonsDocumented holds docs/format.md to the reasons in skip.go.
func TestReasonsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("skip.go")
	if err != nil {
		t.Fatal(err)
	}
	reasons := regexp.MustCompile(`Reason\w+ +Reason = "([a-z-]+)"`).FindAllSubmatch(source, -1)
	if len(reasons) < 20 {
		t.Errorf("%d reasons", len(reasons))
	}
	for _, r := range reasons {
		if !strings.Contains(string(page), fmt.Sprintf("`%s`", r[1])) {
			t.Errorf("docs/format.md does not say what %s is", r[1])
		}
	}
}
