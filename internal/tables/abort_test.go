package tables

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/bags"
)

// TestAbort checks that Abort leaves no file behind.
func TestAbort(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs := CreateDocuments(at(DocumentsFile), at(EvidenceFile))
	docs.Add(&groups()[0])
	docs.Abort()
	terms := CreateTerms(at(TermsFile), bags.Corpus{Links: 1})
	terms.Abort()
	sources := CreateSources(at(SourcesFile))
	sources.Add(1)
	if err := sources.Close(); err == nil { // a linking page is missing
		t.Error("no error")
	}
	b := CreateBags(at(BagsFile))
	b.Abort()
	p := CreatePairs(at(PairsFile), 100)
	p.Abort()
	c := CreateClusters(at(ClustersFile), []uint32{0}, []float32{1})
	c.Abort()
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
