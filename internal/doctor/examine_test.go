package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/doctor"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// TestFixtures checks that every file of the shared archives gets a verdict, and that every finding has a position and
// advice. With -v, it prints a table of all of them.
func TestFixtures(t *testing.T) {
	dir := shareddata.Dir(t, "warc")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[doctor.Verdict]int{}
	t.Logf("%-80s %-8s %8s %6s %7s  %s", "file", "verdict", "records", "pages", "links", "left out")
	for _, f := range files {
		if f.Name() == "MANIFEST.tsv" {
			continue
		}
		r, err := doctor.Examine(t.Context(), filepath.Join(dir, f.Name()), crawl.Options{})
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		verdicts[r.Verdict]++
		var left []string
		damage := false
		for _, x := range r.Findings {
			left = append(left, string(x.Reason))
			damage = damage || x.Damage
			if x.Advice == "" || len(x.Examples) == 0 || x.Examples[0].Pos.File == "" {
				t.Errorf("%s: %+v has no place or no advice", f.Name(), x)
			}
		}
		if damage != (r.Verdict == doctor.Damaged) || (r.Pages+r.Links > 0) != (r.Verdict == doctor.Sound) && !damage {
			t.Errorf("%s: verdict %s", f.Name(), r.Verdict)
		}
		t.Logf("%-80s %-8s %8d %6d %7d  %s", f.Name(), r.Verdict, r.Records, r.Pages, r.Links, strings.Join(left, " "))
	}
	if verdicts[doctor.Sound]+verdicts[doctor.Damaged]+verdicts[doctor.Nothing] != 68 || verdicts[doctor.Sound] != 42 || verdicts[doctor.Damaged] != 17 {
		t.Errorf("verdicts %v", verdicts)
	}
}
