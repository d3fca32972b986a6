// Package bench measures lshclust and other programs that find near-duplicates on the same work: README.md.
package bench

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/lab/bench/contest"
	"github.com/lshclust/lshclust/lab/bench/corpus"
)

// verbs are the parts of a measurement, each with flags of its own.
var verbs = map[string]func(args []string) error{
	"corpus":     makeCorpus,
	"contest":    runContest,
	"score":      scorePairs,
	"signatures": runSignatures,
	"scan":       runScan,
	"texts":      writeTexts,
	"sign":       sign,
}

// Command runs the part of a measurement that the first argument names.
func Command(args []string) error {
	if len(args) == 0 || verbs[args[0]] == nil {
		return fmt.Errorf("usage: lab bench %s [flags]", strings.Join(slices.Sorted(maps.Keys(verbs)), "|"))
	}
	return verbs[args[0]](args[1:])
}

// makeCorpus writes a corpus and its truth.
func makeCorpus(args []string) error {
	var c corpus.Config
	flags := flag.NewFlagSet("corpus", flag.ExitOnError)
	data := flags.String("data", os.Getenv("LSHCLUST_DATA"), "folder of the shared test data (default $LSHCLUST_DATA)")
	dir := flags.String("corpus", "", "folder to write "+contest.CorpusFile+" and "+contest.TruthFile+" to")
	flags.IntVar(&c.Documents, "documents", 97215, "number of documents")
	flags.Float64Var(&c.Planted, "planted", corpus.DefaultPlanted, "share of the documents that are in planted families")
	flags.Uint64Var(&c.Seed, "seed", 1, "another seed makes another corpus")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pool, err := corpus.ReadPool(*data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	fmt.Printf("%d passages\n", pool.Len())
	if err := create(filepath.Join(*dir, contest.CorpusFile), func(f *os.File) error { return c.Write(f, pool) }); err != nil {
		return err
	}
	return create(filepath.Join(*dir, contest.TruthFile), func(f *os.File) error { return c.WriteTruth(f, pool) })
}

func create(path string, write func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
