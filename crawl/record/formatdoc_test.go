package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReasonsDocumented checks that docs/format.md documents the reasons in skip.go.
func TestReasonsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
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
