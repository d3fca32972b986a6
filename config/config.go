// Package config holds the configuration of a run: every setting that decides what the run contains, with its presets
// and its checks. The packages pipeline and query import it, so that a finished run can be queried without the code
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
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
)

// Config is everything that decides what a run holds, and nothing else: not the number of workers, not the memory.
// It stands in the manifest, and a stopped run goes on only with the same one.
type Config struct {
	Preset string `json:"preset" toml:"preset"` // the preset that the rest began with
	Seed   uint64 `json:"seed" toml:"seed"`     // of all random choices

	Base         string    `json:"base" toml:"base"`           // URL of a folder of HTML
	Map          []string  `json:"map" toml:"map"`             // FIELD=COLUMN: columns of tables whose names do not tell what they are
	RulesVersion int       `json:"url_rules_version" toml:"-"` // of the rules of canonical URLs, which define the ids
	URLRules     []string  `json:"url_rules" toml:"url_rules"` // switches such as "-www" for the canonical form of URLs
	MaxPage      int64     `json:"max_page" toml:"max_page"`   // bytes of a decoded page that are read
	Captures     Captures  `json:"captures" toml:"captures"`   // of one URL: "newest" alone counts, or "all" are documents of their own
	Canonical    Canonical `json:"canonical" toml:"canonical"` // what a page names as its canonical URL: "record" it, or "trust" it as a redirect

	From   string   `json:"from" toml:"from"`     // captures fetched from this time on; empty: all
	To     string   `json:"to" toml:"to"`         // and up to the end of this one
	Status []string `json:"status" toml:"status"` // of HTTP; none is 200 alone
	Mime   []string `json:"mime" toml:"mime"`     // media types; none is all that can be read

	Views []string `json:"views" toml:"views"` // "topical", "syntactic", or both

	Language string `json:"language" toml:"language"` // of stemmer and stop list; "auto": of each page the one that it seems to be in
	Stem     bool   `json:"stem" toml:"stem"`
	Stop     string `json:"stop" toml:"stop"` // "snowball" or "none"

	Bags     Source             `json:"bags" toml:"bags"`                 // "anchors" or "content"
	Title    bool               `json:"title" toml:"title"`               // the page's own title is one more fragment
	NoFollow bool               `json:"nofollow" toml:"nofollow"`         // links marked nofollow, ugc or sponsored count too
	Window   int                `json:"window" toml:"window"`             // words on each side of a link
	Damping  anchors.Damping    `json:"damping" toml:"damping"`           // "none" or "log"
	Border   float64            `json:"border" toml:"border"`             // factor for words beyond the border of the anchor's block
	Heads    int                `json:"headings" toml:"headings"`         // headings above a link that count, from the nearest up
	Hosts    anchors.HostWeight `json:"host_damping" toml:"host_damping"` // pages of one host that link to a document: "none", "harmonic", "once"
	URLWords bool               `json:"url_words" toml:"url_words"`       // the words of a link's URL count too

	Weighting bags.Scheme `json:"weighting" toml:"weighting"` // "idf", "nmdf" or "none"
	TF        bags.TF     `json:"tf" toml:"tf"`               // "raw" or "log"
	Sum       int         `json:"bag_sum" toml:"bag_sum"`     // sum of the counts of a bag
	MinDF     uint32      `json:"min_df" toml:"min_df"`       // bags that a term must be in
	MaxDF     float64     `json:"max_df" toml:"max_df"`       // share of bags that a term may be in

	Signatures int          `json:"signatures" toml:"signatures"`         // m
	KeySize    int          `json:"key_size" toml:"key_size"`             // k
	Keys       int          `json:"keys" toml:"keys"`                     // l
	MaxBucket  int          `json:"max_bucket" toml:"max_bucket"`         // largest bucket that is paired all with all
	Reach      int          `json:"reach" toml:"reach"`                   // in larger ones: with the next so many
	Floor      float64      `json:"floor" toml:"floor"`                   // agreement that a stored pair of neighbours has
	Similarity float64      `json:"min_similarity" toml:"min_similarity"` // exact similarity that it has too
	Neighbours int          `json:"neighbours" toml:"neighbours"`         // a pair is stored if it is among the so many best of either; 0: all
	Threshold  float64      `json:"threshold" toml:"threshold"`           // exact similarity that a pair in a cluster has
	Order      center.Order `json:"order" toml:"order"`                   // of CENTER's scan: "id", "degree" or "similarity"

	Shingle     int     `json:"shingle" toml:"shingle"`               // w: words in a shingle
	Bits        int     `json:"bits" toml:"bits"`                     // of a shingle's fingerprint
	Tokens      string  `json:"tokens" toml:"-"`                      // what shingles are made of: fixed, recorded for readers of the manifest
	Labelled    bool    `json:"labelled" toml:"labelled"`             // shingles are labelled by occurrence: option A of [S2], else B
	Punctuation bool    `json:"punctuation" toml:"punctuation"`       // punctuation marks are tokens
	Modulus     uint64  `json:"modulus" toml:"modulus"`               // m of MOD_m: one shingle in m is sampled
	IndexOneIn  uint64  `json:"index_modulus" toml:"index_modulus"`   // one shingle in so many of a long page is in the index; 1: all; 0: all while there are at most 33.5 million, else about that many
	Resemblance float64 `json:"resemblance" toml:"resemblance"`       // exact resemblance of a stored pair, and of a link
	Containment float64 `json:"containment" toml:"containment"`       // exact containment of a pair stored for that alone; above 1: none
	LinkContain float64 `json:"link_contained" toml:"link_contained"` // containment that makes a link too; 0: none does
	MaxCommon   int     `json:"max_common" toml:"max_common"`         // pages beyond which a shingle is too common to pair
	Strip       Strip   `json:"strip" toml:"strip"`                   // "host": boilerplate of hosts is discounted; "none"
	Keep        Keep    `json:"keep,omitempty" toml:"keep"`           // "shingles": whole sets, compared exactly; "sketches": estimates
	Sketch      Sketch  `json:"sketch,omitempty" toml:"sketch"`       // of sketches: "mod", "min", "minmod" or "var"
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
		Language: text.Auto, Bags: FromAnchors, Title: true, Window: 32, Damping: anchors.LogDamping, Border: 0.5, Heads: 6, URLWords: true, Hosts: anchors.Harmonic,
		Weighting: bags.IDF, TF: bags.RawTF, Sum: 100, MinDF: 2, MaxDF: 1,
		Signatures: 80, KeySize: 2, Keys: 160, MaxBucket: 400, Reach: 0, Floor: 0.10,
		Similarity: 0.03, Neighbours: 50, Threshold: 0.10, Order: center.ByID,
	},
}

// The two views of a run.
const (
	Topical   = "topical"
	Syntactic = "syntactic"
)

// Captures says which captures of a URL a run holds.
type Captures string

// The values of Captures.
const (
	CapturesNewest Captures = "newest" // only the newest capture of a URL
	CapturesAll    Captures = "all"    // every capture, each as a document of its own
)

// Canonical says how a run treats the canonical URL that a page names.
type Canonical string

// The values of Canonical.
const (
	CanonicalRecord Canonical = "record" // it is stored with the page
	CanonicalTrust  Canonical = "trust"  // it is a redirect
)

// Source says where the words of a bag come from.
type Source string

// The values of Source.
const (
	FromAnchors Source = "anchors" // the words around the links to a document
	FromContent Source = "content" // the words of the document itself
)

// Strip says whose boilerplate is left out when pages are compared.
type Strip string

// The values of Strip.
const (
	StripHost Strip = "host" // shingles that most pages of a host share
	StripNone Strip = "none"
)

// Has tells whether a view is wanted.
func (c Config) Has(view string) bool { return slices.Contains(c.Views, view) }

// Shingles returns how texts become shingles. Each word is one token, however long it is, so that w is a number of
// words ([S2] 4.3 fixes tokens at 8 bytes, for speed; package shingles has both). The default settings are the zero
// value.
func (c Config) Shingles() shingles.Config {
	o := shingles.OptionB
	if c.Labelled {
		o = shingles.OptionA
	}
	return shingles.Config{W: c.Shingle, Bits: c.Bits, Option: o, Punct: c.Punctuation, Seed: c.Seed - 1}
}

// Policy returns which pairs of pages are links of syntactic clusters.
func (c Config) Policy() resemble.Policy {
	return resemble.Policy{Threshold: c.Resemblance, Containment: c.LinkContain}
}

// DefaultPreset is the preset that a command takes when none is named.
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

// Preset returns the configuration of that name.
func Preset(name string) (Config, error) {
	c, ok := presets[name]
	if !ok {
		return Config{}, fmt.Errorf("preset %q is none of %s", name, strings.Join(Presets(), ", "))
	}
	c.Preset, c.Seed, c.RulesVersion = name, 1, urls.RulesVersion
	c.Stem, c.Stop = true, "snowball"
	c.Hosts = cmp.Or(c.Hosts, anchors.EveryPage)
	c.MaxPage, c.Captures, c.Canonical = 16<<20, CapturesNewest, CanonicalRecord
	c.Views, c.Tokens = []string{Topical, Syntactic}, "Unicode words in lower case; characters where a script has no spaces"
	c.Shingle, c.Bits, c.Modulus, c.Resemblance, c.Containment, c.MaxCommon, c.Strip = 10, 40, 25, 0.5, 0.8, 1000, StripHost
	c.Keep = KeepShingles
	return c, nil
}

// AnchorWindow returns which words around a link belong to it.
func (c Config) AnchorWindow() anchors.Window {
	return anchors.Window{Width: c.Window, Damping: c.Damping, Border: c.Border, Heads: c.Heads}
}

// BagWeighting returns how the terms of a bag are weighted.
func (c Config) BagWeighting() bags.Weighting {
	return bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
}

// TextAnalysis returns how text becomes terms.
func (c Config) TextAnalysis() text.Analysis {
	return text.Analysis{Language: c.Language, Stem: c.Stem, Stop: c.Stop}
}

// Reading returns how inputs are read.
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

// Index returns the LSH index of the configuration.
func (c Config) Index() (*lsh.Index, error) {
	return lsh.NewIndex(c.Signatures, c.KeySize, c.Keys, c.Seed)
}

// Rules returns the rules for canonical URLs of the configuration.
func (c Config) Rules() (*urls.Rules, error) { return urls.ParseRules(c.URLRules...) }
