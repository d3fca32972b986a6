package pipeline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// TestIndexedArchive checks that a stopped run over an index can be continued with the same archive, but not with
// another one.
func TestIndexedArchive(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "run")
	archive, index := filepath.Join(dir, "a.warc"), filepath.Join(dir, "a.cdxj")
	line := fmt.Sprintf(`example,a)/ 20200102030405 {"url": "https://a.example/", "offset": "0", "filename": %q}`+"\n", "a.warc")
	for name, content := range map[string]string{archive: warcResponse("https://a.example/", t1, "<title>one</title>"), index: line} {
		must(t, os.WriteFile(name, []byte(content), 0o600))
	}
	for range 2 {
		must(t, pipeline.ClusterUntil(t.Context(), "read", out, []string{index}, preset(t, "web"), pipeline.Options{}))
	}
	must(t, os.WriteFile(archive, []byte(warcResponse("https://a.example/", t1, "<title>another</title>")), 0o600))
	if _, err := pipeline.Cluster(t.Context(), out, []string{index}, preset(t, "web"), pipeline.Options{}); !errors.Is(err, run.ErrMismatch) {
		t.Errorf("another archive: %v", err)
	}
}
