package tables

import (
	"os"
	"path/filepath"
	"testing"
)

// Abort leaves no file behind.
func TestAbort(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs, err := CreateDocuments(at(DocumentsFile), at(EvidenceFile))
	must(t, err)
	docs.Add(&groups()[0])
	docs.Abort()
	terms, err := CreateTerms(at(TermsFile), 1)
	must(t, err)
	terms.Abort()
	sources, err := CreateSources(at(SourcesFile))
	must(t, err)
	sources.Add(1)
	if err := sources.Close(); err == nil { // a linking page is missing
		t.Error("no error")
	}
	b, err := CreateBags(at(BagsFile))
	must(t, err)
	b.Abort()
	origins, err := CreateOrigins(at(OriginsFile))
	must(t, err)
	origins.Abort()
	p, err := CreatePairs(at(PairsFile))
	must(t, err)
	p.Abort()
	c, err := CreateClusters(at(ClustersFile), []uint32{0}, []float32{1})
	must(t, err)
	c.Abort()
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
