package run

import "unsafe"

// Rows of the Parquet tables. Columns have the names of Common Crawl's index where it has them. If you change a
// column, the golden schema in testdata changes, and the format needs a new FormatVersion.

// Names of the Parquet tables.
const (
	PagesTable             = "pages.parquet"
	RedirectsTable         = "redirects.parquet"
	TopicalTreeTable       = "topical_tree.parquet"
	SyntacticPairsTable    = "syntactic_pairs.parquet"
	SyntacticClustersTable = "syntactic_clusters.parquet"
)

// Row is a row of any table of this package.
type Row interface {
	PageRow | RedirectRow | TopicalPairRow | TopicalClusterRow | TopicalTreeRow | SyntacticPairRow | SyntacticClusterRow | SyntacticEstimateRow
	size() int
}

// PageRow is one document, crawled or only linked to.
type PageRow struct {
	ID                 int64    `parquet:"id,delta"`
	URL                string   `parquet:"url"`
	SeenURL            string   `parquet:"seen_url,optional"` // URL as it was crawled, if it is another one
	URLSurtkey         string   `parquet:"url_surtkey"`
	URLHostName        string   `parquet:"url_host_name"`
	FetchTime          int64    `parquet:"fetch_time,optional,timestamp(millisecond)"` // ms since 1970, UTC; 0 is null
	Title              string   `parquet:"title,optional"`                             // null if empty, as the other optional columns
	ContentDigest      string   `parquet:"content_digest,optional"`
	NTokens            int32    `parquet:"n_tokens"`
	NShingles          int32    `parquet:"n_shingles"`
	NInlinks           int32    `parquet:"n_inlinks"`
	NInlinkHosts       int32    `parquet:"n_inlink_hosts"`
	TopicalClusterID   string   `parquet:"topical_cluster_id,optional"`   // 16 hex digits; null if the document is not in this view
	SyntacticClusterID string   `parquet:"syntactic_cluster_id,optional"` // same
	Language           string   `parquet:"language,optional"`             // the language that the page seems to be in
	PageLabel          string   `parquet:"page_label,optional"`           // reason why the page is not content
	NoIndex            bool     `parquet:"noindex"`                       // whether the page asks to be left out of indexes
	CanonicalURL       string   `parquet:"canonical_url,optional"`        // URL that the page declares as canonical, if it is another one
	Hreflang           []string `parquet:"hreflang,list"`                 // versions of the page in other languages, as it states them: "LANGUAGE URL"
	Crawled            bool     `parquet:"crawled"`                       // false if the document is only linked to
	Input              string   `parquet:"input,optional"`                // path of the input that contains the page, as in the manifest
	Name               string   `parquet:"name"`                          // title or, without one, what links call it or the end of its path
}

// RedirectRow is a URL that redirects to another one.
type RedirectRow struct {
	URL       string `parquet:"url"`
	TargetURL string `parquet:"target_url"` // end of the redirects
	Hops      int32  `parquet:"hops"`
	Kind      string `parquet:"kind"`                                       // kind of the first redirect: http, refresh or canonical
	FetchTime int64  `parquet:"fetch_time,optional,timestamp(millisecond)"` // of the first redirect in ms since 1970, UTC; 0 is null
}

// Names of the Parquet tables that lshclust export makes of binary tables.
const (
	TopicalPairsTable    = "topical_pairs.parquet"
	TopicalClustersTable = "topical_clusters.parquet"
)

// TopicalPairRow is one pair of the topical view.
type TopicalPairRow struct {
	URLA       string  `parquet:"url_a"`
	URLB       string  `parquet:"url_b"`
	Similarity float32 `parquet:"similarity"` // exact, from the bags
}

// TopicalClusterRow is one member of a CENTER cluster.
type TopicalClusterRow struct {
	URL                string   `parquet:"url"`
	ClusterID          string   `parquet:"cluster_id"` // 16 hex digits, a function of the center's URL
	ClusterSize        int32    `parquet:"cluster_size"`
	IsCenter           bool     `parquet:"is_center"`
	SimilarityToCenter float32  `parquet:"similarity_to_center"`
	LabelTerms         []string `parquet:"label_terms,list"` // phrases that label the cluster, best first
}

// SyntacticPairRow is one pair of the syntactic view.
type SyntacticPairRow struct {
	URLA        string  `parquet:"url_a"`
	URLB        string  `parquet:"url_b"`
	Resemblance float32 `parquet:"resemblance"`
	AInB        float32 `parquet:"a_in_b"` // share of a's shingles that b contains
	BInA        float32 `parquet:"b_in_a"`
	Relation    string  `parquet:"relation"` // identical, lexical, shingle or similar
}

// SyntacticClusterRow is one member of a cluster of near-duplicates.
type SyntacticClusterRow struct {
	URL              string `parquet:"url"`
	ClusterID        string `parquet:"cluster_id"` // 16 hex digits, a function of the representative's URL
	ClusterSize      int32  `parquet:"cluster_size"`
	IsRepresentative bool   `parquet:"is_representative"`
	Relation         string `parquet:"relation"` // identical, lexical, shingle or similar
}

// TopicalTreeRow is one node of the tree of topics.
type TopicalTreeRow struct {
	ID         string   `parquet:"id"`                 // the hash of the URL at the center, a dot and the level
	ParentID   string   `parquet:"parent_id,optional"` // null for a root
	Level      int32    `parquet:"level"`              // 0 for a leaf
	Depth      int32    `parquet:"depth"`              // number of nodes above it
	LabelTerms []string `parquet:"label_terms,list"`   // phrases that distinguish the node from its siblings, best first
	Size       int32    `parquet:"size"`               // number of documents
	Topics     int32    `parquet:"topics"`             // number of leaves below; 1 for a leaf
	Children   int32    `parquet:"children"`           // number of children
	CenterURL  string   `parquet:"center_url"`
	Path       []string `parquet:"path,list"` // ids from the root to the node itself
}

func (r TopicalTreeRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.ID) + len(r.ParentID) + len(r.CenterURL) + listSize(r.LabelTerms) + listSize(r.Path)
}

// SyntacticEstimateRow is one pair of the syntactic view of a run that keeps sketches: SyntacticPairRow, and how
// reliable the figures are.
type SyntacticEstimateRow struct {
	URLA        string  `parquet:"url_a"`
	URLB        string  `parquet:"url_b"`
	Resemblance float32 `parquet:"resemblance"`
	AInB        float32 `parquet:"a_in_b,optional"` // share of a's shingles that b contains; null if the sketches do not determine it
	BInA        float32 `parquet:"b_in_a,optional"`
	Relation    string  `parquet:"relation"`  // identical, lexical, shingle, similar or contained
	Estimated   bool    `parquet:"estimated"` // whether the figures are estimates
	Samples     int32   `parquet:"samples"`   // samples that the resemblance is based on; 0 for equal pages
	StdError    float32 `parquet:"std_error"` // standard error of the resemblance; 0 if it is exact
}

func (r SyntacticEstimateRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB)
}

// ChangeRow is what became of one URL between two runs.
type ChangeRow struct {
	URL         string  `parquet:"url"`
	SeenURL     string  `parquet:"seen_url,optional"` // where the page was crawled, if that is another URL: in the newer run, if it has it
	Change      string  `parquet:"change"`            // same, edited, rewritten, moved, gone, new
	NewURL      string  `parquet:"new_url"`           // for a page that moved, otherwise empty
	SeenNewURL  string  `parquet:"seen_new_url,optional"`
	Resemblance float32 `parquet:"resemblance"` // of the two texts, 0 for gone and new pages
	OfOld       float32 `parquet:"old_in_new"`  // share of the old text that the new one contains
	OfNew       float32 `parquet:"new_in_old"`  // share of the new text that the old one contained
	Confidence  float32 `parquet:"confidence"`  // confidence that the page moved to new_url; 1 for all others
}

// The size methods estimate the memory that a row takes. They decide where row groups end, and so the bytes of the
// tables.

func (r PageRow) size() int {
	n := int(unsafe.Sizeof(r)) + len(r.URL) + len(r.SeenURL) + len(r.URLSurtkey) + len(r.URLHostName) + len(r.Title) + len(r.Name) + len(r.ContentDigest) +
		len(r.TopicalClusterID) + len(r.SyntacticClusterID) + len(r.CanonicalURL) + len(r.Input)
	return n + listSize(r.Hreflang)
}

func (r RedirectRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.TargetURL) }

func (r TopicalPairRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB) }

func (r TopicalClusterRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.ClusterID) + listSize(r.LabelTerms)
}

func (r SyntacticPairRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB) }

func (r SyntacticClusterRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.ClusterID) }

func listSize(list []string) int {
	n := 0
	for _, s := range list {
		n += int(unsafe.Sizeof(s)) + len(s)
	}
	return n
}
