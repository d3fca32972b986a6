package config

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/minhash"
)

// Setting is a row of the table of settings. Flags, TOML files, lshclust config, validation, the
// arguments of Python and the comparison of runs are derived from it. A new setting is a field of Config and a row.
type Setting struct {
	Name   string   // as in the manifest; the name of a field of Config in JSON
	Group  string   // heading in lists
	Stage  string   // first stage whose tables it changes; empty for the inputs
	Preset Defaults // values in the presets
	Values rule
	Help   string // with the placeholder for a value in backquotes
	Often  bool   // whether it has its own flag in --help; others are given with --set
	Later  bool   // whether lshclust clusters can apply another value to a finished run
	Alike  Alike  // which comparisons of two runs require the same value
}

// Defaults are the values of a setting in the presets, in the order of Presets. nil stands for the zero value.
type Defaults [3]any

// same returns Defaults with one value for all presets.
func same(v any) Defaults { return Defaults{v, v, v} }

// Alike says which comparisons require that two runs share a setting.
type Alike int

// The values of Alike; 0 means none.
const (
	AlikePages Alike = 1 + iota // changed and moved pages, which involve titles, links and bags
	AlikeTexts                  // texts alone, too, as in files of sketches
)

// The headings of settings.
const (
	GroupOften     = "Common flags"
	GroupInput     = "Input"
	GroupBags      = "Topical view: bags"
	GroupIndex     = "Topical view: index and clusters"
	GroupSyntactic = "Syntactic view"
)

var settings = []Setting{
	{Name: "views", Group: GroupOften, Preset: same([]string{Topical, Syntactic}), Values: someOf(Topical, Syntactic), Often: true, Alike: AlikePages,
		Help: "`VIEWS` to build: topical, syntactic or both"},
	{Name: "bags", Group: GroupOften, Stage: "read", Preset: Defaults{FromLinks, FromLinks, FromBoth}, Values: oneOf(FromLinks, FromContent, FromBoth), Often: true, Alike: AlikePages,
		Help: "`WHAT` bags are made of: links (the words around the links to a page), content (all words of the page itself), or both (a field for each)"},
	{Name: "base", Group: GroupOften, Values: aBase, Often: true,
		Help: "`URL` of the top of a folder of HTML"},
	{Name: "language", Group: GroupOften, Stage: "read", Preset: Defaults{"english", "english", text.Auto}, Values: language, Often: true, Alike: AlikePages,
		Help: "`LANGUAGE` of the stemmer and the stop words: auto (the language that each page seems to be in; neither for a page of unknown language), one of those below, or several with commas between them (the first for a page that shows none of them): " + strings.Join(text.Languages(), ", ")},
	{Name: "captures", Group: GroupOften, Stage: "read", Preset: same(CapturesNewest), Values: oneOf(CapturesNewest, CapturesAll), Often: true, Alike: AlikeTexts,
		Help: "`WHICH` captures of a URL to keep: newest (among equal times, the one in the later input), or all, each as a document named URL#time or URL#digest that no link points to"},
	{Name: "threshold", Group: GroupOften, Stage: "cluster", Preset: Defaults{0, 0, 0.10}, Values: between(0.0, 1), Often: true, Later: true,
		Help: "a member of a topical cluster has an exact similarity of at least `S` to its center"},
	{Name: "resemblance", Group: GroupOften, Stage: "resemble", Preset: same(0.5), Values: above0(1), Often: true, Later: true,
		Help: "a syntactic cluster links pages with an exact resemblance of at least `R`"},

	{Name: "map", Group: GroupInput, Values: columns, Often: true,
		Help: "read a field from a column of a table or of JSON whose name is not recognised: `FIELD=COLUMN`, such as url=metadata.source; may be given several times"},
	{Name: "clean_urls", Group: GroupInput, Stage: "read", Preset: same(true), Values: yesOrNo, Alike: AlikeTexts,
		Help: "guide.html in a folder is /guide where its canonical link, the sitemap or most links say so"},
	{Name: "url_rules", Group: GroupInput, Stage: "read", Values: switches, Alike: AlikeTexts,
		Help: "switch off `RULES` for canonical URLs, such as -www"},
	{Name: "canonical", Group: GroupInput, Stage: "read", Preset: same(CanonicalRecord), Values: oneOf(CanonicalRecord, CanonicalTrust),
		Help: "`HOW` to treat the canonical URL that a page names: record it, or trust it, which treats links to the page as links to that URL"},
	{Name: "from", Group: GroupInput, Values: aTime, Often: true,
		Help: "leave out captures before this `TIME`: 2020, 2020-05-17, 20200517120000"},
	{Name: "to", Group: GroupInput, Values: aTime, Often: true,
		Help: "leave out captures after the end of this `TIME`"},
	{Name: "status", Group: GroupInput, Values: statuses,
		Help: "read only captures with one of these HTTP `STATUSES` (default 200)"},
	{Name: "mime", Group: GroupInput, Values: anything, Often: true,
		Help: "read only captures with one of these media `TYPES` (default all that can be read)"},
	{Name: "max_page", Group: GroupInput, Stage: "read", Preset: same(16 << 20), Values: size(1, LargestPage),
		Help: "read at most `SIZE` of a page, and leave out the rest"},

	{Name: "window", Group: GroupBags, Stage: "read", Preset: Defaults{8, 32, 32}, Values: between(0, 1000), Alike: AlikePages,
		Help: "the window has `WORDS` words on each side of a link"},
	{Name: "damping", Group: GroupBags, Stage: "read", Preset: Defaults{anchors.NoDamping, anchors.LogDamping, anchors.LogDamping}, Values: oneOf(anchors.NoDamping, anchors.LogDamping),
		Help: "`HOW` the weight of a word falls with its distance from the link: none or log"},
	{Name: "border", Group: GroupBags, Stage: "read", Preset: Defaults{1, 1, 0.5}, Values: between(0.0, 1),
		Help: "multiply the weight of words outside the block of the link by `F`: 1 ignores the border of the block, 0 cuts the window there"},
	{Name: "headings", Group: GroupBags, Stage: "read", Preset: Defaults{0, 0, 6}, Values: between(0, 6),
		Help: "treat the nearest `N` headings above a link, each from a higher level, like its anchor"},
	{Name: "url_words", Group: GroupBags, Stage: "read", Preset: Defaults{false, false, true}, Values: yesOrNo, Alike: AlikePages,
		Help: "treat the words of a link's URL like its anchor"},
	{Name: "title", Group: GroupBags, Stage: "read", Preset: same(true), Values: yesOrNo, Alike: AlikePages,
		Help: "use the title of a page: as part of its content or, if bags are made of links, like a link to the page"},
	{Name: "content_terms", Group: GroupBags, Stage: "weigh", Preset: same(60), Values: between(1, anchors.ContentTerms),
		Help: "with bags=both, use at most `N` terms of the content of a page, the heaviest"},
	{Name: "nofollow", Group: GroupBags, Stage: "read", Preset: same(false), Values: yesOrNo,
		Help: "use links marked nofollow, ugc or sponsored too"},
	{Name: "host_damping", Group: GroupBags, Stage: "group", Preset: Defaults{anchors.EveryPage, anchors.EveryPage, anchors.Harmonic}, Values: oneOf(anchors.EveryPage, anchors.Harmonic, anchors.OnePage),
		Help: "`HOW` to weigh n pages of one host that link to a document: none (n), harmonic (1+1/2+…+1/n), once (1)"},
	{Name: "stem", Group: GroupBags, Stage: "read", Preset: same(true), Values: yesOrNo, Alike: AlikePages,
		Help: "reduce words to their stems"},
	{Name: "stop", Group: GroupBags, Stage: "read", Preset: same("snowball"), Values: oneOf("snowball", "none"), Alike: AlikePages,
		Help: "leave out the stop words of `LIST`: snowball or none"},
	{Name: "weighting", Group: GroupBags, Stage: "weigh", Preset: Defaults{bags.IDF, bags.NMDF, bags.IDF}, Values: oneOf(bags.Schemes...),
		Help: "`SCHEME` that weighs a term by the number of bags that have it: " + either(bags.Schemes)},
	{Name: "tf", Group: GroupBags, Stage: "weigh", Preset: same(bags.RawTF), Values: oneOf(bags.RawTF, bags.LogTF),
		Help: "`HOW` to weigh the count of a term in a bag: raw or log"},
	{Name: "bag_sum", Group: GroupBags, Stage: "weigh", Preset: same(100), Values: between(1, bags.MaxSum), Alike: AlikePages,
		Help: "scale the counts of each field of a bag to the sum `N`"},
	{Name: "min_df", Group: GroupBags, Stage: "weigh", Preset: same(2), Values: between(uint32(0), math.MaxUint32),
		Help: "leave out terms in fewer than `N` bags"},
	{Name: "max_df", Group: GroupBags, Stage: "weigh", Preset: Defaults{0.10, 0.10, 1}, Values: above0(1),
		Help: "leave out terms in more than this `SHARE` of the bags"},

	{Name: "signatures", Group: GroupIndex, Stage: "sign", Preset: same(80), Values: between(1, minhash.MaxMask),
		Help: "compute `m` min-hash signatures for each bag"},
	{Name: "key_size", Group: GroupIndex, Stage: "pair", Preset: Defaults{3, 3, 0}, Values: between(0, minhash.MaxMask),
		Help: "make a key of `k` signatures; 0: as keys=0 chooses"},
	{Name: "keys", Group: GroupIndex, Stage: "pair", Preset: Defaults{125, 125, 0}, Values: between(0, maxNumber),
		Help: "make `l` keys for each bag; 0: choose k, l and the largest bucket by a sample of the crawl"},
	{Name: "max_bucket", Group: GroupIndex, Stage: "pair", Preset: Defaults{1000, 1000, 0}, Values: between(0, maxNumber),
		Help: "pair all with all in buckets of at most `N` distinct bags; 0: as keys=0 chooses"},
	{Name: "reach", Group: GroupIndex, Stage: "pair", Preset: Defaults{8, 8, 0}, Values: between(0, maxNumber),
		Help: "in larger buckets, pair each with the first and with the next `N`"},
	{Name: "floor", Group: GroupIndex, Stage: "pair", Preset: Defaults{0.20, 0.20, 0.05}, Values: between(0.0, 1),
		Help: "let pairs of the index through that have a share of at least `S` equal signatures"},
	{Name: "min_similarity", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 0.03}, Values: between(0.0, 1),
		Help: "store pairs with an exact similarity of at least `S`"},
	{Name: "neighbours", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 25}, Values: between(0, maxNumber),
		Help: "store a pair if it is among the `N` most similar of either document; 0: store all"},
	{Name: "apart", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 25}, Values: between(0, maxNumber),
		Help: "also store the `N` most similar of those that no page links to together with the document"},
	{Name: "rounds", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 1}, Values: between(0, 10),
		Help: "compare each document with the neighbours of its neighbours, `N` times"},
	{Name: "width", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 50}, Values: between(0, maxNumber),
		Help: "in such a round, consider the `N` nearest neighbours of each of the N nearest"},
	{Name: "recall", Group: GroupIndex, Stage: "pair", Preset: Defaults{0, 0, 0.95}, Values: between(0, 0.999),
		Help: "choose the index so that this `SHARE` of the ten nearest neighbours is stored (measured on a sample)"},
	{Name: "order", Group: GroupIndex, Stage: "cluster", Preset: Defaults{center.ByID, center.ByID, center.ByDegree}, Values: oneOf(center.Orders...), Later: true,
		Help: "`ORDER` in which CENTER scans the documents: " + either(center.Orders)},
	{Name: "seed", Group: GroupIndex, Stage: "read", Preset: same(1), Values: between(uint64(0), math.MaxUint64), Alike: AlikeTexts,
		Help: "`SEED` of all random choices"},

	{Name: "shingle", Group: GroupSyntactic, Stage: "read", Preset: same(10), Values: between(1, 64), Alike: AlikeTexts,
		Help: "make shingles of `WORDS` words, w"},
	{Name: "sketch", Group: GroupSyntactic, Stage: "read", Values: oneOf("", SketchMod, SketchMin, SketchMinMod, SketchVar), Alike: AlikeTexts,
		Help: "keep of the shingles of a page a sketch of this `KIND`, with about 100 of them, from which resemblance and containment are estimated, for crawls whose shingles no disk would hold; without a kind all are kept, and pairs compared exactly: mod (one shingle in m), min (the 100 smallest), minmod (the 100 smallest of one in m), var (50 to 100, one in 2^i by the size of the page); min and minmod estimate resemblance only, and imply strip=none"},
	{Name: "modulus", Group: GroupSyntactic, Stage: "resemble", Preset: same(25), Values: modulus(1), Alike: AlikeTexts,
		Help: "sample one shingle in `m`"},
	{Name: "index", Group: GroupSyntactic, Stage: "index", Preset: same(true), Values: yesOrNo,
		Help: "build the index that lshclust query searches; without it, query compares every page, which takes a second for a million short ones, and building takes a tenth less"},
	{Name: "index_modulus", Group: GroupSyntactic, Stage: "index", Values: modulus(0),
		Help: "put one shingle in `m` of long pages into the index that lshclust query searches; 1: all shingles; 0: all if there are at most 33.5 million, else about that many"},
	{Name: "bits", Group: GroupSyntactic, Stage: "read", Preset: same(40), Values: between(16, 64), Alike: AlikeTexts,
		Help: "make fingerprints of shingles of `BITS` bits"},
	{Name: "labelled", Group: GroupSyntactic, Stage: "read", Preset: same(false), Values: yesOrNo, Alike: AlikeTexts,
		Help: "number the occurrences of a shingle (option A of Broder 1997), so that repetitions matter"},
	{Name: "punctuation", Group: GroupSyntactic, Stage: "read", Preset: same(false), Values: yesOrNo, Alike: AlikeTexts,
		Help: "treat punctuation marks as words"},
	{Name: "containment", Group: GroupSyntactic, Stage: "resemble", Preset: same(0.8), Values: above0(maxNumber),
		Help: "also store a pair with an exact containment of at least `C`"},
	{Name: "link_contained", Group: GroupSyntactic, Stage: "union", Values: between(0.0, 1), Later: true,
		Help: "a syntactic cluster also links pages if one contains at least a share `C` of the other; 0: never"},
	{Name: "max_common", Group: GroupSyntactic, Stage: "resemble", Preset: same(1000), Values: between(2, maxNumber),
		Help: "pair the pages of a shingle that is in more than `N` pages in part, unless there are few such pairs"},
	{Name: "strip", Group: GroupSyntactic, Stage: "equal", Preset: same(StripHost), Values: oneOf(StripHost, StripNone), Alike: AlikeTexts,
		Help: "leave `WHOSE` boilerplate out of comparisons: host or none"},
}

// Settings returns the table of settings in the order of lists.
func Settings() []Setting { return slices.Clone(settings) }

// Find returns the named setting. Hyphens, as in flags, are equivalent to underscores.
func Find(name string) (Setting, error) {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return settings[i], nil
	}
	return Setting{}, fmt.Errorf("there is no setting %q", name)
}

// field returns the field of a configuration for a setting.
func (s Setting) field(c *Config) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name == s.Name {
			return v.Field(i)
		}
	}
	panic("config: no field for the setting " + s.Name) // a mistake in the table, which every test would find
}

// Pointer returns a pointer to the field of a configuration for a setting.
func (s Setting) Pointer(c *Config) any { return s.field(c).Addr().Interface() }

// Type returns the type of the values: string, boolean, integer, number, size or strings.
func (s Setting) Type() string {
	if s.Values.size {
		return "size"
	}
	switch s.field(new(Config)).Interface().(type) {
	case []string:
		return "strings"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case int, uint32, uint64:
		return "integer"
	}
	return "string"
}

// Text formats the value of the setting in a configuration as Set parses it.
func (s Setting) Text(c Config) string {
	switch v := s.field(&c).Interface().(type) {
	case []string:
		return strings.Join(v, ",")
	case int64:
		return FormatSize(v)
	default:
		return fmt.Sprint(v)
	}
}

// JSON returns the value of the setting in a configuration as JSON. An empty list is [].
func (s Setting) JSON(c Config) json.RawMessage {
	f := s.field(&c)
	if f.Kind() == reflect.Slice && f.IsNil() {
		return json.RawMessage("[]")
	}
	raw, err := json.Marshal(f.Interface())
	if err != nil {
		panic(err) // texts, numbers and lists of these
	}
	return raw
}

// Arg returns the argument of lshclust cluster that gives a setting a value.
func (s Setting) Arg(value string) string {
	if s.Often {
		return "--" + strings.ReplaceAll(s.Name, "_", "-") + "=" + value
	}
	return "--set " + s.Name + "=" + value
}

// Set sets a setting to a value in text form, with commas between the items of a list. It returns a *SettingError for
// text of the wrong type, and leaves other checks to Config.Validate.
func (s Setting) Set(c *Config, value string) error {
	bad := func(want string) error { return &SettingError{s.Name, strconv.Quote(value), "must be " + want} }
	f := s.field(c)
	switch s.Type() {
	case "string":
		f.SetString(value)
	case "boolean":
		v, err := strconv.ParseBool(value)
		if err != nil {
			return bad("true or false")
		}
		f.SetBool(v)
	case "size":
		v, ok := ParseSize(value)
		if !ok {
			return bad("a size such as 16MiB")
		}
		f.SetInt(v)
	case "integer":
		if f.CanInt() {
			v, err := strconv.ParseInt(value, 10, f.Type().Bits())
			if err != nil {
				return bad("a whole number")
			}
			f.SetInt(v)
			break
		}
		v, err := strconv.ParseUint(value, 10, f.Type().Bits())
		if err != nil {
			return bad("a whole number, 0 or more")
		}
		f.SetUint(v)
	case "number":
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return bad("a number such as 0.5")
		}
		f.SetFloat(v)
	case "strings":
		f.Set(reflect.ValueOf(items(value)))
	}
	return nil
}

// items splits a list at commas. An empty text has no items.
func items(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// preset returns a configuration with the values of a preset, given its index.
func preset(number int) (c Config) {
	for _, s := range settings {
		f := s.field(&c)
		v := reflect.ValueOf(s.Preset[number])
		switch {
		case !v.IsValid():
		case f.Kind() == reflect.Slice:
			f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, v.Len()), v))
		default:
			f.Set(v.Convert(f.Type()))
		}
	}
	return c
}
