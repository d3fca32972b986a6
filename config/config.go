// Package config holds the configuration of a run: the settings that decide what the run contains, with their presets
// and checks. The packages pipeline and query import it, so that a finished run can be queried without the code
// that builds one.
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
)

// Config holds the settings that decide what a run contains. The number of workers and the memory limit are not among
// them, because they change no table. The manifest records the configuration, and a stopped run can be continued only
// with the same one.
type Config struct {
	Preset string `json:"preset" toml:"preset"` // preset that supplied the defaults
	Seed   uint64 `json:"seed" toml:"seed"`     // seed of all random choices

	Base         string    `json:"base" toml:"base"`           // URL of the top folder of a folder of HTML
	Map          []string  `json:"map" toml:"map"`             // FIELD=COLUMN for columns of tables whose names do not tell their meaning
	RulesVersion int       `json:"url_rules_version" toml:"-"` // version of the rules for canonical URLs, from which the ids follow
	URLRules     []string  `json:"url_rules" toml:"url_rules"` // switches for these rules, such as "-www"
	MaxPage      int64     `json:"max_page" toml:"max_page"`   // maximum number of bytes read of a decoded page
	Captures     Captures  `json:"captures" toml:"captures"`   // whether a URL has one document or one for each capture
	Canonical    Canonical `json:"canonical" toml:"canonical"` // whether a canonical link is a redirect

	From   string   `json:"from" toml:"from"`     // time of the earliest captures to read; empty for no limit
	To     string   `json:"to" toml:"to"`         // time of the latest captures to read, inclusive; empty for no limit
	Status []string `json:"status" toml:"status"` // HTTP statuses to read; empty for 200 only
	Mime   []string `json:"mime" toml:"mime"`     // media types to read; empty for all types that can be read

	Views []string `json:"views" toml:"views"` // Topical, Syntactic, or both

	Language string `json:"language" toml:"language"` // language of the stemmer and the stop list; "auto" detects it for each page
	Stem     bool   `json:"stem" toml:"stem"`         // whether terms are stems
	Stop     string `json:"stop" toml:"stop"`         // stop list: "snowball" or "none"

	Bags     Source             `json:"bags" toml:"bags"`                   // source of the words of a bag
	Title    bool               `json:"title" toml:"title"`                 // whether the title of a page is added to its own bag
	Content  float64            `json:"content" toml:"content"`             // weight of the content of a page in its own bag, as a number of linking pages; 0 for none
	Terms    int                `json:"content_terms" toml:"content_terms"` // number of terms of its content that a bag takes, the best ones
	NoFollow bool               `json:"nofollow" toml:"nofollow"`           // whether links marked nofollow, ugc or sponsored are used
	Window   int                `json:"window" toml:"window"`               // number of words on each side of a link
	Damping  anchors.Damping    `json:"damping" toml:"damping"`             // how weights fall with the distance from the link: "none" or "log"
	Border   float64            `json:"border" toml:"border"`               // factor for words outside the block of the anchor
	Heads    int                `json:"headings" toml:"headings"`           // number of headings above a link that are used, nearest first
	Hosts    anchors.HostWeight `json:"host_damping" toml:"host_damping"`   // weight of several pages of one host that link to a document: "none", "harmonic" or "once"
	URLWords bool               `json:"url_words" toml:"url_words"`         // whether the words of a link's URL are used

	Weighting bags.Scheme `json:"weighting" toml:"weighting"` // "idf", "nmdf" or "none"
	TF        bags.TF     `json:"tf" toml:"tf"`               // term frequency: "raw" or "log"
	Sum       int         `json:"bag_sum" toml:"bag_sum"`     // sum of the counts of a bag
	MinDF     uint32      `json:"min_df" toml:"min_df"`       // minimum number of bags that contain a term of the dictionary
	MaxDF     float64     `json:"max_df" toml:"max_df"`       // maximum share of bags that contain a term of the dictionary

	Signatures int          `json:"signatures" toml:"signatures"`         // signatures of a bag; m in [S3]
	KeySize    int          `json:"key_size" toml:"key_size"`             // signatures of a key; k in [S3]; 0 to choose it with Keys
	Keys       int          `json:"keys" toml:"keys"`                     // keys of a bag; l in [S3]; 0 to choose them by a sample of the crawl
	MaxBucket  int          `json:"max_bucket" toml:"max_bucket"`         // size of the largest bucket in which all pairs are formed; 0 to choose it with Keys
	Reach      int          `json:"reach" toml:"reach"`                   // number of next nodes that a node of a larger bucket is paired with
	Floor      float64      `json:"floor" toml:"floor"`                   // minimum agreement of a stored pair
	Similarity float64      `json:"min_similarity" toml:"min_similarity"` // minimum exact similarity of a stored pair
	Neighbours int          `json:"neighbours" toml:"neighbours"`         // a pair is stored if it is among this many nearest of either node; 0 for no limit
	Apart      int          `json:"apart" toml:"apart"`                   // a pair is also stored if it is among this many nearest of either node to which no page links together with the node
	Rounds     int          `json:"rounds" toml:"rounds"`                 // rounds in which neighbours of neighbours are compared, if Neighbours is not 0
	Width      int          `json:"width" toml:"width"`                   // neighbours that a round expands, and neighbours of each that it considers
	Recall     float64      `json:"recall" toml:"recall"`                 // share of the ten nearest neighbours that the run should store; the index is chosen by it if Keys is 0
	Threshold  float64      `json:"threshold" toml:"threshold"`           // minimum exact similarity of a pair in a topical cluster
	Order      center.Order `json:"order" toml:"order"`                   // order of CENTER's scan: "id", "degree" or "similarity"
	Tree       []float64    `json:"tree" toml:"tree"`                     // minimum average similarity of clusters that each level of their tree joins, from the lowest level up; none: no tree

	Shingle     int     `json:"shingle" toml:"shingle"`               // words of a shingle; w in [S1]
	Bits        int     `json:"bits" toml:"bits"`                     // bits of the fingerprint of a shingle
	Tokens      string  `json:"tokens" toml:"-"`                      // what a token is; not a setting, recorded for readers of the manifest
	Labelled    bool    `json:"labelled" toml:"labelled"`             // whether repeated shingles are labelled: option A of [S2], otherwise option B
	Punctuation bool    `json:"punctuation" toml:"punctuation"`       // whether punctuation marks are tokens
	Modulus     uint64  `json:"modulus" toml:"modulus"`               // one shingle in Modulus is sampled; m of MOD_m
	IndexOneIn  uint64  `json:"index_modulus" toml:"index_modulus"`   // one shingle in IndexOneIn of a long page is indexed; 0 indexes at most about 33.5 million in all
	Resemblance float64 `json:"resemblance" toml:"resemblance"`       // minimum resemblance of a stored pair, and of a link
	Containment float64 `json:"containment" toml:"containment"`       // minimum containment of a pair stored for its containment alone; above 1 for none
	LinkContain float64 `json:"link_contained" toml:"link_contained"` // minimum containment of a link; 0 for links by resemblance only
	MaxCommon   int     `json:"max_common" toml:"max_common"`         // maximum number of pages that are paired because they share a shingle
	Strip       Strip   `json:"strip" toml:"strip"`                   // whether the boilerplate of hosts is left out of comparisons
	Keep        Keep    `json:"keep,omitempty" toml:"keep"`           // whether whole sets of shingles or sketches are stored
	Sketch      Sketch  `json:"sketch,omitempty" toml:"sketch"`       // kind of the sketches: "mod", "min", "minmod" or "var"
}

var presets = map[string]Config{
	"paper2000": {
		Language: "english", Bags: FromAnchors, Title: true, Window: 8, Damping: anchors.NoDamping, Border: 1,
		Weighting: bags.IDF, TF: bags.RawTF, Sum: 100, MinDF: 2, MaxDF: 0.10,
		Signatures: 80, KeySize: 3, Keys: 125, MaxBucket: 1000, Reach: 8, Floor: 0.20, Threshold: 0, Order: center.ByID,
	},
	"paper2002": {
		Language: "english", Bags: FromAnchors, Title: true, Window: 32, Damping: anchors.LogDamping, Border: 1,
		Weighting: bags.NMDF, TF: bags.RawTF, Sum: 100, MinDF: 2, MaxDF: 0.10,
		Signatures: 80, KeySize: 3, Keys: 125, MaxBucket: 1000, Reach: 8, Floor: 0.20, Threshold: 0, Order: center.ByID,
	},
	"web": {
		Language: text.Auto, Bags: FromAnchors, Title: true, Content: 2, Window: 32, Damping: anchors.LogDamping, Border: 0.5, Heads: 6, URLWords: true, Hosts: anchors.Harmonic,
		Weighting: bags.IDF, TF: bags.RawTF, Sum: 100, MinDF: 2, MaxDF: 1,
		Signatures: 80, Reach: 0, Floor: 0.05, Recall: 0.95,
		Similarity: 0.03, Neighbours: 25, Apart: 25, Rounds: 1, Width: 50, Threshold: 0.10, Order: center.ByDegree,
		Tree: []float64{0.03, 0.01, 0.003, 0.001, 0.0003},
	},
}

// The two views of a run.
const (
	Topical   = "topical"
	Syntactic = "syntactic"
)

// Captures is a choice of the captures of a URL that a run holds.
type Captures string

// The values of Captures.
const (
	CapturesNewest Captures = "newest" // only the newest capture of a URL
	CapturesAll    Captures = "all"    // every capture as a separate document
)

// Canonical is a way to treat the canonical URL that a page names.
type Canonical string

// The values of Canonical.
const (
	CanonicalRecord Canonical = "record" // store it with the page
	CanonicalTrust  Canonical = "trust"  // treat it as a redirect
)

// Source is a source of the words of a bag.
type Source string

// The values of Source.
const (
	FromAnchors Source = "anchors" // the words around the links to a document
	FromContent Source = "content" // the words of the document itself
)

// Strip is a choice of the boilerplate that is left out when pages are compared.
type Strip string

// The values of Strip.
const (
	StripHost Strip = "host" // shingles that most pages of a host share
	StripNone Strip = "none"
)

// Has reports whether the run has a view.
func (c Config) Has(view string) bool { return slices.Contains(c.Views, view) }

// Shingles returns the configuration that turns texts into shingles. Each word is one token, however long it is, so
// that w is a number of words ([S2] 4.3 fixes tokens at 8 bytes, for speed; package shingles has both). The default
// settings are the zero value.
func (c Config) Shingles() shingles.Config {
	o := shingles.OptionB
	if c.Labelled {
		o = shingles.OptionA
	}
	return shingles.Config{W: c.Shingle, Bits: c.Bits, Option: o, Punct: c.Punctuation, Seed: c.Seed - 1}
}

// Policy returns the policy that decides which pairs of pages are links of syntactic clusters.
func (c Config) Policy() resemble.Policy {
	return resemble.Policy{Threshold: c.Resemblance, Containment: c.LinkContain}
}

// DefaultPreset is the preset that commands use if no other is named.
const DefaultPreset = "web"

// Presets lists the names of the presets, sorted.
func Presets() []string {
	var names []string
	for n := range presets {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Preset returns the configuration of the preset with that name.
func Preset(name string) (Config, error) {
	c, ok := presets[name]
	if !ok {
		return Config{}, fmt.Errorf("preset %q is not one of %s", name, strings.Join(Presets(), ", "))
	}
	c.Preset, c.Seed, c.RulesVersion = name, 1, urls.RulesVersion
	c.Stem, c.Stop = true, "snowball"
	c.Hosts = cmp.Or(c.Hosts, anchors.EveryPage)
	c.MaxPage, c.Captures, c.Canonical = 16<<20, CapturesNewest, CanonicalRecord
	c.Views, c.Tokens = []string{Topical, Syntactic}, "Unicode words in lower case; characters where a script has no spaces"
	c.Shingle, c.Bits, c.Modulus, c.Resemblance, c.Containment, c.MaxCommon, c.Strip = 10, 40, 25, 0.5, 0.8, 1000, StripHost
	c.Keep = KeepShingles
	c.Terms = 60
	c.Tree = slices.Clone(c.Tree)
	return c, nil
}

// AnchorWindow returns the window that decides which words around a link belong to it.
func (c Config) AnchorWindow() anchors.Window {
	return anchors.Window{Width: c.Window, Damping: c.Damping, Border: c.Border, Heads: c.Heads}
}

// BagWeighting returns the settings by which the terms of a bag are weighted.
func (c Config) BagWeighting() bags.Weighting {
	return bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF, Content: c.Content, ContentTerms: c.Terms}
}

// TakesContent reports whether bags of anchors take words of the documents themselves, beside their titles.
func (c Config) TakesContent() bool { return c.Bags == FromAnchors && c.Content > 0 }

// TextAnalysis returns the settings by which text becomes terms.
func (c Config) TextAnalysis() text.Analysis {
	return text.Analysis{Language: c.Language, Stem: c.Stem, Stop: c.Stop}
}

// Reading returns the options for reading the inputs.
func (c Config) Reading() (crawl.Options, error) {
	rules, err := urls.ParseRules(c.URLRules...)
	if err != nil {
		return crawl.Options{}, err
	}
	columns, err := crawl.ParseMap(c.Map...)
	if err != nil {
		return crawl.Options{}, err
	}
	selected, err := crawl.ParseSelection(c.From, c.To, c.Status, c.Mime)
	return crawl.Options{Base: c.Base, MaxPage: c.MaxPage, Rules: rules, Map: columns, Select: selected}, err
}

// Rules returns the rules for canonical URLs of the configuration.
func (c Config) Rules() (*urls.Rules, error) { return urls.ParseRules(c.URLRules...) }
