package run_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/run"
)

// A run of one stage, which writes one table, is built, published and read.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "run-")
	check(err)
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "RUN")

	d, err := run.Create(path, map[string]int{"keys": 160}, nil)
	check(err)
	timer := run.StartStage("pair")
	w, err := run.CreateTable[run.TopicalPairRow](d.Temp(run.TopicalPairsTable))
	check(err)
	check(w.Write(run.TopicalPairRow{URLA: "https://a.example", URLB: "https://b.example", Similarity: 0.3}))
	check(w.Close())
	check(d.Finish("pair", timer.Stats(2, 1, nil), run.TopicalPairsTable))
	check(d.Publish(ctx, &run.Manifest{Seed: 1}))

	r, err := run.Open(path)
	check(err)
	for row, err := range run.ReadTable[run.TopicalPairRow](r.Path(run.TopicalPairsTable)) {
		check(err)
		fmt.Println(row.URLA, row.URLB, row.Similarity)
	}
	report, err := run.Check(ctx, path)
	check(err)
	fmt.Println("sound:", report.OK())
	// Output:
	// https://a.example https://b.example 0.3
	// sound: true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
