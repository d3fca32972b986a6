package run

// These are the rows of the Parquet tables. Columns have the names of Common Crawl's index where it has them. If you
// change a column, the golden schema in testdata changes, and the format needs a new FormatVersion.

// Names of the Parquet tables.
const (
	PagesTable             = "pages.parquet"
	RedirectsTable         = "redirects.parquet"
	TopicalPairsTable      = "topical_pairs.parquet"
	TopicalClustersTable   = "topical_clusters.parquet"
	TopicalTreeTable       = "topical_tree.parquet"
	SyntacticPairsTable    = "syntactic_pairs.parquet"
	SyntacticClustersTable = "syntactic_clusters.parquet"
)

// Row is a row of any table of this package.
type Row interface {
	PageRow | RedirectRow | TopicalPairRow | TopicalClusterRow | TopicalTreeRow | SyntacticPairRow | SyntacticClusterRow | SyntacticEstimateRow | ChangeRow | SharedRow
	size() int
}

// PageRow is one document, crawled or only linked to.
type PageRow struct {
	ID                 int64    `parquet:"id,delta"`
	URL                string   `parquet:"url"`
	URLSurtkey         string   `parquet:"url_surtkey"`
	URLHostName        string   `parquet:"url_host_name"`
	FetchTime          int64    `parquet:"fetch_time,optional,timestamp(millisecond)"` // ms since 1970, UTC; 0 is null
	Title              string   `parquet:"title,optional"`                             // empty is null, as in the other optional columns
	ContentDigest      string   `parquet:"content_digest,optional"`
	NTokens            int32    `parquet:"n_tokens"`
	NShingles          int32    `parquet:"n_shingles"`
	NInlinks           int32    `parquet:"n_inlinks"`
	NInlinkHosts       int32    `parquet:"n_inlink_hosts"`
	TopicalClusterID   string   `parquet:"topical_cluster_id,optional"`   // 16 hex digits; null if the document is not in this view
	SyntacticClusterID string   `parquet:"syntactic_cluster_id,optional"` // same
	Language           string   `parquet:"language,optional"`             // the language that the page seems to be in
	Label              string   `parquet:"label,optional"`                // why the page is not content
	NoIndex            bool     `parquet:"noindex"`                       // the page asks to be left out of indexes
	CanonicalURL       string   `parquet:"canonical_url,optional"`        // the URL that the page names, if it is another one
	Hreflang           []string `parquet:"hreflang,list"`                 // other languages of the page, as it states them: "LANGUAGE URL"
	Crawled            bool     `parquet:"crawled"`                       // false if the document is only linked to
	Input              string   `parquet:"input,optional"`                // path of the input that holds the page, as in the manifest
}

// RedirectRow is a URL that redirects to another one.
type RedirectRow struct {
	URL       string `parquet:"url"`
	TargetURL string `parquet:"target_url"` // where the last step ends
	Hops      int32  `parquet:"hops"`
	Kind      string `parquet:"kind"`                                       // of the first step: http, refresh or canonical
	FetchTime int64  `parquet:"fetch_time,optional,timestamp(millisecond)"` // ms since 1970, UTC, of the first step; 0 is null
}

// TopicalPairRow is one pair of the topical view.
type TopicalPairRow struct {
	URLA       string  `parquet:"url_a"`
	URLB       string  `parquet:"url_b"`
	Agreement  float32 `parquet:"agreement"`  // share of equal signatures
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
	URLA          string  `parquet:"url_a"`
	URLB          string  `parquet:"url_b"`
	Resemblance   float32 `parquet:"resemblance"`
	ContainmentAB float32 `parquet:"containment_ab"` // share of a's shingles that b has
	ContainmentBA float32 `parquet:"containment_ba"`
	Relation      string  `parquet:"relation"` // identical, lexical, shingle or similar
}

// SyntacticClusterRow is one member of a cluster of near-duplicates.
type SyntacticClusterRow struct {
	URL              string `parquet:"url"`
	ClusterID        string `parquet:"cluster_id"` // 16 hex digits, a function of the representative's URL
	ClusterSize      int32  `parquet:"cluster_size"`
	IsRepresentative bool   `parquet:"is_representative"`
	Relation         string `parquet:"relation"` // identical, lexical, shingle or similar
}
