// Package config holds the configuration of a run: the settings that decide what the run contains, their presets and
// checks. Packages pipeline and query import it, so that a finished run can be queried without the code that builds
// one.
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
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Config holds the settings that decide what a run contains. The number of workers and the memory limit are not among
// them, because they change no table. The manifest records the configuration; a stopped run can be continued only
// with the same one. The table of settings explains the fields; those with a comment are not in it.
type Config struct {
	Preset string `json:"preset"` // preset that supplied the defaults
	Seed   uint64 `json:"seed"`

	Base         string    `json:"base"`
	CleanURLs    bool      `json:"clean_urls"`
	Map          []string  `json:"map"`
	RulesVersion int       `json:"url_rules_version"` // version of the rules for canonical URLs, which determine the ids
	URLRules     []string  `json:"url_rules"`
	MaxPage      int64     `json:"max_page"`
	Captures     Captures  `json:"captures"`
	Canonical    Canonical `json:"canonical"`

	From   string   `json:"from"`
	To     string   `json:"to"`
	Status []string `json:"status"`
	Mime   []string `json:"mime"`

	Views []string `json:"views"`

	Language string `json:"language"`
	Stem     bool   `json:"stem"`
	Stop     string `json:"stop"`

	Bags     Source             `json:"bags"`
	Title    bool               `json:"title"`
	Terms    int                `json:"content_terms"`
	NoFollow bool               `json:"nofollow"`
	Window   int                `json:"window"`
	Damping  anchors.Damping    `json:"damping"`
	Border   float64            `json:"border"`
	Heads    int                `json:"headings"`
	Hosts    anchors.HostWeight `json:"host_damping"`
	URLWords bool               `json:"url_words"`

	Weighting bags.Scheme `json:"weighting"`
	TF        bags.TF     `json:"tf"`
	Sum       int         `json:"bag_sum"`
	MinDF     uint32      `json:"min_df"`
	MaxDF     float64     `json:"max_df"`

	Signatures int          `json:"signatures"`
	KeySize    int          `json:"key_size"`
	Keys       int          `json:"keys"`
	MaxBucket  int          `json:"max_bucket"`
	Reach      int          `json:"reach"`
	Floor      float64      `json:"floor"`
	Similarity float64      `json:"min_similarity"`
	Neighbours int          `json:"neighbours"`
	Apart      int          `json:"apart"`
	Rounds     int          `json:"rounds"`
	Width      int          `json:"width"`
	Recall     float64      `json:"recall"`
	Threshold  float64      `json:"threshold"`
	Order      center.Order `json:"order"`

	Shingle     int     `json:"shingle"`
	Bits        int     `json:"bits"`
	Tokens      string  `json:"tokens"` // definition of a token; not a setting, recorded for readers of the manifest
	Labelled    bool    `json:"labelled"`
	Punctuation bool    `json:"punctuation"`
	Modulus     uint64  `json:"modulus"`
	Indexed     bool    `json:"index"`
	IndexOneIn  uint64  `json:"index_modulus"`
	Resemblance float64 `json:"resemblance"`
	Containment float64 `json:"containment"`
	LinkContain float64 `json:"link_contained"`
	MaxCommon   int     `json:"max_common"`
	Strip       Strip   `json:"strip"`
	Sketch      Sketch  `json:"sketch,omitempty"`
}

// The two views of a run.
const (
	Topical   = "topical"
	Syntactic = "syntactic"
)

// Captures chooses the captures of a URL that a run contains.
type Captures string

// The values of Captures.
const (
	CapturesNewest Captures = "newest" // only the newest capture of a URL
	CapturesAll    Captures = "all"    // every capture, as a separate document
)

// Canonical chooses how to treat the canonical URL that a page declares.
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
	FromLinks   Source = "links"   // the words around the links to a document
	FromContent Source = "content" // the words of the document itself
	FromBoth    Source = "both"    // both, each as a field of its own
)

// Strip chooses the boilerplate that comparisons of pages leave out.
type Strip string

// The values of Strip.
const (
	StripHost Strip = "host" // shingles that most pages of a host share
	StripNone Strip = "none"
)

// Has reports whether the run has a view.
func (c Config) Has(view string) bool { return slices.Contains(c.Views, view) }

// Shingles returns the configuration that turns texts into shingles. Each word is one token, however long it is, so
// that w is a number of words ([S2] 4.3 fixes tokens at 8 bytes for speed; package shingles supports both). For the
// default settings it is the zero value.
func (c Config) Shingles() shingles.Config {
	o := shingles.OptionB
	if c.Labelled {
		o = shingles.OptionA
	}
	return shingles.Config{W: c.Shingle, Bits: c.Bits, Option: o, Punct: c.Punctuation, Seed: c.Seed - 1}
}

// Policy returns the policy that decides which pairs of pages link syntactic clusters.
func (c Config) Policy() resemble.Policy {
	return resemble.Policy{Threshold: c.Resemblance, Containment: c.LinkContain}
}

// DefaultPreset is the preset that commands use unless another is named.
const DefaultPreset = "web"

// Presets lists the names of the presets.
func Presets() []string { return []string{"paper2000", "paper2002", DefaultPreset} }

// Preset returns the configuration of the named preset.
func Preset(name string) (Config, error) {
	i := slices.Index(Presets(), name)
	if i < 0 {
		return Config{}, fmt.Errorf("preset %q is not one of %s", name, strings.Join(Presets(), ", "))
	}
	c := preset(i)
	c.Preset, c.RulesVersion = name, urls.RulesVersion
	c.Tokens = "Unicode words in lower case; characters where a script has no spaces"
	return c, nil
}

// AnchorWindow returns the window of words around a link that belong to it.
func (c Config) AnchorWindow() anchors.Window {
	return anchors.Window{Width: c.Window, Damping: c.Damping, Border: c.Border, Heads: c.Heads}
}

// BagWeighting returns how the terms of a bag are weighted.
func (c Config) BagWeighting() bags.Weighting {
	return bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF, ContentTerms: c.Terms}
}

// TextAnalysis returns how text is turned into terms.
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
	return crawl.Options{Base: c.Base, Literal: !c.CleanURLs, Expanded: true, MaxPage: c.MaxPage, Rules: rules, Map: columns, Select: selected}, err
}

// Rules returns the rules for canonical URLs.
func (c Config) Rules() (*urls.Rules, error) { return urls.ParseRules(c.URLRules...) }

// Names of counts of the stage pair: the index that was used, and how many of the exact nearest neighbours of a
// sample the run stores.
const (
	CountKeySize   = "key_size"
	CountKeys      = "keys_of_a_bag"
	CountMaxBucket = "max_bucket"
	CountSample    = "sample"                   // nodes of the sample
	CountSampled   = "sample_neighbours"        // their exact nearest neighbours
	CountStored    = "sample_neighbours_stored" // how many of them are stored
)

// ChoosesIndex reports whether the run chooses the keys of the index by a sample of the crawl.
func (c Config) ChoosesIndex() bool { return c.Keys == 0 }

// WithIndex returns the configuration with the index that a run used, given the counts of its stage pair.
func (c Config) WithIndex(counts map[string]int64) Config {
	for name, to := range map[string]*int{CountKeySize: &c.KeySize, CountKeys: &c.Keys, CountMaxBucket: &c.MaxBucket} {
		if n, ok := counts[name]; ok {
			*to = int(n)
		}
	}
	return c
}

// Index returns the LSH index of the configuration. It has one key if the index has not been chosen yet.
func (c Config) Index() (*lsh.Index, error) {
	return lsh.NewIndex(c.Signatures, cmp.Or(c.KeySize, min(2, c.Signatures)), cmp.Or(c.Keys, 1), c.Seed)
}

// Sketch names the kind of the sketches that a run keeps. It is empty in a run that keeps whole sets.
type Sketch string

// The values of Sketch; see package shingles.
const (
	SketchMod    Sketch = "mod"
	SketchMin    Sketch = "min"
	SketchMinMod Sketch = "minmod"
	SketchVar    Sketch = "var"
)

// SketchSamples is the number of samples of the sketches min and minmod: 800 bytes per page.
const SketchSamples = 100

// Sketched reports whether the run keeps sketches of pages rather than whole sets of shingles.
func (c Config) Sketched() bool { return c.Sketch != "" }

// Sketcher returns the sketcher of the run.
func (c Config) Sketcher() shingles.Sketcher {
	for _, k := range shingles.Kinds() {
		if k.String() == string(c.Sketch) {
			return SketcherOf(k, c.Modulus)
		}
	}
	return shingles.Sketcher{}
}

// SketcherOf returns the sketcher for a kind of sketches in a run with this modulus. Parameters that the kind does
// not use are 0.
func SketcherOf(k shingles.Kind, modulus uint64) shingles.Sketcher {
	s := shingles.Sketcher{Kind: k}
	if k == shingles.Mod || k == shingles.MinMod {
		s.M = modulus
	}
	if k == shingles.Min || k == shingles.MinMod {
		s.S = SketchSamples
	}
	return s
}

// FitSketch leaves no boilerplate out, unless told to, if the kind of sketches does not allow it.
func (c *Config) FitSketch(given func(name string) bool) {
	if c.Sketched() && !c.Sketcher().Kind.Drops() && !given("strip") {
		c.Strip = StripNone
	}
}

// Stripped returns how boilerplate is found, or nil if it is not left out.
func (c Config) Stripped() *resemble.BoilerplateConfig {
	if c.Strip != StripHost {
		return nil
	}
	b := c.Boilerplate()
	return &b
}

// Boilerplate returns how boilerplate is found. In a run that keeps sketches, the least number of own shingles of a
// page is a number of samples, and smaller by the same factor.
func (c Config) Boilerplate() resemble.BoilerplateConfig {
	if !c.Sketched() {
		return resemble.BoilerplateConfig{}
	}
	return resemble.SketchBoilerplate(c.Sketcher())
}

// Pairs returns which pairs of pages to find, and with which resources.
func (c Config) Pairs(r resemble.Resources) resemble.Config {
	return resemble.Config{M: c.Modulus, Floor: c.Resemblance, Containment: c.Containment, MaxCommon: c.MaxCommon, Resources: r}
}

// sketching returns the conditions on the settings of sketches.
func (c Config) sketching() []condition {
	none, kind := !c.Sketched(), c.Sketcher().Kind
	return []condition{
		{none || kind.Drops() || c.Strip == StripNone, SettingError{"strip", string(c.Strip), fmt.Sprintf("must be none with sketch=%s: boilerplate cannot be dropped from a sketch of the smallest shingles, since what it pushed out is gone", c.Sketch)}},
		{none || kind.Containment() || c.LinkContain == 0, SettingError{"link_contained", fmt.Sprint(c.LinkContain), fmt.Sprintf("must be 0 with sketch=%s, which estimates resemblance only", c.Sketch)}},
		{none || c.IndexOneIn <= 1, SettingError{"index_modulus", fmt.Sprint(c.IndexOneIn), "must be 0 or 1 with sketch: the index holds every sample"}},
	}
}
