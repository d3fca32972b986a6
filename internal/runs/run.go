package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/resemble"
)

// There reports whether the run has a page for a document: it was crawled and is not a "not found" page.
func (r *Run) There(id uint32) bool {
	return r.Docs.Crawled(id) && r.Docs.At(id).Label.String() != notFound
}

// notFound is the label of pages that say that the requested page does not exist.
const notFound = "not-found"

// At returns the document of a run with a page at a canonical URL.
func (r *Run) At(url string) (uint32, bool) {
	id, ok := r.Docs.Find(url)
	return id, ok && r.There(id)
}

// ErrNoCluster is wrapped by the errors for ids that are not those of a cluster.
var ErrNoCluster = errors.New("the run has no cluster with this id")

// ErrNoHost is wrapped by the error for a host without documents.
var ErrNoHost = errors.New("the run holds no document on the host")

// Topical returns the tables from which topical clusters are formed.
func Topical(r *Run) *clusters.Tables {
	return &clusters.Tables{Nodes: r.Nodes, Pairs: r.Pairs, Bags: r.Bags, Terms: r.Terms, Documents: r.Docs, Evidence: r.Evidence}
}

// Run is a finished run that is open for questions. Several goroutines may use it at once.
type Run struct {
	Name       string // in answers: its path, unless somebody names it
	Config     config.Config
	SketchFile string // path of the file of sketches that is open in place of a run
	opened
	results results

	memoLock sync.Mutex
	memos    map[reflect.Type]func() any // see Memo
}

// opened holds what only packages of this module can read.
type opened struct {
	Manifest *run.Manifest
	Dropped  string // path of the list of what was left out

	Rules     *urls.Rules // by which the run made URLs canonical
	set       tables.Set  // all tables, also those of the views
	Docs      *tables.Documents
	Captures  *tables.Captures
	Redirects *tables.Redirects
	targets   func() []uint32 // rows of redirects, sorted by the hashes of their targets; made on first use
	Evidence  *tables.Evidence
	Sources   *tables.Sources
	Terms     *tables.Terms
	read      map[string]foundPage // by name; see Run.Read

	// What the web says about the documents; nil in a run without the topical view.
	Index    *lsh.Index
	Bags     *tables.Bags
	Nodes    *tables.Nodes
	inverted *tables.Inverted
	Nearest  *inverted.Index // searches inverted
	Pairs    *tables.Pairs
	Clusters *tables.Clusters
	Tree     *tables.Tree

	Content uint32 // first term of content

	// What the pages say; nil in a run without the syntactic view. A file of sketches has pages, equal and strip only.
	Pages       PageTable
	Posts       *tables.Postings
	Similar     *tables.Similar
	Union       *tables.Union
	Equal       *tables.Equal
	Boilerplate *resemble.Boilerplate
}

// newRun returns a run that has no tables of views yet.
func newRun(o opened) *Run {
	r := &Run{opened: o, memos: map[reflect.Type]func() any{}}
	r.results.ctx, r.results.stop = context.WithCancel(context.Background())
	return r
}

// PageTable is a table of the shingles of all pages, or of their sketches.
type PageTable interface {
	resemble.Sketches
	Values(page uint32) []uint64
	Count(page uint32) uint32            // shingles of the text, including repeated ones
	Notice(page uint32) bool             // the label of the page says that it is not content
	Document(page uint32) uint32         // tables.None if there is no such page
	Page(document uint32) (uint32, bool) // false for a document that was not crawled
}

// ErrUnknown is wrapped by the error of [Run.Lookup] for a URL without a document.
var ErrUnknown = errors.New("the run holds no document of this URL")

// Open opens the finished run at path. It reads only the ends of the tables, so that it takes the same time however
// many documents there are.
func Open(path string) (*Run, error) {
	dir, err := run.Open(path)
	if err != nil {
		return nil, err
	}
	r := newRun(opened{Manifest: dir.Manifest, Dropped: dir.Path(run.DroppedList)})
	r.Name = path
	if err := r.configure(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := r.open(dir); err != nil {
		return nil, err
	}
	return r, nil
}

// configure reads the configuration of the run from its manifest.
func (r *Run) configure() error {
	if err := json.Unmarshal(r.Manifest.Config, &r.Config); err != nil {
		return fmt.Errorf("configuration in the manifest: %w", err)
	}
	if v := r.Config.RulesVersion; v != urls.RulesVersion {
		return fmt.Errorf("its URLs are in the canonical form of version %d of the rules, but this program has version %d: build the run again",
			v, urls.RulesVersion)
	}
	if pair, ok := r.Manifest.Stage("pair"); ok {
		r.Config = r.Config.WithIndex(pair.Counts)
	}
	var err error
	if r.Rules, err = r.Config.Rules(); err == nil {
		r.Index, err = r.Config.Index()
	}
	return err
}

// open opens the tables of the run's views. If one cannot be opened, it closes the others.
func (r *Run) open(from *run.Run) error {
	r.Docs = tables.Open(&r.set, from.Path(tables.DocumentsFile), tables.OpenDocuments)
	r.Captures = tables.Open(&r.set, from.Path(tables.CapturesFile), tables.OpenCaptures)
	r.Evidence = tables.Open(&r.set, from.Path(tables.EvidenceFile), tables.OpenEvidence)
	r.Sources = tables.Open(&r.set, from.Path(tables.SourcesFile), tables.OpenSources)
	r.Redirects = tables.Open(&r.set, from.Path(tables.RedirectsFile), tables.OpenRedirects)
	r.Terms = tables.Open(&r.set, from.Path(tables.TermsFile), tables.OpenTerms)
	r.targets = sync.OnceValue(func() []uint32 { return findTargets(r) })
	r.set.Do(func() error { return fit(from, r.Captures.Len() == r.Docs.Len() && r.Sources.Len() == r.Docs.Len()) })
	if r.Config.Has(config.Topical) {
		r.openTopical(from)
	}
	if r.Config.Has(config.Syntactic) {
		r.openSyntactic(from)
	}
	return r.set.Ready()
}

func (r *Run) openTopical(from *run.Run) {
	r.Bags = tables.Open(&r.set, from.Path(tables.BagsFile), tables.OpenBags)
	r.Nodes = tables.Open(&r.set, from.Path(tables.NodesFile), tables.OpenNodes)
	r.inverted = tables.Open(&r.set, from.Path(tables.InvertedFile), tables.OpenInverted)
	r.Pairs = tables.Open(&r.set, from.Path(tables.PairsFile), tables.OpenPairs)
	r.Clusters = tables.Open(&r.set, from.Path(tables.ClustersFile), tables.OpenClusters)
	r.Tree = tables.Open(&r.set, from.Path(tables.TreeFile), tables.OpenTree)
	r.set.Do(func() error {
		n := r.Docs.Len()
		return fit(from, r.Bags.Len() == n && r.Nodes.Documents() == n && r.Clusters.Len() == n && r.Tree.Documents() == n &&
			r.Pairs.Len() == r.Nodes.Len() && r.inverted.Len() == r.Nodes.Len())
	})
	r.set.Do(func() error {
		r.Content = uint32(bags.FirstOfContent(r.Terms.Hashes()))
		return nil
	})
	r.Nearest = inverted.New(r.inverted, tables.NodeBags{Bags: r.Bags, Nodes: r.Nodes}, r.Config.Sum)
}

func (r *Run) openSyntactic(from *run.Run) {
	r.Pages = tables.Open(&r.set, from.Path(tables.ShinglesFile), tables.OpenShingles)
	r.Similar = tables.Open(&r.set, from.Path(tables.SimilarFile), tables.OpenSimilar)
	r.Union = tables.Open(&r.set, from.Path(tables.UnionFile), tables.OpenUnion)
	if r.Config.Indexed {
		r.Posts = tables.Open(&r.set, from.Path(tables.PostingsFile), tables.OpenPostings)
	}
	r.Equal = tables.Open(&r.set, from.Path(tables.EqualFile), tables.OpenEqual)
	r.set.Do(func() (err error) {
		r.Boilerplate, err = r.Equal.Boilerplate(r.Config.Boilerplate())
		return err
	})
	r.set.Do(func() error {
		n := r.Pages.Len()
		return fit(from, r.Union.Len() == n && r.Equal.Len() == n && n <= r.Docs.Len())
	})
}

// fit returns an error unless fits, which says whether the lengths of the tables match.
func fit(from *run.Run, fits bool) error {
	if fits {
		return nil
	}
	return fmt.Errorf("%s: its tables do not belong together; lshclust info --check tells more", from.Root())
}

// ErrNoView is wrapped by the errors for questions to a view that the run lacks.
var ErrNoView = errors.New("the run was built without this view")

// Need returns an error unless the run has the view.
func (r *Run) Need(view string) error {
	if r.Config.Has(view) {
		return nil
	}
	return fmt.Errorf("%s: %w; build one with --views %s", view, ErrNoView, view)
}

// Err returns the first damage found in each table, or nil if everything read so far is as it was written. It may be
// called after Close.
func (r *Run) Err() error { return r.set.Err() }

// Len returns the number of documents.
func (r *Run) Len() int { return r.Docs.Len() }

// Lookup returns the id of the document with a URL. The URL may have any form: Lookup makes it canonical by the rules
// of the run, assumes https if the scheme is missing, and follows a redirect if the URL is not a document itself.
//
// In a run with all captures, a URL may be followed by # and either a time in any common form ("2024-05",
// "20240517120000", "2024-05-17T12:00+02:00") or the beginning of the digest of the content. It then names the one
// matching capture. If several captures match, if none matches a time, or if a plain URL is not a document and has
// several captures, the error is a *CapturesError.
func (r *Run) Lookup(url string) (uint32, error) {
	if id, ok := r.Docs.Find(url); ok { // already canonical, or a name that is not a URL
		return id, nil
	}
	if id, ok, err := lookupCapture(r, url); ok {
		return id, err
	}
	canonical, err := r.Canonical(url)
	if err != nil {
		return 0, fmt.Errorf("%q is not a URL of the web (%w)", url, err)
	}
	if id, ok := r.Docs.Find(canonical); ok {
		return id, nil
	}
	to := r.RedirectTarget(canonical)
	id, ok := r.Docs.Find(to)
	list := CapturesAt(r, canonical)
	switch {
	case ok:
		return id, nil
	case len(list) == 1:
		return list[0].ID, nil
	case len(list) > 1:
		return 0, &CapturesError{URL: base(list), Captures: list}
	case to != canonical:
		return 0, fmt.Errorf("%s: %w (it redirects to %s)", url, ErrUnknown, to)
	}
	return 0, fmt.Errorf("%s: %w (canonical form %s)", url, ErrUnknown, canonical)
}

// Canonical returns the canonical form of a URL by the rules of the run. It assumes https if the scheme is missing.
func (r *Run) Canonical(url string) (string, error) {
	canonical, err := r.Rules.Canonical(url)
	if err != nil {
		canonical, err = r.Rules.Canonical("https://" + url)
	}
	return canonical, err
}

// RedirectTarget returns the URL that a canonical URL redirects to in the crawl, or the URL itself. The run treats
// links to a URL as links to its redirect target.
func (r *Run) RedirectTarget(url string) string { return r.Redirects.Target(url) }

// Parser returns a parser for pages to compare with those of the run.
func (r *Run) Parser() (*text.Parser, error) {
	v, err := text.NewVocabulary(text.Analysis{Language: r.Config.Language, Stop: "none"})
	return &text.Parser{Vocabulary: v}, err
}
