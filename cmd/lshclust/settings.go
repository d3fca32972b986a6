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

// settings are the flags of a configuration. What a run uses is, the later over the earlier: the preset, the file of
// --config, LSHCLUST_* in the environment, the flags.
type settings struct {
	preset, file string
	flagged      config.Config // what the flags say
	known        []setting
	group        string // of the flags that are added
}

// setting is one flag with the way of its value into a configuration.
type setting struct {
	name string
	copy func(to, from *config.Config)
}

func (s *settings) bind(f *pflag.FlagSet) {
	d, err := config.Preset(config.DefaultPreset)
	if err != nil {
		panic(err) // the default preset is there: a test holds it
	}
	s.flagged = d
	f.StringVar(&s.preset, "preset", config.DefaultPreset, "`NAME` of the settings to begin with: "+strings.Join(config.Presets(), ", "))
	inGroup(f, groupOften, "preset")
	s.bindOften(f)
	s.bindInput(f)
	s.bindBags(f)
	s.bindIndex(f)
	s.bindSyntactic(f)
	f.StringVar(&s.file, "config", "", "read settings from a TOML `FILE`, under their names in the manifest")
}

// The groups of flags in --help.
const (
	groupOften     = "The flags that matter first"
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
		"`LANGUAGE` of stemmer and stop words: auto (for each page the one it seems to be in; if that cannot be told, neither stems nor stops), "+strings.Join(text.Languages(), ", "))
	add(s, f, f.StringVar, "captures", func(c *config.Config) *string { return (*string)(&c.Captures) },
		"`WHICH` captures of a URL count: newest (of equal times the one in the later input), or all, each as a document named URL#time or URL#digest to which no link points")
	add(s, f, f.Float64Var, "threshold", func(c *config.Config) *float64 { return &c.Threshold },
		"exact similarity of a cluster's member to its center, at least `S`")
	add(s, f, f.Float64Var, "resemblance", func(c *config.Config) *float64 { return &c.Resemblance },
		"exact resemblance of two pages that are linked in a cluster, at least `R`")
}

func (s *settings) bindInput(f *pflag.FlagSet) {
	s.group = groupInput
	add(s, f, f.StringArrayVar, "map", func(c *config.Config) *[]string { return &c.Map },
		"where the names of columns do not tell: the column of a table or of JSON that holds a field, as `FIELD=COLUMN`, such as url=metadata.source; repeatable")
	add(s, f, f.StringSliceVar, "url-rules", func(c *config.Config) *[]string { return &c.URLRules },
		"`RULES` of canonical URLs to switch off, such as -www")
	add(s, f, f.StringVar, "canonical", func(c *config.Config) *string { return (*string)(&c.Canonical) },
		"`HOW` to treat the canonical URL that a page names: record it, or trust it and count links to the page as links to that URL")
	add(s, f, f.StringVar, "from", func(c *config.Config) *string { return &c.From },
		"leave out captures before this `TIME`: 2020, 2020-05-17, 20200517120000")
	add(s, f, f.StringVar, "to", func(c *config.Config) *string { return &c.To },
		"leave out captures after the end of this `TIME`")
	add(s, f, f.StringSliceVar, "status", func(c *config.Config) *[]string { return &c.Status },
		"take captures with one of these HTTP `STATUSES` (default 200)")
	add(s, f, f.StringSliceVar, "mime", func(c *config.Config) *[]string { return &c.Mime },
		"take captures with one of these media `TYPES` (default all that can be read)")
	add(s, f, sizeVar(f), "max-page", func(c *config.Config) *int64 { return &c.MaxPage },
		"read at most `SIZE` of a page, and leave out the rest")
}

func (s *settings) bindBags(f *pflag.FlagSet) {
	s.group = groupBags
	add(s, f, f.StringVar, "bags", func(c *config.Config) *string { return (*string)(&c.Bags) },
		"`WHAT` a bag holds: anchors (the words around links), or content (the words of the page itself)")
	add(s, f, f.IntVar, "window", func(c *config.Config) *int { return &c.Window },
		"take so many `WORDS` on each side of a link")
	add(s, f, f.StringVar, "damping", func(c *config.Config) *string { return (*string)(&c.Damping) },
		"`HOW` a word's weight falls with its distance from the link: none or log")
	add(s, f, f.Float64Var, "border", func(c *config.Config) *float64 { return &c.Border },
		"multiply the weight of words outside the link's block by `F`: 1 ignores the border, 0 cuts there")
	add(s, f, f.IntVar, "headings", func(c *config.Config) *int { return &c.Heads },
		"count the `N` headings above a link like its anchor: the nearest, the one above that, and so on")
	add(s, f, f.BoolVar, "url-words", func(c *config.Config) *bool { return &c.URLWords },
		"count the words of a link's URL like its anchor")
	add(s, f, f.BoolVar, "title", func(c *config.Config) *bool { return &c.Title },
		"count a page's own title as one more fragment")
	add(s, f, f.BoolVar, "nofollow", func(c *config.Config) *bool { return &c.NoFollow },
		"count links marked nofollow, ugc or sponsored too")
	add(s, f, f.StringVar, "host-damping", func(c *config.Config) *string { return (*string)(&c.Hosts) },
		"`HOW` much n pages of one host that link to a document count: none (n), harmonic (1+1/2+…+1/n), once (1)")
	add(s, f, f.BoolVar, "stem", func(c *config.Config) *bool { return &c.Stem },
		"reduce words to their stems")
	add(s, f, f.StringVar, "stop", func(c *config.Config) *string { return &c.Stop },
		"`LIST` of stop words to leave out: snowball or none")
	add(s, f, f.StringVar, "weighting", func(c *config.Config) *string { return (*string)(&c.Weighting) },
		"`SCHEME` by which the number of bags weighs a term: idf, nmdf or none")
	add(s, f, f.StringVar, "tf", func(c *config.Config) *string { return (*string)(&c.TF) },
		"`HOW` the count of a term in a bag weighs: raw or log")
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
		"min-hash signatures of a bag, `m`")
	add(s, f, f.IntVar, "key-size", func(c *config.Config) *int { return &c.KeySize },
		"signatures in a key, `k`")
	add(s, f, f.IntVar, "keys", func(c *config.Config) *int { return &c.Keys },
		"keys of a bag, `l`")
	add(s, f, f.IntVar, "max-bucket", func(c *config.Config) *int { return &c.MaxBucket },
		"pair all with all in buckets of at most `N` distinct bags")
	add(s, f, f.IntVar, "reach", func(c *config.Config) *int { return &c.Reach },
		"in larger buckets, pair each with the first and with the next `N`")
	add(s, f, f.Float64Var, "floor", func(c *config.Config) *float64 { return &c.Floor },
		"share of equal signatures that a stored pair has, at least `S`")
	add(s, f, f.Float64Var, "min-similarity", func(c *config.Config) *float64 { return &c.Similarity },
		"exact similarity that a stored pair has, at least `S`")
	add(s, f, f.IntVar, "neighbours", func(c *config.Config) *int { return &c.Neighbours },
		"store a pair if it is among the `N` best of either document; 0 stores all")
	add(s, f, f.StringVar, "order", func(c *config.Config) *string { return (*string)(&c.Order) },
		"`ORDER` in which CENTER looks at documents: id, degree or similarity")
	add(s, f, f.Uint64Var, "seed", func(c *config.Config) *uint64 { return &c.Seed },
		"`SEED` of all random choices")
}

func (s *settings) bindSyntactic(f *pflag.FlagSet) {
	s.group = groupSyntactic
	add(s, f, f.IntVar, "shingle", func(c *config.Config) *int { return &c.Shingle },
		"`WORDS` in a shingle, w")
	add(s, f, f.Uint64Var, "modulus", func(c *config.Config) *uint64 { return &c.Modulus },
		"sample one shingle in `m`")
	add(s, f, f.Uint64Var, "index-modulus", func(c *config.Config) *uint64 { return &c.IndexOneIn },
		"of long pages, put one shingle in `m` into the index that query looks in; 1: all shingles; 0: all while there are at most 33.5 million, else about that many")
	add(s, f, f.IntVar, "bits", func(c *config.Config) *int { return &c.Bits },
		"`BITS` of a shingle's fingerprint")
	add(s, f, f.BoolVar, "labelled", func(c *config.Config) *bool { return &c.Labelled },
		"number the occurrences of a shingle (option A of Broder 1997), so that repeats count")
	add(s, f, f.BoolVar, "punctuation", func(c *config.Config) *bool { return &c.Punctuation },
		"take punctuation marks as tokens too")
	add(s, f, f.Float64Var, "containment", func(c *config.Config) *float64 { return &c.Containment },
		"store a pair for its exact containment alone from `C` on")
	add(s, f, f.Float64Var, "link-contained", func(c *config.Config) *float64 { return &c.LinkContain },
		"link pages in a cluster for their containment from `C` on too; 0 links none for it")
	add(s, f, f.IntVar, "max-common", func(c *config.Config) *int { return &c.MaxCommon },
		"do not pair pages by a shingle that more than `N` pages have")
	add(s, f, f.StringVar, "strip", func(c *config.Config) *string { return (*string)(&c.Strip) },
		"`WHOSE` boilerplate to leave out of the comparison: host or none")
	s.bindSketch(f)
}

// add makes a flag for one field.
func add[T any](s *settings, f *pflag.FlagSet, flag func(p *T, name string, value T, usage string), name string, field func(*config.Config) *T, use string) {
	flag(field(&s.flagged), name, *field(&s.flagged), use)
	inGroup(f, s.group, name)
	s.known = append(s.known, setting{name, func(to, from *config.Config) { *field(to) = *field(from) }})
}

// config puts preset, file, environment and flags together.
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
	return set, s.named(c.Flags(), set.Validate())
}

// named tells where a setting that cannot be used comes from: a flag or the environment, which are one, or the file.
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

// fromFile reads a TOML file over a configuration. A preset in the file comes before the rest of the file.
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
	set.Preset = preset
	return set, nil
}

// fromEnvironment sets every flag that was not given from LSHCLUST_NAME.
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
