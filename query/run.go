// Package query opens a finished run and answers from its mapped tables: what is related to a document, and why.
//
// Documents are named by id inside and by URL outside; Lookup leads from one to the other by the same rules that made
// the ids. Related and All rank by exact similarity. Explain opens one pair: the bags term by term, the linking
// sentences, the signatures and keys, or the reason why the pair was not found.
//
// There are two rules. Strings and slices in answers point into the tables: they are good until Close. And an answer holds
// only if [Run.Err] is nil afterwards: what an answer reads of the tables is checked when it is read, block by block, and
// the error of damage is kept until somebody asks.
package query

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/run"
)

// Run is a finished run, open for questions. It may be used by several goroutines at once.
type Run struct {
	Manifest *run.Manifest
	Config   config.Config

	rules    *crawl.Rules
	index    *lsh.Index
	docs     *tables.Documents
	captures *tables.Captures
	moved    *tables.Redirects
	evidence *tables.Evidence
	terms    *tables.Terms
	bags     *tables.Bags
	nodes    *tables.Nodes
	sigs     *tables.Signatures
	pairs    *tables.Pairs
	clusters *tables.Clusters

	pages   *tables.Shingles
	posts   *tables.Postings
	similar *tables.Similar
	joined  *tables.Joined
	equal   *resemble.Equal
	strip   *resemble.Boilerplate
	byRep   map[uint32][]uint32 // pages that equal a representative, without it
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
	if v := r.Config.RulesVersion; v != crawl.RulesVersion {
		return fmt.Errorf("its URLs are canonical by version %d of the rules, this program knows %d: build the run anew", v, crawl.RulesVersion)
	}
	var rules, index error
	r.rules, rules = r.Config.Rules()
	r.index, index = r.Config.Index()
	return cmp.Or(rules, index)
}

func (r *Run) open(from *run.Run) (err error) {
	if r.docs, err = tables.OpenDocuments(from.Path(tables.DocumentsFile)); err != nil {
		return err
	}
	if r.captures, err = tables.OpenCaptures(from.Path(tables.CapturesFile)); err != nil {
		return err
	}
	if r.captures.Len() != r.docs.Len() {
		return mismatch(from)
	}
	if r.evidence, err = tables.OpenEvidence(from.Path(tables.EvidenceFile)); err != nil {
		return err
	}
	if r.moved, err = tables.OpenRedirects(from.Path(tables.RedirectsFile)); err != nil {
		return err
	}
	if r.terms, err = tables.OpenTerms(from.Path(tables.TermsFile)); err != nil {
		return err
	}
	if r.Config.Has(config.Topical) {
		if err := r.openTopical(from); err != nil {
			return err
		}
	}
	if r.Config.Has(config.Syntactic) {
		return r.openSyntactic(from)
	}
	return nil
}

func (r *Run) openTopical(from *run.Run) error {
	var errs [5]error
	r.bags, errs[0] = tables.OpenBags(from.Path(tables.BagsFile))
	r.nodes, errs[1] = tables.OpenNodes(from.Path(tables.NodesFile))
	r.sigs, errs[2] = tables.OpenSignatures(from.Path(tables.SignaturesFile))
	r.pairs, errs[3] = tables.OpenPairs(from.Path(tables.PairsFile))
	r.clusters, errs[4] = tables.OpenClusters(from.Path(tables.ClustersFile))
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if n := r.docs.Len(); r.bags.Len() != n || r.nodes.Documents() != n || r.clusters.Len() != n ||
		r.pairs.Len() != r.nodes.Len() || r.sigs.Len() != r.nodes.Len() {
		return mismatch(from)
	}
	return nil
}

func (r *Run) openSyntactic(from *run.Run) error {
	var errs [5]error
	r.posts, errs[4] = tables.OpenPostings(from.Path(tables.PostingsFile))
	r.pages, errs[0] = tables.OpenShingles(from.Path(tables.ShinglesFile))
	r.similar, errs[1] = tables.OpenSimilar(from.Path(tables.SimilarFile))
	r.joined, errs[2] = tables.OpenJoined(from.Path(tables.JoinedFile))
	r.equal, r.strip, errs[3] = tables.ReadEqual(from.Path(tables.EqualFile), resemble.BoilerplateConfig{})
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	r.byRep = map[uint32][]uint32{}
	for page := range uint32(r.equal.Len()) {
		if rep := r.equal.Representative(page); rep != page {
			r.byRep[rep] = append(r.byRep[rep], page)
		}
	}
	if n := r.pages.Len(); r.joined.Len() != n || r.equal.Len() != n || n > r.docs.Len() {
		return mismatch(from)
	}
	return nil
}

func mismatch(from *run.Run) error {
	return fmt.Errorf("%s: its tables do not belong together; lshclust check tells more", from.Root())
}

// ErrNoView is wrapped by the errors of questions to a view that the run does not have.
var ErrNoView = errors.New("the run was built without this view")

// Need returns an error unless the run has the view.
func (r *Run) Need(view string) error {
	if r.Config.Has(view) {
		return nil
	}
	return fmt.Errorf("%s: %w; build one with --views %s", view, ErrNoView, view)
}

// table is a table of the run.
type table interface {
	Close() error
	Err() error
}

// tables yields the tables that are open.
func (r *Run) tables() iter.Seq[table] {
	return func(yield func(table) bool) {
		for _, t := range []table{
			r.docs, r.captures, r.moved, r.evidence, r.terms, r.bags, r.nodes, r.sigs, r.pairs, r.clusters, r.pages, r.posts, r.similar, r.joined,
		} {
			if !reflect.ValueOf(t).IsNil() && !yield(t) {
				return
			}
		}
	}
}

// Err returns the first damage that was met in each table, nil if all that was read so far is as it was written. It may be
// asked after Close.
func (r *Run) Err() error {
	var errs []error
	for t := range r.tables() {
		errs = append(errs, t.Err())
	}
	return errors.Join(errs...)
}

// Close unmaps the tables.
func (r *Run) Close() error {
	var errs []error
	for t := range r.tables() {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}

// Len is the number of documents.
func (r *Run) Len() int { return r.docs.Len() }

// bag returns the bag that a node stands for, an empty one if the table is damaged.
func (r *Run) bag(node uint32) bags.Bag {
	return r.bags.At(r.nodes.First(node))
}

// Document returns what is known of a document.
func (r *Run) Document(id uint32) tables.Document { return r.docs.At(id) }

// Lookup returns the id of a URL in any form: it is made canonical by the rules of the run. A URL without a scheme is
// taken as https. For one that is no document but leads to one, that one is found.
//
// In a run with all captures, a time in any common form behind # ("2024-05", "20240517120000", "2024-05-17T12:00+02:00"), or
// the beginning of the content's digest, names the one capture that it fits. If it fits several or, being a time, none, or if
// a plain URL is no document and has several captures, the error is a *CapturesError.
func (r *Run) Lookup(url string) (uint32, error) {
	if id, ok := r.docs.Find(url); ok { // canonical already, or a name that is no URL
		return id, nil
	}
	if id, ok, err := r.lookupCapture(url); ok {
		return id, err
	}
	canonical, err := r.canonical(url)
	if err != nil {
		return 0, fmt.Errorf("%q is no URL that a run can hold: %w", url, err)
	}
	if id, ok := r.docs.Find(canonical); ok {
		return id, nil
	}
	to := r.Leads(canonical)
	id, ok := r.docs.Find(to)
	list := r.Captures(canonical)
	switch {
	case ok:
		return id, nil
	case len(list) == 1:
		return list[0].ID, nil
	case len(list) > 1:
		return 0, &CapturesError{URL: r.base(list), Captures: list}
	case to != canonical:
		return 0, fmt.Errorf("%s: %w (it leads to %s)", url, ErrUnknown, to)
	}
	return 0, fmt.Errorf("%s: %w (canonical form %s)", url, ErrUnknown, canonical)
}

// canonical is the canonical form of a URL, with https for one without a scheme.
func (r *Run) canonical(url string) (string, error) {
	canonical, err := r.rules.Canonical(url)
	if err != nil {
		canonical, err = r.rules.Canonical("https://" + url)
	}
	return canonical, err
}

// Leads is where links to a canonical URL count: at another one if the crawl says that it leads there, else at itself.
func (r *Run) Leads(url string) string { return r.moved.Target(url) }

// Cluster describes the topical cluster of a document.
type Cluster struct {
	ID         string   // 16 hex digits
	Center     uint32   // document
	Similarity float32  // of the document to the center
	Label      []string // phrases that tell what it is about, the best first; nil for a cluster of one
}

// Cluster returns the topical cluster of a document.
func (r *Run) Cluster(id uint32) Cluster {
	c, s := r.clusters.Center(id)
	return Cluster{tables.ClusterID(r.docs.URL(c)), c, s, r.clusters.Label(c)}
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
