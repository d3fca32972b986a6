package query

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// forTables reports whether tests measure everything that the tables of the documents show.
func forTables() bool { return os.Getenv("LSHCLUST_TABLES") != "" }

func TestLongForgedRun(t *testing.T) { forgedRuns(t, 2, 3) }

func TestLongManyOfTemplate(t *testing.T) { manyOfTemplate(t, 4000) }

// TestLongNothingOfTemplate is TestNothingOfTemplate with more pages; with LSHCLUST_TABLES=1, as many as docs/quality.md
// says.
func TestLongNothingOfTemplate(t *testing.T) {
	n := 4000
	if forTables() {
		n = 10_000
	}
	nothingOfTemplate(t, n, 300, "", "/view")
}

// TestLongCompareSample is TestCompareSample with all pages of the sample.
func TestLongCompareSample(t *testing.T) { compareAgainstAll(t, comparedRun(t, sample.Open())) }

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
		if set.name != "manuals" && !forTables() {
			continue
		}
		t.Run(set.name, func(t *testing.T) {
			folder, file := filepath.Split(set.file)
			out := filepath.Join(t.TempDir(), "run")
			_, err := pipeline.Cluster(t.Context(), out, []string{filepath.Join(shareddata.Dir(t, filepath.Clean(folder)), file)}, syntactic(t, nil), pipeline.Options{})
			must(t, err)
			r, err := Open(out)
			must(t, err)
			defer r.Close()
			findParagraphs(t, set.name, r, 400, set.floor)
		})
	}
}
