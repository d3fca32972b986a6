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
	from := &opened{Set: b.tables(), b: b}
	folder, nodes := from.tempDir("sort"), table(from, tables.NodesFile, tables.OpenNodes)
	if nodes == nil || nodes.Len() != 2 {
		t.Fatalf("nodes: %v", nodes)
	}
	bags, after := table(from, tables.BagsFile, tables.OpenBags), table(from, tables.NodesFile, tables.OpenNodes)
	if err := from.Ready(); err == nil || bags != nil || after != nil {
		t.Errorf("error %v, %v, %v", err, bags, after)
	}
	from.close()
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s is still there", folder)
	}
}
