package ask

import (
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Run is a finished run that is open for questions. Several goroutines may use it at once. Its strings, and those of
// answers, point into its tables: they are valid until it is closed.
type Run = query.Run

// Crawls are the runs of several crawls of the same sites in order of time, for [Moved] and [Changes].
type Crawls = query.Crawls

// By and the others here are options that several questions share, and the values of some.
type (
	By             = query.By // what of two bags is compared: links, content or both
	WhoOptions     = query.WhoOptions
	FoldOptions    = query.FoldOptions
	LinkOptions    = query.LinkOptions
	VersionOptions = query.VersionOptions
	Corner         = query.Corner // of the comparison of both views
	LinkKind       = query.LinkKind
	VersionKind    = query.VersionKind
	RuleFormat     = rules.Format
	Labelled       = query.Labelled   // an example for [Classify]
	Classifier     = query.Classifier // see [Run.NewClassifier]
	KnownURL       = query.KnownURL   // for [Guard]
)

// Neighbour and the others here are rows of answers.
type (
	Neighbour      = query.Neighbour      // of [RelatedAnswer]
	Duplicate      = query.Duplicate      // of [DuplicatesAnswer]
	Holder         = query.Holder         // of [QueryAnswer]
	Folded         = query.Folded         // of [FoldAnswer]
	TreeNode       = query.TreeNode       // of [TreeAnswer] and [BranchAnswer]
	ComparedPair   = query.ComparedPair   // of [CompareAnswer]
	CrossPair      = query.CrossPair      // of [SharedAnswer]
	FoundPage      = query.FoundPage      // of [MovedAnswer]
	LinkFinding    = query.LinkFinding    // of [LinksAnswer]
	LinkProblem    = query.Problem        // of [LinksAnswer]
	VersionFinding = query.VersionFinding // of [VersionsAnswer]
)

// Document and the others here are parts of answers.
type (
	Document          = query.Document
	Capture           = query.Capture
	Quote             = query.Quote // a sentence with a link
	Share             = query.Share
	Line              = query.Line // of two texts, aligned
	Explanation       = query.Explanation
	TopicalMembership = query.TopicalMembership
	TopicalCluster    = query.TopicalCluster
	SyntacticCluster  = query.SyntacticCluster
	SiteVersion       = query.SiteVersion
	Comparison        = query.Comparison
	Sighting          = query.Sighting
	LostPage          = query.LostPage
)

// Errors that the errors of questions wrap.
var (
	ErrUnknown   = query.ErrUnknown   // the run has no document of the URL
	ErrNoView    = query.ErrNoView    // the run was built without the view that the question is about
	ErrNoCluster = query.ErrNoCluster // the run has no cluster with the id
	ErrNoHost    = query.ErrNoHost    // the run has no document of the host
	ErrNoURL     = query.ErrNoURL     // the text is no URL
	ErrOrder     = query.ErrOrder     // the first run is of the newer crawl
)

// NewCrawls prepares questions about runs in order of time. The runs must stay open until the last question is answered.
var NewCrawls = query.NewCrawls
