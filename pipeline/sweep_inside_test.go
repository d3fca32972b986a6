package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/run"
)

// A difference that no flag can undo is told without one.
func TestRulesVersionDiffers(t *testing.T) {
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	earlier := c
	earlier.RulesVersion--
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Cluster(t.Context(), dir, nil, c, Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = sameReading(r, earlier, c)
	if err == nil || !strings.Contains(err.Error(), "url_rules_version is") || strings.Contains(err.Error(), "--url-rules-version") || strings.Contains(err.Error(), "give ") {
		t.Error(err)
	}
}
