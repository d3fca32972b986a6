// Package query opens a finished run and answers from its mapped tables: what is related to a document, and why.
//
// Documents are named by id inside and by URL outside; Lookup leads from one to the other by the same rules that made
// the ids. Related and All rank by exact similarity. Explain opens one pair: the bags term by term, the linking
// sentences, the signatures and keys, or the reason why the pair was not found.
//
// The one rule: strings and slices in answers point into the tables. They are good until Close.
package query

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// Run is a finished run, open for questions. It may be used by several goroutines at once.
type Run struct {
	Manifest *run.Manifest
	Config   pipeline.Config

	rules    *crawl.Rules
	index    *lsh.Index
	docs     *tables.Documents
	evidence *tables.Evidence
	terms    *tables.Terms
	bags     *tables.Bags
	nodes    *tables.Nodes
	sigs     *tables.Signatures
	pairs    *tables.Pairs
	clusters *tables.Clusters
}

// ErrUnknown is wrapped by the error of Lookup for a URL that the run does not hold.
var ErrUnknown = errors.New("the run holds no document of this URL")

// Open opens the finished run at path.
func Open(path string) (*Run, error) {
	opened, err := run.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Run{Manifest: opened.Manifest}
	if err := r.configure(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := r.open(opened); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Run) configure() error {
	if err := json.Unmarshal(r.Manifest.Config, &r.Config); err != nil {
		return fmt.Errorf("configuration in the manifest: %w", err)
	}
	var rules, index error
	r.rules, rules = r.Config.Rules()
	r.index, index = r.Config.Index()
	return cmp.Or(rules, index)
}

func (r *Run) open(from *run.Run) error {
	var errs [8]error
	r.docs, errs[0] = tables.OpenDocuments(from.Path(tables.DocumentsFile))
	r.evidence, errs[1] = tables.OpenEvidence(from.Path(tables.EvidenceFile))
	r.terms, errs[2] = tables.OpenTerms(from.Path(tables.TermsFile))
	r.bags, errs[3] = tables.OpenBags(from.Path(tables.BagsFile))
	r.nodes, errs[4] = tables.OpenNodes(from.Path(tables.NodesFile))
	r.sigs, errs[5] = tables.OpenSignatures(from.Path(tables.SignaturesFile))
	r.pairs, errs[6] = tables.OpenPairs(from.Path(tables.PairsFile))
	r.clusters, errs[7] = tables.OpenClusters(from.Path(tables.ClustersFile))
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if n := r.docs.Len(); r.bags.Len() != n || r.nodes.Documents() != n || r.clusters.Len() != n ||
		r.pairs.Len() != r.nodes.Len() || r.sigs.Len() != r.nodes.Len() {
		return fmt.Errorf("%s: its tables do not belong together; lshclust check tells more", from.Root())
	}
	return nil
}

// Close unmaps the tables.
func (r *Run) Close() error {
	var errs []error
	for _, c := range []interface{ Close() error }{r.docs, r.evidence, r.terms, r.bags, r.nodes, r.sigs, r.pairs, r.clusters} {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Len is the number of documents.
func (r *Run) Len() int { return r.docs.Len() }

// Document returns what is known of a document.
func (r *Run) Document(id uint32) tables.Document { return r.docs.At(id) }

// Lookup returns the id of a URL in any form: it is made canonical by the rules of the run. A URL without a scheme is
// taken as https.
func (r *Run) Lookup(url string) (uint32, error) {
	canonical, err := r.rules.Canonical(url)
	if err != nil {
		if canonical, err = r.rules.Canonical("https://" + url); err != nil {
			return 0, fmt.Errorf("%s: %w", url, err)
		}
	}
	id, ok := r.docs.Find(canonical)
	if !ok {
		return 0, fmt.Errorf("%s: %w (canonical form %s)", url, ErrUnknown, canonical)
	}
	return id, nil
}

// Cluster describes the topical cluster of a document.
type Cluster struct {
	ID         string   // 16 hex digits
	Center     uint32   // document
	Similarity float32  // of the document to the center
	Label      []string // words that weigh most in its bags; nil for a cluster of one
}

// Cluster returns the topical cluster of a document.
func (r *Run) Cluster(id uint32) Cluster {
	c, s := r.clusters.Center(id)
	return Cluster{pipeline.ClusterID(r.docs.URL(c)), c, s, r.clusters.Label(c)}
}

// Quotes returns the linking sentences that were kept for a document.
func (r *Run) Quotes(id uint32) []Quote {
	var out []Quote
	for _, q := range r.evidence.Of(id) {
		source := ""
		if s, ok := r.docs.ByHash(q.Source); ok {
			source = r.docs.URL(s)
		}
		out = append(out, Quote{Source: source, Before: string(q.Before), Anchor: string(q.Anchor), After: string(q.After)})
	}
	return out
}

// Quote is a sentence that links to a document.
type Quote struct {
	Source string `json:"source"` // canonical URL of the page that it stands on
	Before string `json:"before"`
	Anchor string `json:"anchor"`
	After  string `json:"after"`
}
