package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/shingles"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/tree"
	"github.com/lshclust/lshclust/urls"
)

// Bounds of settings, far above any sensible value.
const (
	MostWorkers = 1024          // workers share the memory; a thousand of them have hardly any each
	LargestPage = 1 << 30       // bound of Config.MaxPage; a record may be twice as long and must fit in memory
	MaxModulus  = 1 << 16       // bound of the moduli for sampling and for the index
	maxNumber   = math.MaxInt32 // bound of numbers of things
)

// SettingError is the error for a setting of a Config that cannot be used.
type SettingError struct {
	Name  string // name in the manifest and in TOML; the flag has hyphens instead of underscores
	Value string
	Want  string // such as "must be 0 to 1"
}

// Error returns "NAME VALUE: WANT".
func (e *SettingError) Error() string { return e.Name + e.Reason() }

// Reason returns the error without the name.
func (e *SettingError) Reason() string {
	if e.Value == "" {
		return " " + e.Want
	}
	return " " + e.Value + ": " + e.Want
}

// Validate returns a *SettingError for the first setting that cannot be used.
func (c Config) Validate() error {
	for _, validate := range []func() error{c.validateInput, c.validateBags, c.validateSignatures, c.validateIndex, c.validateSyntactic, c.validateSketch, c.validateWhole} {
		if err := validate(); err != nil {
			return err
		}
	}
	return nil
}

func (c Config) validateInput() error {
	_, badMap := crawl.ParseMap(c.Map...)
	_, badRules := urls.ParseRules(c.URLRules...)
	return cmp.Or(
		someOf("views", c.Views, Topical, Syntactic),
		because("map", "", badMap),
		because("url_rules", strings.Join(c.URLRules, ","), badRules),
		c.validateSelection(),
		within("max_page", c.MaxPage, 1, LargestPage),
		oneOf("captures", c.Captures, CapturesNewest, CapturesAll),
		oneOf("canonical", c.Canonical, CanonicalRecord, CanonicalTrust),
		must("base", strconv.Quote(c.Base), c.Base == "" || validBase(c.Base), "must be like https://HOST/"),
	)
}

func (c Config) validateSelection() error {
	_, badFrom := crawl.ParseSelection(c.From, "", nil, nil)
	_, badTo := crawl.ParseSelection("", c.To, nil, nil)
	_, badStatus := crawl.ParseSelection("", "", c.Status, nil)
	both, _ := crawl.ParseSelection(c.From, c.To, nil, nil)
	none := c.From != "" && c.To != "" && !both.From.Before(both.To)
	const aTime = "must be a time such as 2020, 2020-05-17 or 20200517120000"
	return cmp.Or(
		must("from", strconv.Quote(c.From), badFrom == nil, aTime),
		must("to", strconv.Quote(c.To), badTo == nil, aTime),
		because("status", strings.Join(c.Status, ","), badStatus),
		must("to", c.To, !none, fmt.Sprintf("must not be before %s, which is where captures begin", c.From)),
	)
}

func (c Config) validateBags() error {
	return cmp.Or(
		oneOf("bags", c.Bags, FromAnchors, FromContent),
		oneOf("language", c.Language, append([]string{text.Auto}, text.Languages()...)...),
		oneOf("stop", c.Stop, "snowball", "none"),
		within("window", c.Window, 0, 1000),
		oneOf("damping", c.Damping, anchors.NoDamping, anchors.LogDamping),
		within("border", c.Border, 0, 1),
		within("headings", c.Heads, 0, 6),
		within("content", c.Content, 0, bags.MaxContent),
		within("content_terms", c.Terms, 1, anchors.ContentTerms),
		oneOf("host_damping", c.Hosts, anchors.EveryPage, anchors.Harmonic, anchors.OnePage),
		oneOf("weighting", c.Weighting, bags.IDF, bags.NMDF, bags.Unweighted),
		oneOf("tf", c.TF, bags.RawTF, bags.LogTF),
		within("bag_sum", c.Sum, 1, math.MaxUint16),
		above0("max_df", c.MaxDF, 1),
	)
}

func (c Config) validateSignatures() error {
	return cmp.Or(within("signatures", c.Signatures, 1, minhash.MaxMask), within("key_size", c.KeySize, 0, c.Signatures))
}

func (c Config) validateIndex() error {
	return cmp.Or(
		within("keys", c.Keys, 0, lsh.MostKeys(c.Signatures, cmp.Or(c.KeySize, min(2, c.Signatures)))),
		must("key_size", "0", c.KeySize > 0 || c.Keys == 0, "must be given with keys; 0 for both lets a sample of the crawl choose"),
		must("max_bucket", fmt.Sprint(c.MaxBucket), c.MaxBucket >= 2 && c.MaxBucket <= maxNumber || c.MaxBucket == 0 && c.Keys == 0,
			fmt.Sprintf("must be 2 to %d; 0 for max_bucket and keys lets a sample of the crawl choose", maxNumber)),
		within("reach", c.Reach, 0, maxNumber),
		within("floor", c.Floor, 0, 1),
		within("min_similarity", c.Similarity, 0, 1),
		within("neighbours", c.Neighbours, 0, maxNumber),
		within("apart", c.Apart, 0, maxNumber),
		within("rounds", c.Rounds, 0, 10),
		within("width", c.Width, 0, maxNumber),
		within("recall", c.Recall, 0, 0.999),
		within("threshold", c.Threshold, 0, 1),
		oneOf("order", c.Order, center.ByID, center.ByDegree, center.BySimilarity),
		because("tree", fmt.Sprint(c.Tree), tree.Check(c.Tree)),
	)
}

func (c Config) validateSyntactic() error {
	const larger = "; a larger one leaves pages without a sample"
	return cmp.Or(
		within("shingle", c.Shingle, 1, 1<<16),
		within("bits", c.Bits, 16, 64),
		must("modulus", fmt.Sprint(c.Modulus), c.Modulus >= 1 && c.Modulus <= MaxModulus, fmt.Sprintf("must be at least 1 and at most %d%s", MaxModulus, larger)),
		must("index_modulus", fmt.Sprint(c.IndexOneIn), c.IndexOneIn <= MaxModulus, fmt.Sprintf("must be at most %d%s", MaxModulus, larger)),
		within("max_common", c.MaxCommon, 2, maxNumber),
		above0("resemblance", c.Resemblance, 1),
		above0("containment", c.Containment, maxNumber),
		within("link_contained", c.LinkContain, 0, 1),
		must("link_contained", fmt.Sprint(c.LinkContain), c.LinkContain == 0 || c.LinkContain >= c.Containment,
			fmt.Sprintf("must be 0 or at least the containment that is stored, %g", c.Containment)),
		oneOf("strip", c.Strip, StripHost, StripNone),
	)
}

// validateWhole lets the packages that use the settings check them, which may find other settings that cannot be used.
func (c Config) validateWhole() error {
	_, badText := text.NewVocabulary(c.TextAnalysis())
	_, badShingles := shingles.New(c.Shingles())
	_, badIndex := c.Index()
	_, badReading := c.Reading()
	return cmp.Or(badText, c.AnchorWindow().Validate(), c.BagWeighting().Validate(), badIndex, badShingles, badReading)
}

// validBase reports whether the URLs of a folder can be made from a base.
func validBase(base string) bool {
	_, err := urls.DefaultRules().Canonical(base)
	return err == nil
}

// must returns an error unless ok is true.
func must(name, value string, ok bool, want string) error {
	if ok {
		return nil
	}
	return &SettingError{name, value, want}
}

// because turns the error of a package into a SettingError.
func because(name, value string, err error) error {
	if err == nil {
		return nil
	}
	return &SettingError{name, value, strings.TrimPrefix(err.Error(), name+" ")}
}

func within[N int | int64 | float64](name string, n, least, most N) error {
	return must(name, fmt.Sprint(n), n >= least && n <= most, fmt.Sprintf("must be %v to %v", least, most)) // false for NaN
}

func above0(name string, n, most float64) error {
	return must(name, fmt.Sprint(n), n > 0 && n <= most, fmt.Sprintf("must be above 0 and at most %.0f", most))
}

func oneOf[S ~string](name string, value S, known ...S) error {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return must(name, strconv.Quote(string(value)), slices.Contains(known, value), "must be one of "+strings.Join(names, ", "))
}

func someOf(name string, values []string, known ...string) error {
	for _, v := range values {
		if err := oneOf(name, v, known...); err != nil {
			return err
		}
	}
	return must(name, "", len(values) > 0, "must be "+strings.Join(known, ", ")+" or both")
}

// Workers checks a number of workers. It is not a setting, because it changes nothing in the run.
func Workers(n int) error { return within("workers", n, 0, MostWorkers) }
