package texts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// TestLongParagraphs is TestParagraphs for the shared data. With LSHCLUST_TABLES=1 and -v it prints the table of
// lab/quality.md; otherwise it has the manuals alone.
func TestLongParagraphs(t *testing.T) {
	for _, set := range []struct {
		name, file string
		floor      map[int]float64 // least recall by number of words
	}{
		{"RFCs", "neardup-rfc/docs.jsonl.gz", map[int]float64{20: 0.99, 50: 0.99, 100: 0.99}},
		{"manuals", "docs/pages.jsonl.gz", map[int]float64{20: 0.99, 50: 0.99, 100: 0.99}},
		{"directory", "directory/pages.jsonl.gz", map[int]float64{20: 0.97, 50: 0.98, 100: 0.98}},
	} {
		if set.name != "manuals" && os.Getenv("LSHCLUST_TABLES") == "" {
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			folder, file := filepath.Split(set.file)
			out := filepath.Join(t.TempDir(), "run")
			_, err := pipeline.Cluster(t.Context(), out, []string{filepath.Join(shareddata.Dir(t, filepath.Clean(folder)), file)}, runtest.Syntactic(t, nil), pipeline.Options{})
			runtest.Must(t, err)
			r, err := runs.Open(out)
			runtest.Must(t, err)
			defer r.Close()
			findParagraphs(t, set.name, r, 400, set.floor)
		})
	}
}
