package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are the flags of a configuration. What a run uses is, the later over the earlier: the preset, the file of
// --config, LSHCLUST_* in the environment, the flags.
type settings struct {
	preset, file string
	flagged      pipeline.Config // what the flags say
	known        []setting
}

// setting is one flag with the way of its value into a configuration.
type setting struct {
	name string
	copy func(to, from *pipeline.Config)
}

func (s *settings) bind(f *pflag.FlagSet) {
	d, err := pipeline.Preset(pipeline.DefaultPreset)
	if err != nil {
		panic(err) // the default preset is there: a test holds it
	}
	s.flagged = d
	f.StringVar(&s.preset, "preset", pipeline.DefaultPreset, "configuration to begin with: "+strings.Join(pipeline.Presets(), ", "))
	f.StringVar(&s.file, "config", "", "TOML `FILE` with settings, named as in the manifest")
	add(s, f.Uint64Var, "seed", func(c *pipeline.Config) *uint64 { return &c.Seed }, "seed of all random choices")
	add(s, f.StringVar, "base", func(c *pipeline.Config) *string { return &c.Base }, "`URL` of the top of a folder of HTML")
	add(s, f.StringArrayVar, "map", func(c *pipeline.Config) *[]string { return &c.Map }, "`FIELD=COLUMN` of a table or of JSON, such as url=metadata.source, where names do not tell; repeatable")
	add(s, f.StringSliceVar, "url-rules", func(c *pipeline.Config) *[]string { return &c.URLRules }, "rules of canonical URLs to switch off, such as -www")
	add(s, f.Int64Var, "max-page", func(c *pipeline.Config) *int64 { return &c.MaxPage }, "`BYTES` of a page that are read")
	add(s, f.StringVar, "captures", func(c *pipeline.Config) *string { return &c.Captures }, "of one URL: newest counts alone, or all are documents of their own, named URL#time or URL#digest, at which no link points")
	add(s, f.StringVar, "canonical", func(c *pipeline.Config) *string { return &c.Canonical }, "what a page names as its canonical URL: record it, or trust it and count links to the page for that URL")
	add(s, f.StringVar, "from", func(c *pipeline.Config) *string { return &c.From }, "only captures of this `TIME` or later: 2020, 2020-05-17, 20200517120000")
	add(s, f.StringVar, "to", func(c *pipeline.Config) *string { return &c.To }, "only captures up to the end of this `TIME`")
	add(s, f.StringSliceVar, "status", func(c *pipeline.Config) *[]string { return &c.Status }, "only captures with one of these HTTP statuses; without it 200")
	add(s, f.StringSliceVar, "mime", func(c *pipeline.Config) *[]string { return &c.Mime }, "only captures with one of these media `TYPES`")
	add(s, f.StringSliceVar, "views", func(c *pipeline.Config) *[]string { return &c.Views }, "to build: topical, syntactic or both")
	add(s, f.StringVar, "language", func(c *pipeline.Config) *string { return &c.Language }, "of stemmer and stop list: auto (of each page what it seems to be in; unknown: neither), "+strings.Join(text.Languages(), ", "))
	add(s, f.BoolVar, "stem", func(c *pipeline.Config) *bool { return &c.Stem }, "reduce words to stems")
	add(s, f.StringVar, "stop", func(c *pipeline.Config) *string { return &c.Stop }, "stop words: snowball or none")
	add(s, f.StringVar, "bags", func(c *pipeline.Config) *string { return &c.Bags }, "what a bag holds: anchors (windows around links) or content (the page's words)")
	add(s, f.BoolVar, "title", func(c *pipeline.Config) *bool { return &c.Title }, "the page's own title is one more fragment")
	add(s, f.BoolVar, "nofollow", func(c *pipeline.Config) *bool { return &c.NoFollow }, "links marked nofollow, ugc or sponsored count too")
	add(s, f.IntVar, "window", func(c *pipeline.Config) *int { return &c.Window }, "`WORDS` on each side of a link")
	add(s, f.StringVar, "damping", func(c *pipeline.Config) *string { return &c.Damping }, "weight by distance from the link: none or log")
	add(s, f.IntVar, "headings", func(c *pipeline.Config) *int { return &c.Heads }, "`HEADINGS` above a link that count like its anchor: the nearest, the one that is under, …")
	add(s, f.StringVar, "host-damping", func(c *pipeline.Config) *string { return &c.Hosts }, "weight of n pages of one host that link to a document: none (n), harmonic (1+1/2+…+1/n), once (1)")
	add(s, f.BoolVar, "url-words", func(c *pipeline.Config) *bool { return &c.URLWords }, "the words of a link's URL count like its anchor")
	add(s, f.Float64Var, "border", func(c *pipeline.Config) *float64 { return &c.Border }, "factor for words beyond the link's block: 1 looks through its border, 0 cuts there")
	add(s, f.StringVar, "weighting", func(c *pipeline.Config) *string { return &c.Weighting }, "of terms by document frequency: idf, nmdf or none")
	add(s, f.StringVar, "tf", func(c *pipeline.Config) *string { return &c.TF }, "term frequency: raw or log")
	add(s, f.IntVar, "bag-sum", func(c *pipeline.Config) *int { return &c.Sum }, "sum of the counts of a bag")
	add(s, f.Uint32Var, "min-df", func(c *pipeline.Config) *uint32 { return &c.MinDF }, "`BAGS` that a term must be in")
	add(s, f.Float64Var, "max-df", func(c *pipeline.Config) *float64 { return &c.MaxDF }, "`SHARE` of the bags that a term may be in")
	add(s, f.IntVar, "signatures", func(c *pipeline.Config) *int { return &c.Signatures }, "min-hash signatures a bag, m")
	add(s, f.IntVar, "key-size", func(c *pipeline.Config) *int { return &c.KeySize }, "signatures a key, k")
	add(s, f.IntVar, "keys", func(c *pipeline.Config) *int { return &c.Keys }, "keys a bag, l")
	add(s, f.IntVar, "max-run", func(c *pipeline.Config) *int { return &c.MaxRun }, "longest run of equal keys in which all are paired with all")
	add(s, f.IntVar, "reach", func(c *pipeline.Config) *int { return &c.Reach }, "in longer runs each is paired with the first and the next so many")
	add(s, f.Float64Var, "floor", func(c *pipeline.Config) *float64 { return &c.Floor }, "share of equal signatures that stored neighbours have")
	add(s, f.Float64Var, "min-similarity", func(c *pipeline.Config) *float64 { return &c.Similarity }, "exact similarity that stored neighbours have too")
	add(s, f.IntVar, "neighbours", func(c *pipeline.Config) *int { return &c.Neighbours }, "store a pair if it is among the `N` best of either document; 0 stores all")
	add(s, f.Float64Var, "threshold", func(c *pipeline.Config) *float64 { return &c.Threshold }, "exact similarity that a member of a cluster has to its center")
	add(s, f.StringVar, "order", func(c *pipeline.Config) *string { return &c.Order }, "of CENTER's scan: id, degree or similarity")
	add(s, f.IntVar, "shingle", func(c *pipeline.Config) *int { return &c.Shingle }, "`WORDS` in a shingle, w")
	add(s, f.IntVar, "bits", func(c *pipeline.Config) *int { return &c.Bits }, "of a shingle's fingerprint")
	add(s, f.BoolVar, "labelled", func(c *pipeline.Config) *bool { return &c.Labelled }, "shingles are labelled by occurrence (option A), so that repeats count")
	add(s, f.BoolVar, "punctuation", func(c *pipeline.Config) *bool { return &c.Punctuation }, "punctuation marks are tokens")
	add(s, f.Uint64Var, "modulus", func(c *pipeline.Config) *uint64 { return &c.Modulus }, "one shingle in so many is sampled, m")
	add(s, f.Uint64Var, "index-modulus", func(c *pipeline.Config) *uint64 { return &c.IndexOneIn }, "one shingle in so many of a long page is in the index that query looks in; 1: every shingle; 0: every one while there are no more than 33.5 million, else as many as that")
	add(s, f.Float64Var, "resemblance", func(c *pipeline.Config) *float64 { return &c.Resemblance }, "exact resemblance of pages that are linked")
	add(s, f.Float64Var, "containment", func(c *pipeline.Config) *float64 { return &c.Containment }, "exact containment of pairs that are stored for it alone")
	add(s, f.Float64Var, "link-contained", func(c *pipeline.Config) *float64 { return &c.LinkContain }, "containment that links pages too; 0: none does")
	add(s, f.IntVar, "max-common", func(c *pipeline.Config) *int { return &c.MaxCommon }, "`PAGES` beyond which a shingle is too common to pair")
	add(s, f.StringVar, "strip", func(c *pipeline.Config) *string { return &c.Strip }, "boilerplate to discount: host or none")
}

// add makes a flag for one field.
func add[T any](s *settings, flag func(p *T, name string, value T, usage string), name string, field func(*pipeline.Config) *T, use string) {
	flag(field(&s.flagged), name, *field(&s.flagged), use)
	s.known = append(s.known, setting{name, func(to, from *pipeline.Config) { *field(to) = *field(from) }})
}

// config puts preset, file, environment and flags together.
func (s *settings) config(c *cobra.Command) (pipeline.Config, error) {
	if err := fromEnvironment(c.Flags()); err != nil {
		return pipeline.Config{}, err
	}
	config, err := pipeline.Preset(s.preset)
	if err != nil {
		return config, err
	}
	if s.file != "" {
		if config, err = s.fromFile(config, c); err != nil {
			return config, err
		}
	}
	for _, k := range s.known {
		if c.Flags().Changed(k.name) {
			k.copy(&config, &s.flagged)
		}
	}
	return config, config.Validate()
}

// fromFile reads a TOML file over a configuration. A preset in the file comes before the rest of the file.
func (s *settings) fromFile(config pipeline.Config, c *cobra.Command) (pipeline.Config, error) {
	var named struct{ Preset string }
	if _, err := toml.DecodeFile(s.file, &named); err != nil {
		return config, fmt.Errorf("%s: %w", s.file, err)
	}
	if named.Preset != "" && !c.Flags().Changed("preset") {
		p, err := pipeline.Preset(named.Preset)
		if err != nil {
			return config, fmt.Errorf("%s: %w", s.file, err)
		}
		config = p
	}
	preset := config.Preset
	meta, err := toml.DecodeFile(s.file, &config)
	if err != nil {
		return config, fmt.Errorf("%s: %w", s.file, err)
	}
	if odd := meta.Undecoded(); len(odd) > 0 {
		return config, fmt.Errorf("%s: there is no setting %q", s.file, odd[0].String())
	}
	config.Preset = preset
	return config, nil
}

// fromEnvironment sets every flag that was not given from LSHCLUST_NAME.
func fromEnvironment(f *pflag.FlagSet) (err error) {
	f.VisitAll(func(flag *pflag.Flag) {
		name := "LSHCLUST_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		if v, ok := os.LookupEnv(name); ok && !flag.Changed && err == nil {
			if e := f.Set(flag.Name, v); e != nil {
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
	})
	return err
}

// byteSize is a flag value such as 4GiB, 500MB or 1073741824.
type byteSize int64

var units = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// Set reads a size.
func (b *byteSize) Set(s string) error {
	number, factor := strings.TrimSpace(s), 1.0
	for _, u := range units {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, factor = strings.TrimSpace(number[:n]), u.size
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !(f*factor >= 1<<20) || f*factor > 1<<60 {
		return fmt.Errorf("%q is no size of 1 MiB or more, such as 4GiB", s)
	}
	*b = byteSize(f * factor)
	return nil
}

// String writes a size.
func (b *byteSize) String() string {
	switch {
	case *b >= 1<<30 && *b%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", *b>>30)
	case *b%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", *b>>20)
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type names the value in --help.
func (b *byteSize) Type() string { return "SIZE" }
