package ask

import (
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Run is a finished run that is open for questions. Several goroutines may use it at once. Its strings, and those of
// answers, point into its tables: they are valid until it is closed.
type Run = runs.Run

// Crawls are the runs of several crawls of the same sites in order of time, for [Moved] and [Changes].
type Crawls = crawls.Crawls

// By and the others here are options that several questions share, and the values of some.
type (
	By             = topics.By // what of two bags is compared: links, content or both
	WhoOptions     = texts.WhoOptions
	FoldOptions    = texts.FoldOptions
	LinkOptions    = site.LinkOptions
	VersionOptions = site.VersionOptions
	Corner         = views.Corner // of the comparison of both views
	LinkKind       = site.LinkKind
	VersionKind    = site.VersionKind
	RuleFormat     = rules.Format
	Labelled       = topics.Labelled   // an example for [Classify]
	Classifier     = topics.Classifier // see [Learn]
	KnownURL       = crawls.KnownURL   // for [Guard]
	Rule           = rules.Rule        // for [Guard]
	CompareBounds  = views.CompareOptions
	Keep           = texts.Keep // which page stands for its duplicates
)

// Neighbour and the others here are rows of answers.
type (
	Neighbour      = topics.Neighbour    // of [RelatedAnswer]
	Duplicate      = texts.Duplicate     // of [DuplicatesAnswer]
	Holder         = texts.Holder        // of [QueryAnswer]
	Folded         = texts.Folded        // of [FoldAnswer]
	TreeNode       = topics.TreeNode     // of [BranchAnswer]
	ComparedPair   = views.ComparedPair  // of [CompareAnswer]
	CrossPair      = texts.CrossPair     // of [SharedAnswer]
	FoundPage      = crawls.FoundPage    // of [MovedAnswer]
	LinkFinding    = site.LinkFinding    // of [LinksAnswer]
	LinkProblem    = site.LinkProblem    // of [LinksAnswer]
	VersionFinding = site.VersionFinding // of [VersionsAnswer]
)

// Document and the others here are parts of answers.
type (
	Document          = runs.Document
	Capture           = runs.Capture
	Quote             = runs.Quote // a sentence with a link
	Share             = texts.Share
	Line              = texts.Line // of two texts, aligned
	Explanation       = topics.Explanation
	TopicalMembership = topics.TopicalMembership
	TopicalCluster    = topics.TopicalCluster
	SyntacticCluster  = texts.SyntacticCluster
	SiteVersion       = site.Version
	Comparison        = views.Comparison
	Sighting          = crawls.Sighting
	LostPage          = crawls.LostPage
	Ref               = runs.Ref  // names a document
	Pair              = runs.Pair // names two
	HostLinks         = runs.HostLinks
	RedirectHere      = runs.RedirectHere
	ChangeRow         = run.ChangeRow
	BagWord           = topics.BagWord
	Field             = topics.Field // of two bags
	Term              = topics.Term
	Key               = topics.Key
	Found             = topics.Found
	Passage           = texts.Passage
	Piece             = texts.Piece
	Anchor            = crawls.Anchor
	Stop              = crawls.Stop
	ChangeCounts      = crawls.ChangeCounts
	Verdict           = moved.Verdict
	Place             = moved.Place

	Evidence   = moved.Evidence
	Agreement  = views.Agreement
	Clustering = views.Clustering
	Histogram  = views.Histogram
	CornerList = views.CornerList
)

// Errors that the errors of questions wrap.
var (
	ErrUnknown   = runs.ErrUnknown   // the run has no document of the URL
	ErrNoView    = runs.ErrNoView    // the run was built without the view that the question is about
	ErrNoCluster = runs.ErrNoCluster // the run has no cluster with the id
	ErrNoHost    = runs.ErrNoHost    // the run has no document of the host
	ErrNoURL     = crawls.ErrNoURL   // the text is no URL
	ErrOrder     = crawls.ErrOrder   // the first run is of the newer crawl
)

// NewCrawls prepares questions about runs in order of time. The runs must stay open until the last question is answered.
var NewCrawls = crawls.NewCrawls
