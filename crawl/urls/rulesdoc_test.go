package urls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRulesDocumented compares docs/format.md with the list of rules and its version.
func TestRulesDocumented(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
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
	if v := fmt.Sprintf("have version %d (`urls.RulesVersion`)", RulesVersion); !strings.Contains(string(raw), v) {
		t.Errorf("docs/format.md does not say %q", v)
	}
}
