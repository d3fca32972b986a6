package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestOpened checks that if a table of a step is damaged, nothing more is opened, and that open tables are closed and
// folders removed.
func TestOpened(t *testing.T) {
	dir, err := run.Create(filepath.Join(t.TempDir(), "run"), struct{}{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := tables.WriteNodes(dir.Path(tables.NodesFile), []uint32{0, 1}, 2); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir.Path(tables.BagsFile), []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := newRunner(dir, config.Config{}, nil, Options{}).build
	var folder string
	err = b.opening(b.tables(), func(from *opened) error {
		folder = from.tempDir("sort")
		nodes := table(from, tables.NodesFile, tables.OpenNodes)
		if nodes == nil || nodes.Len() != 2 {
			t.Fatalf("nodes: %v", nodes)
		}
		bags, after := table(from, tables.BagsFile, tables.OpenBags), table(from, tables.NodesFile, tables.OpenNodes)
		if bags != nil || after != nil {
			t.Errorf("%v, %v", bags, after)
		}
		return from.Ready()
	})
	if err == nil {
		t.Error("a damaged table was opened")
	}
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s is still there", folder)
	}
}
