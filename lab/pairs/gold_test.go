package pairs

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/lab/labtest"
)

// Columns are found by their names, or are the first two; damaged rows are counted with their lines.
func TestRead(t *testing.T) {
	g, err := Read(labtest.File(t, "# old_version\told_url\tnew_version\tnew_url\tkind\tresemblance\told_in_new\tnew_in_old\r\n"+
		"1\ta\t2\tb\tmoved\t0.5\t0.25\t0.75\r\n"+
		"1\ta\t3\tc\tmerged\t\t\t\n"+
		"\n"+
		"1\ta\t2\t\tmoved\t0\t0\t0\n"+
		"1\ta\t2\tb\tmoved\tNaN\t0\t0\n"+
		"1\ta\t2\tb\tmoved\t0\t1.5\t0\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Pair{
		{A: "a", B: "b", Kind: "moved", Old: "1", New: "2", Resemblance: 0.5, Containment: 0.75, At: "gold.tsv:2"},
		{A: "a", B: "c", Kind: "merged", Old: "1", New: "3", Resemblance: -1, Containment: -1, At: "gold.tsv:3"},
	}
	if !slices.Equal(g.Pairs, want) {
		t.Errorf("%+v", g.Pairs)
	}
	if len(g.Skipped) != 2 || g.Skipped[0].Reason != gold.NoURL || g.Skipped[1].Reason != BadFigure || g.Skipped[1].Count != 2 ||
		!strings.HasPrefix(g.Skipped[1].Examples[0], "gold.tsv:6: ") {
		t.Errorf("%+v", g.Skipped)
	}
	g, err = Read(labtest.File(t, "x\ty\n"))
	if err != nil || g.Pairs[0].A != "x" || g.Pairs[0].B != "y" || g.Pairs[0].Resemblance != -1 {
		t.Errorf("without a head: %+v %v", g, err)
	}
	if _, err := Read(labtest.File(t, "# a\tb\n\tc\n")); !errors.Is(err, ErrNoPairs) {
		t.Error(err)
	}
}
