// Command bench measures lshclust beside other programs that find near-duplicates. README.md tells how to run it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/bench/contest"
	"github.com/lshclust/lshclust/bench/corpus"
)

// verbs are the parts of a measurement, each with flags of its own (bench VERB -h).
var verbs = map[string]func(args []string) error{
	"corpus":     makeCorpus,
	"contest":    runContest,
	"score":      scorePairs,
	"signatures": runSignatures,
	"texts":      writeTexts,
	"sign":       sign,
	"embeddings": runEmbeddings,
}

func main() {
	if len(os.Args) < 2 || verbs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: bench corpus|contest|score|signatures|sign|texts|embeddings [flags]")
		os.Exit(2)
	}
	if err := verbs[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
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
