package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/bench/contest"
	"github.com/lshclust/lshclust/lab/bench/corpus"
)

// smallCorpus writes a corpus of 600 documents.
func smallCorpus(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	data := filepath.Dir(shareddata.Dir(t, "neardup-rfc"))
	if err := makeCorpus([]string{"-data", data, "-corpus", dir, "-documents", "600"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run lets contestants run once on a small corpus.
func run(t *testing.T, p places, dir string, names ...string) []contest.Result {
	t.Helper()
	chosen, err := choose(p.contestants(), names)
	if err != nil {
		t.Fatal(err)
	}
	o := contest.Options{Corpus: dir, Rounds: 1, Limit: 10 * time.Minute, Scratch: t.TempDir(), Progress: t.Output()}
	results, err := contest.Run(t.Context(), chosen, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// TestContest runs the programs that can be tried quickly on one corpus.
func TestContest(t *testing.T) {
	dir := smallCorpus(t)
	t.Run("lshclust", func(t *testing.T) { testLshclust(t, dir) })
	t.Run("peers", func(t *testing.T) {
		folder := peersFolder(t)
		if folder == "" {
			t.Skip("other programs are tried with CI=true, or if LSHCLUST_PEERS names their folder")
		}
		testPeers(t, dir, folder)
	})
	t.Run("sign", func(t *testing.T) { testSign(t, dir) })
}

// build builds the main package in a folder and returns the binary.
func build(t *testing.T, dir, name string) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "binary")
	build := exec.Command("go", "build", "-o", binary, name)
	build.Dir = dir
	if printed, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return binary
}

// testLshclust lets lshclust run from the corpus to the score. It finds every planted pair, and nothing else.
func testLshclust(t *testing.T, dir string) {
	p := places{lshclust: build(t, "../..", "./cmd/lshclust"), scripts: "peers"}
	for _, r := range run(t, p, dir, "lshclust", "lshclust-256MiB") {
		if r.Failure != "" || r.Recall != 1 || r.Precision != 1 || r.Pairs < 50 || r.Clusters < 20 || r.CPU <= 0 || r.Peak < 1 {
			t.Errorf("%+v", r)
		}
	}
}

// peersFolder returns the folder to which peers are installed: the one that LSHCLUST_PEERS names, or with CI=true a
// temporary one. Otherwise it returns "", because installing needs Python and a package registry.
func peersFolder(t *testing.T) string {
	if folder := os.Getenv("LSHCLUST_PEERS"); folder != "" || os.Getenv("CI") != "true" {
		return folder
	}
	return t.TempDir()
}

// testPeers installs the two peers that are wheels without large dependencies to a folder and lets them run.
func testPeers(t *testing.T, dir, folder string) {
	setup := exec.Command("peers/setup.sh", folder, "gaoya", "rensa")
	if printed, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	p := places{scripts: "peers", peers: folder}
	for _, r := range run(t, p, dir, "gaoya", "rensa") {
		if r.Failure != "" || r.Recall < 0.75 || r.Precision < 0.9 || r.Clusters < 20 {
			t.Errorf("%+v", r)
		}
	}
	printed, err := exec.Command(p.python("rensa"), "peers/sign_rensa.py", corpusFile(dir), "100", "2").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	checkSigned(t, printed, 2*wordsOf(t, dir, 100))
}

// testSign signs with lshclust.
func testSign(t *testing.T, dir string) {
	binary := build(t, "..", ".")
	printed, err := exec.Command(binary, "bench", "sign", corpusFile(dir), "100", "3").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	checkSigned(t, printed, 3*wordsOf(t, dir, 100))
	if err := exec.Command(binary, "bench", "sign", corpusFile(dir)).Run(); err == nil {
		t.Error("no error without the number of documents")
	}
}

// Generated texts are the same each time, and each has a URL of its own.
func TestTexts(t *testing.T) {
	binary := build(t, "..", ".")
	write := func(flags ...string) []byte {
		printed, err := exec.Command(binary, append([]string{"bench", "texts"}, flags...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return printed
	}
	printed, urls := write("-documents", "200", "-common"), map[string]bool{}
	for raw := range bytes.Lines(printed) {
		var line corpus.Line
		if err := json.Unmarshal(raw, &line); err != nil || line.Text == "" {
			t.Fatalf("%q: %v", raw, err)
		}
		urls[line.URL] = true
	}
	if len(urls) != 200 || !bytes.Equal(printed, write("-documents", "200", "-common")) || bytes.Equal(printed, write("-documents", "200")) {
		t.Errorf("%d documents in %d bytes", len(urls), len(printed))
	}
}

// checkSigned checks what a contest.Signer prints.
func checkSigned(t *testing.T, printed []byte, want int) {
	t.Helper()
	var tokens int
	var seconds float64
	if _, err := fmt.Sscan(string(printed), &tokens, &seconds); err != nil || tokens != want || seconds <= 0 {
		t.Errorf("%q, %v: want %d tokens", printed, err, want)
	}
}

func corpusFile(dir string) string { return filepath.Join(dir, contest.CorpusFile) }

// wordsOf returns the number of words of the first n documents.
func wordsOf(t *testing.T, dir string, n int) (words int) {
	t.Helper()
	documents, err := readWords(corpusFile(dir), n)
	if err != nil || len(documents) != n {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	for _, d := range documents {
		words += len(d)
	}
	return words
}

func TestChoose(t *testing.T) {
	all := (&places{}).contestants()
	chosen, err := choose(all, []string{"rensa", "lshclust"})
	if err != nil || len(chosen) != 2 || chosen[0].Name != "rensa" || chosen[1].Name != "lshclust" {
		t.Errorf("%+v, %v", chosen, err)
	}
	if _, err := choose(all, []string{"nobody"}); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Error(err)
	}
}
