package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// The centers of the nodes that are read from the table of clusters, for the tree, are those that CENTER finds.
func TestCentersInTable(t *testing.T) {
	for _, order := range center.Orders() {
		c, err := config.Preset("web")
		if err != nil {
			t.Fatal(err)
		}
		c.Order = order
		folder := t.TempDir()
		in, out := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "run")
		var lines strings.Builder
		words := strings.Fields("river mountain water valley stone bridge forest meadow castle village harbour island")
		for i := range 60 {
			var html strings.Builder
			for k := range 6 {
				fmt.Fprintf(&html, `<p>%s and %s <a href=/%d>%s</a> by the %s</p>`, words[i%12], words[(i+k)%12], (i*7+k*k)%80, words[(i/3+k)%12], words[i/5])
			}
			fmt.Fprintf(&lines, `{"url":"https://a.example/%d","html":%q}`+"\n", i, html.String())
		}
		if err := os.WriteFile(in, []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Cluster(t.Context(), out, []string{in}, c, Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		dir, err := run.Create(filepath.Join(folder, "other"), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		finished, err := filepath.Glob(filepath.Join(out, "*.lsh"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range finished {
			if err := os.Link(path, dir.Path(filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
		from := &opened{b: newBuild(dir, c, nil, Options{})}
		tabs, flat := openClustering(from), table(from, tables.ClustersFile, tables.OpenClusters)
		if err := from.Ready(); err != nil {
			t.Fatal(err)
		}
		want := tabs.Centers(order, float32(c.Threshold))
		if got := tabs.CentersIn(flat.Centers()); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", order, got, want)
		}
		together := 0
		for node, of := range want {
			if int(of) != node {
				together++
			}
		}
		if together < 3 {
			t.Errorf("%s: only %d of %d nodes have another center", order, together, len(want))
		}
		if err := from.Close(); err != nil {
			t.Error(err)
		}
		if err := dir.Close(); err != nil {
			t.Error(err)
		}
	}
}
