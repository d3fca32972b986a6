package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are the flags of a configuration. A run takes its settings from the preset, the file of --config, LSHCLUST_*
// in the environment, and the flags; a later one of these overrides the earlier ones.
type settings struct {
	preset, file string
	flagged      config.Config // the values of the flags
	known        []setting
	inFile       toml.MetaData
	group        string // of the flags that are added
}

// setting is a flag with a function that copies its value from one configuration to another.
type setting struct {
	name string
	copy func(to, from *config.Config)
}

func (s *settings) bind(f *pflag.FlagSet) {
	d, err := config.Preset(config.DefaultPreset)
	if err != nil {
		panic(err) // the default preset always exists
	}
	s.flagged = d
	f.StringVar(&s.preset, "preset", config.DefaultPreset, "start from the settings of the preset `NAME`: "+strings.Join(config.Presets(), ", "))
	inGroup(f, groupOften, "preset")
	s.bindOften(f)
	s.bindInput(f)
	s.bindBags(f)
	s.bindIndex(f)
	s.bindSyntactic(f)
	f.StringVar(&s.file, "config", "", "read settings from a TOML `FILE`, with the names that they have in the manifest")
}

// The groups of flags in --help.
const (
	groupOften     = "Common flags"
	groupInput     = "Input"
	groupBags      = "Topical view: bags"
	groupIndex     = "Topical view: index and clusters"
	groupSyntactic = "Syntactic view"
)

func (s *settings) bindOften(f *pflag.FlagSet) {
	s.group = groupOften
	add(s, f, f.StringSliceVar, "views", func(c *config.Config) *[]string { return &c.Views },
		"`VIEWS` to build: topical, syntactic or both")
	add(s, f, f.StringVar, "base", func(c *config.Config) *string { return &c.Base },
		"`URL` of the top of a folder of HTML")
	add(s, f, f.StringVar, "language", func(c *config.Config) *string { return &c.Language },
		"`LANGUAGE` of the stemmer and the stop words: auto (the language that each page seems to be in; neither for a page of unknown language), "+strings.Join(text.Languages(), ", "))
	add(s, f, f.StringVar, "captures", func(c *config.Config) *string { return (*string)(&c.Captures) },
		"`WHICH` captures of a URL to keep: newest (among equal times, the one in the later input), or all, each as a document named URL#time or URL#digest that no link points to")
	add(s, f, f.Float64Var, "threshold", func(c *config.Config) *float64 { return &c.Threshold },
		"a member of a topical cluster has an exact similarity of at least `S` to its center")
	add(s, f, f.Float64Var, "resemblance", func(c *config.Config) *float64 { return &c.Resemblance },
		"a syntactic cluster links pages with an exact resemblance of at least `R`")
}

func (s *settings) bindInput(f *pflag.FlagSet) {
	s.group = groupInput
	add(s, f, f.StringArrayVar, "map", func(c *config.Config) *[]string { return &c.Map },
		"read a field from a column of a table or of JSON whose name is not recognised: `FIELD=COLUMN`, such as url=metadata.source; may be given several times")
	add(s, f, f.StringSliceVar, "url-rules", func(c *config.Config) *[]string { return &c.URLRules },
		"switch off `RULES` for canonical URLs, such as -www")
	add(s, f, f.StringVar, "canonical", func(c *config.Config) *string { return (*string)(&c.Canonical) },
		"`HOW` to treat the canonical URL that a page names: record it, or trust it, which treats links to the page as links to that URL")
	add(s, f, f.StringVar, "from", func(c *config.Config) *string { return &c.From },
		"leave out captures before this `TIME`: 2020, 2020-05-17, 20200517120000")
	add(s, f, f.StringVar, "to", func(c *config.Config) *string { return &c.To },
		"leave out captures after the end of this `TIME`")
	add(s, f, f.StringSliceVar, "status", func(c *config.Config) *[]string { return &c.Status },
		"read only captures with one of these HTTP `STATUSES` (default 200)")
	add(s, f, f.StringSliceVar, "mime", func(c *config.Config) *[]string { return &c.Mime },
		"read only captures with one of these media `TYPES` (default all that can be read)")
	add(s, f, sizeVar(f), "max-page", func(c *config.Config) *int64 { return &c.MaxPage },
		"read at most `SIZE` of a page, and leave out the rest")
}

func (s *settings) bindBags(f *pflag.FlagSet) {
	s.group = groupBags
	add(s, f, f.StringVar, "bags", func(c *config.Config) *string { return (*string)(&c.Bags) },
		"`WHAT` bags are made of: anchors (the words around links) or content (the words of the page itself)")
	add(s, f, f.IntVar, "window", func(c *config.Config) *int { return &c.Window },
		"the window has `WORDS` words on each side of a link")
	add(s, f, f.StringVar, "damping", func(c *config.Config) *string { return (*string)(&c.Damping) },
		"`HOW` the weight of a word falls with its distance from the link: none or log")
	add(s, f, f.Float64Var, "border", func(c *config.Config) *float64 { return &c.Border },
		"multiply the weight of words outside the block of the link by `F`: 1 ignores the border of the block, 0 cuts the window there")
	add(s, f, f.IntVar, "headings", func(c *config.Config) *int { return &c.Heads },
		"treat the nearest `N` headings above a link, each from a higher level, like its anchor")
	add(s, f, f.BoolVar, "url-words", func(c *config.Config) *bool { return &c.URLWords },
		"treat the words of a link's URL like its anchor")
	add(s, f, f.BoolVar, "title", func(c *config.Config) *bool { return &c.Title },
		"add the title of a page to its own bag")
	add(s, f, f.Float64Var, "content", func(c *config.Config) *float64 { return &c.Content },
		"add the best words of a page to its own bag, with the weight of `F`/(1+n) pages that link to it if n do: 0 adds none")
	add(s, f, f.IntVar, "content-terms", func(c *config.Config) *int { return &c.Terms },
		"add at most `N` terms of the content of a page")
	add(s, f, f.BoolVar, "nofollow", func(c *config.Config) *bool { return &c.NoFollow },
		"use links marked nofollow, ugc or sponsored too")
	add(s, f, f.StringVar, "host-damping", func(c *config.Config) *string { return (*string)(&c.Hosts) },
		"`HOW` to weigh n pages of one host that link to a document: none (n), harmonic (1+1/2+…+1/n), once (1)")
	add(s, f, f.BoolVar, "stem", func(c *config.Config) *bool { return &c.Stem },
		"reduce words to their stems")
	add(s, f, f.StringVar, "stop", func(c *config.Config) *string { return &c.Stop },
		"leave out the stop words of `LIST`: snowball or none")
	add(s, f, f.StringVar, "weighting", func(c *config.Config) *string { return (*string)(&c.Weighting) },
		"`SCHEME` that weighs a term by the number of bags that have it: idf, nmdf or none")
	add(s, f, f.StringVar, "tf", func(c *config.Config) *string { return (*string)(&c.TF) },
		"`HOW` to weigh the count of a term in a bag: raw or log")
	add(s, f, f.IntVar, "bag-sum", func(c *config.Config) *int { return &c.Sum },
		"scale the counts of a bag to the sum `N`")
	add(s, f, f.Uint32Var, "min-df", func(c *config.Config) *uint32 { return &c.MinDF },
		"leave out terms in fewer than `N` bags")
	add(s, f, f.Float64Var, "max-df", func(c *config.Config) *float64 { return &c.MaxDF },
		"leave out terms in more than this `SHARE` of the bags")
}

func (s *settings) bindIndex(f *pflag.FlagSet) {
	s.group = groupIndex
	add(s, f, f.IntVar, "signatures", func(c *config.Config) *int { return &c.Signatures },
		"compute `m` min-hash signatures for each bag")
	add(s, f, f.IntVar, "key-size", func(c *config.Config) *int { return &c.KeySize },
		"make a key of `k` signatures; 0: as --keys 0 chooses")
	add(s, f, f.IntVar, "keys", func(c *config.Config) *int { return &c.Keys },
		"make `l` keys for each bag; 0: choose k, l and the largest bucket by a sample of the crawl")
	add(s, f, f.IntVar, "max-bucket", func(c *config.Config) *int { return &c.MaxBucket },
		"pair all with all in buckets of at most `N` distinct bags; 0: as --keys 0 chooses")
	add(s, f, f.IntVar, "reach", func(c *config.Config) *int { return &c.Reach },
		"in larger buckets, pair each with the first and with the next `N`")
	add(s, f, f.Float64Var, "floor", func(c *config.Config) *float64 { return &c.Floor },
		"let pairs of the index through that have a share of at least `S` equal signatures")
	add(s, f, f.Float64Var, "min-similarity", func(c *config.Config) *float64 { return &c.Similarity },
		"store pairs with an exact similarity of at least `S`")
	add(s, f, f.IntVar, "neighbours", func(c *config.Config) *int { return &c.Neighbours },
		"store a pair if it is among the `N` most similar of either document; 0: store all")
	add(s, f, f.IntVar, "apart", func(c *config.Config) *int { return &c.Apart },
		"also store the `N` most similar of those that no page links to together with the document")
	add(s, f, f.IntVar, "rounds", func(c *config.Config) *int { return &c.Rounds },
		"compare each document with the neighbours of its neighbours, `N` times")
	add(s, f, f.IntVar, "width", func(c *config.Config) *int { return &c.Width },
		"in such a round, consider the `N` nearest neighbours of each of the N nearest")
	add(s, f, f.Float64Var, "recall", func(c *config.Config) *float64 { return &c.Recall },
		"choose the index so that this `SHARE` of the ten nearest neighbours is stored (measured on a sample)")
	add(s, f, f.StringVar, "order", func(c *config.Config) *string { return (*string)(&c.Order) },
		"`ORDER` in which CENTER scans the documents: id, degree or similarity")
	add(s, f, f.Float64SliceVar, "tree", func(c *config.Config) *[]float64 { return &c.Tree },
		"join clusters to larger ones, one level for each average similarity `S,S,...`, the highest first")
	add(s, f, f.Uint64Var, "seed", func(c *config.Config) *uint64 { return &c.Seed },
		"`SEED` of all random choices")
}

func (s *settings) bindSyntactic(f *pflag.FlagSet) {
	s.group = groupSyntactic
	add(s, f, f.IntVar, "shingle", func(c *config.Config) *int { return &c.Shingle },
		"make shingles of `WORDS` words, w")
	add(s, f, f.Uint64Var, "modulus", func(c *config.Config) *uint64 { return &c.Modulus },
		"sample one shingle in `m`")
	add(s, f, f.Uint64Var, "index-modulus", func(c *config.Config) *uint64 { return &c.IndexOneIn },
		"put one shingle in `m` of long pages into the index that lshclust query searches; 1: all shingles; 0: all if there are at most 33.5 million, else about that many")
	add(s, f, f.IntVar, "bits", func(c *config.Config) *int { return &c.Bits },
		"make fingerprints of shingles of `BITS` bits")
	add(s, f, f.BoolVar, "labelled", func(c *config.Config) *bool { return &c.Labelled },
		"number the occurrences of a shingle (option A of Broder 1997), so that repetitions matter")
	add(s, f, f.BoolVar, "punctuation", func(c *config.Config) *bool { return &c.Punctuation },
		"treat punctuation marks as words")
	add(s, f, f.Float64Var, "containment", func(c *config.Config) *float64 { return &c.Containment },
		"also store a pair with an exact containment of at least `C`")
	add(s, f, f.Float64Var, "link-contained", func(c *config.Config) *float64 { return &c.LinkContain },
		"a syntactic cluster also links pages if one contains at least a share `C` of the other; 0: never")
	add(s, f, f.IntVar, "max-common", func(c *config.Config) *int { return &c.MaxCommon },
		"ignore shingles of more than `N` pages when pairs are formed")
	add(s, f, f.StringVar, "strip", func(c *config.Config) *string { return (*string)(&c.Strip) },
		"leave `WHOSE` boilerplate out of comparisons: host or none")
	s.bindSketch(f)
}

// add makes a flag for one field.
func add[T any](s *settings, f *pflag.FlagSet, flag func(p *T, name string, value T, usage string), name string, field func(*config.Config) *T, use string) {
	flag(field(&s.flagged), name, *field(&s.flagged), use)
	inGroup(f, s.group, name)
	s.known = append(s.known, setting{name, func(to, from *config.Config) { *field(to) = *field(from) }})
}

// config returns the configuration of preset, file, environment and flags.
func (s *settings) config(c *cobra.Command) (config.Config, error) {
	if err := fromEnvironment(c.Flags()); err != nil {
		return config.Config{}, err
	}
	set, err := config.Preset(s.preset)
	if err != nil {
		return set, err
	}
	if s.file != "" {
		if set, err = s.fromFile(set, c); err != nil {
			return set, err
		}
	}
	for _, k := range s.known {
		if c.Flags().Changed(k.name) {
			k.copy(&set, &s.flagged)
		}
	}
	set.FitSketch(func(name string) bool { return c.Flags().Changed(name) || s.inFile.IsDefined(name) })
	return set, s.named(c.Flags(), set.Validate())
}

// named adds to an error where the setting comes from: a flag, which the environment may have set, or the file.
func (s *settings) named(f *pflag.FlagSet, err error) error {
	var wrong *config.SettingError
	if !errors.As(err, &wrong) {
		return err
	}
	flag := strings.ReplaceAll(wrong.Name, "_", "-")
	switch {
	case f.Changed(flag):
		return errors.New("--" + flag + wrong.Reason())
	case s.file != "":
		return fmt.Errorf("%s: %w", s.file, err)
	}
	return err
}

// fromFile returns a configuration with the settings of a TOML file. The rest of the file overrides a preset in it.
func (s *settings) fromFile(set config.Config, c *cobra.Command) (config.Config, error) {
	var named struct{ Preset string }
	if _, err := toml.DecodeFile(s.file, &named); err != nil {
		return set, fmt.Errorf("%s: %w", s.file, err)
	}
	if named.Preset != "" && !c.Flags().Changed("preset") {
		p, err := config.Preset(named.Preset)
		if err != nil {
			return set, fmt.Errorf("%s: %w", s.file, err)
		}
		set = p
	}
	preset := set.Preset
	meta, err := toml.DecodeFile(s.file, &set)
	if err != nil {
		return set, fmt.Errorf("%s: %w", s.file, err)
	}
	if odd := meta.Undecoded(); len(odd) > 0 {
		return set, fmt.Errorf("%s: there is no setting %q", s.file, odd[0].String())
	}
	set.Preset, s.inFile = preset, meta
	return set, nil
}

// fromEnvironment sets every flag that is not given from LSHCLUST_NAME.
func fromEnvironment(f *pflag.FlagSet) (err error) {
	f.VisitAll(func(flag *pflag.Flag) {
		name := "LSHCLUST_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		if v, ok := os.LookupEnv(name); ok && !flag.Changed && err == nil {
			var invalid *pflag.InvalidValueError
			switch e := f.Set(flag.Name, v); {
			case errors.As(e, &invalid):
				err = fmt.Errorf("%s: %q %s", name, v, valueWanted(invalid))
			case e != nil:
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
	})
	return err
}
