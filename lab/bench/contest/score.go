package contest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/lab/bench/corpus"
)

// A reported pair is right if its exact resemblance is at least Right; a planted pair has to be found if its is at least
// Wanted.
const (
	Wanted = 0.7
	Right  = 0.65
)

// Score is what the pairs and clusters of a contestant are worth. Recall is the share of the wanted planted pairs that
// were reported, Precision the share of the reported pairs that are right, planted or not.
type Score struct {
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	Pairs     int     `json:"pairs"`
	Clusters  int     `json:"clusters"` // of two or more documents
}

// Names of the files in the folder of a corpus and in that of a contestant's results.
const (
	CorpusFile   = "corpus.jsonl"
	TruthFile    = "truth.tsv"
	PairsFile    = "pairs.tsv"
	ClustersFile = "clusters.tsv" // url and the name of its cluster
)

// Judge scores results in the folder out against the corpus in the folder dir.
func Judge(dir, out string) (Score, error) {
	truth, err := corpus.ReadPairs(filepath.Join(dir, TruthFile))
	if err != nil {
		return Score{}, err
	}
	reported, err := corpus.ReadPairs(filepath.Join(out, PairsFile))
	if err != nil {
		return Score{}, err
	}
	found := map[[2]string]bool{}
	documents := map[string]bool{}
	for _, pair := range reported {
		found[key(pair)] = true
		documents[pair.A], documents[pair.B] = true, true
	}
	judge, err := corpus.NewJudge(filepath.Join(dir, CorpusFile), func(url string) bool { return documents[url] })
	if err != nil {
		return Score{}, err
	}
	s := Score{Pairs: len(found), Recall: recall(truth, found)}
	right := 0
	for pair := range found {
		r, err := judge.Jaccard(pair[0], pair[1])
		if err != nil {
			return Score{}, err
		}
		if r >= Right {
			right++
		}
	}
	s.Precision = share(right, len(found))
	s.Clusters, err = countClusters(filepath.Join(out, ClustersFile))
	return s, err
}

// key names a pair, whichever of its documents comes first.
func key(p corpus.Pair) [2]string { return [2]string{min(p.A, p.B), max(p.A, p.B)} }

func recall(truth []corpus.Pair, found map[[2]string]bool) float64 {
	wanted, have := 0, 0
	for _, pair := range truth {
		if pair.Jaccard >= Wanted {
			wanted++
			if found[key(pair)] {
				have++
			}
		}
	}
	return share(have, wanted)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// countClusters counts the clusters of two or more documents.
func countClusters(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sizes := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		_, cluster, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return 0, fmt.Errorf("%s: %q has no second column", path, lines.Text())
		}
		sizes[cluster]++
	}
	large := 0
	for _, size := range sizes {
		if size > 1 {
			large++
		}
	}
	return large, lines.Err()
}
