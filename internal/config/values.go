package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/lsh"
)

// Bounds on settings, far above sensible values.
const (
	MostWorkers = 1024          // workers share the memory; a thousand of them would have hardly any each
	LargestPage = 1 << 30       // bound on Config.MaxPage; a record may be twice as long and must fit in memory
	MaxModulus  = 1 << 16       // bound on the moduli for sampling and for the index
	maxNumber   = math.MaxInt32 // bound on numbers of things
)

// rule decides which values a setting may have.
type rule struct {
	wrong func(v any) string // what is wrong with a value, such as "must be 0 to 1", or ""
	size  bool               // the value is a number of bytes, written like 16MiB
}

// mustBe is a rule for values that a function accepts.
func mustBe[T any](want string, ok func(v T) bool) rule {
	return rule{wrong: func(v any) string {
		if ok(v.(T)) {
			return ""
		}
		return "must be " + want
	}}
}

// parsed is a rule for values that parse accepts.
func parsed[T any](parse func(v T) error) rule {
	return rule{wrong: func(v any) string {
		if err := parse(v.(T)); err != nil {
			return err.Error()
		}
		return ""
	}}
}

func between[N int | int64 | uint32 | uint64 | float64](least, most N) rule {
	return mustBe(fmt.Sprintf("%v to %v", least, most), func(n N) bool { return n >= least && n <= most }) // false for NaN
}

func above0(most float64) rule {
	return mustBe(fmt.Sprintf("above 0 and at most %.0f", most), func(n float64) bool { return n > 0 && n <= most })
}

func size(least, most int64) rule {
	r := between(least, most)
	r.size = true
	return r
}

// modulus is a rule for m, where one shingle in m is taken.
func modulus(least uint64) rule {
	return mustBe(fmt.Sprintf("at least %d and at most %d; a larger one leaves pages without a sample", least, MaxModulus),
		func(m uint64) bool { return m >= least && m <= MaxModulus })
}

func oneOf[S ~string](known ...S) rule {
	return mustBe("one of "+strings.Join(names(known), ", "), func(v S) bool { return slices.Contains(known, v) })
}

// names returns the values that must be said.
func names[S ~string](known []S) []string {
	return slices.DeleteFunc(sets.Strings(known), func(s string) bool { return s == "" })
}

// either lists values as a sentence does.
func either[S ~string](known []S) string {
	all := names(known)
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

func someOf(known ...string) rule {
	return mustBe(strings.Join(known, ", ")+" or both", func(values []string) bool {
		unknown := func(v string) bool { return !slices.Contains(known, v) }
		return len(values) > 0 && !slices.ContainsFunc(values, unknown)
	})
}

// Rules that depend on other packages, or that several settings share.
var (
	yesOrNo  = rule{wrong: func(any) string { return "" }}
	anything = yesOrNo
	aTime    = mustBe("a time such as 2020, 2020-05-17 or 20200517120000", func(v string) bool {
		_, err := crawl.ParseSelection(v, "", nil, nil)
		return err == nil
	})
	aBase = mustBe("like https://HOST/", func(v string) bool {
		_, err := urls.DefaultRules().Canonical(v)
		return v == "" || err == nil
	})
	statuses = parsed(func(v []string) error { _, err := crawl.ParseSelection("", "", v, nil); return err })
	columns  = parsed(func(v []string) error { _, err := crawl.ParseMap(v...); return err })
	switches = parsed(func(v []string) error { _, err := urls.ParseRules(v...); return err })
	language = parsed(func(v string) error {
		_, err := text.NewVocabulary(text.Analysis{Language: v, Stop: "none"})
		return err
	})
)

// SettingError is the error for a setting of a Config that has an invalid value.
type SettingError struct {
	Name  string // of the Setting
	Value string
	Want  string // such as "must be 0 to 1"
}

// Error returns "NAME VALUE: WANT".
func (e *SettingError) Error() string { return e.Name + " " + e.Reason() }

// Reason returns the error without the name.
func (e *SettingError) Reason() string { return e.Value + ": " + e.Want }

// Check returns a *SettingError if the value of this setting in a configuration is invalid whatever the other values
// are.
func (s Setting) Check(c Config) error {
	v := s.field(&c)
	wrong := s.Values.wrong(v.Interface())
	if wrong == "" {
		return nil
	}
	shown := s.Text(c)
	if s.Type() == "string" {
		shown = strconv.Quote(shown)
	}
	return &SettingError{s.Name, shown, wrong}
}

// Workers checks a number of workers. It is not a setting, because it changes nothing in the run.
func Workers(n int) error {
	if wrong := between(0, MostWorkers).wrong(n); wrong != "" {
		return &SettingError{"workers", fmt.Sprint(n), wrong}
	}
	return nil
}

var units = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// ParseSize parses a number of bytes with or without a unit. It returns false for less than 1 byte or more than 1
// EiB.
func ParseSize(s string) (int64, bool) {
	number, factor := strings.TrimSpace(s), 1.0
	for _, u := range units {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, factor = strings.TrimSpace(number[:n]), u.size
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || f*factor < 1 || f*factor > 1<<60 {
		return 0, false
	}
	return int64(f * factor), true
}

// FormatSize formats a number of bytes, in MiB or GiB if it is a multiple of one.
func FormatSize(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	}
	return strconv.FormatInt(n, 10)
}

// Validate returns a *SettingError for the first setting that is invalid by itself or together with others.
func (c Config) Validate() error {
	for _, s := range settings {
		if err := s.Check(c); err != nil {
			return err
		}
	}
	for _, t := range c.together() {
		if !t.ok {
			return &t.SettingError
		}
	}
	_, err := c.Reading()
	return err
}

// condition is a condition on several settings, with the error for the setting to change.
type condition struct {
	ok bool
	SettingError
}

// together returns the conditions on settings that depend on each other.
func (c Config) together() []condition {
	keys := lsh.MostKeys(c.Signatures, cmp.Or(c.KeySize, min(2, c.Signatures)))
	return append([]condition{
		{c.From == "" || c.To == "" || c.captured(), SettingError{"to", strconv.Quote(c.To), fmt.Sprintf("must not be before %s, which is where captures begin", c.From)}},
		{c.KeySize <= c.Signatures, SettingError{"key_size", fmt.Sprint(c.KeySize), fmt.Sprintf("must be 0 to %d", c.Signatures)}},
		{c.Keys <= keys, SettingError{"keys", fmt.Sprint(c.Keys), fmt.Sprintf("must be 0 to %d", keys)}},
		{c.KeySize > 0 || c.Keys == 0, SettingError{"key_size", "0", "must be given with keys; 0 for both lets a sample of the crawl choose"}},
		{c.MaxBucket >= 2 || c.MaxBucket == 0 && c.Keys == 0, SettingError{"max_bucket", fmt.Sprint(c.MaxBucket), fmt.Sprintf("must be 2 to %d; 0 for max_bucket and keys lets a sample of the crawl choose", maxNumber)}},
		{c.LinkContain == 0 || c.LinkContain >= c.Containment, SettingError{"link_contained", fmt.Sprint(c.LinkContain), fmt.Sprintf("must be 0 or at least the containment that is stored, %g", c.Containment)}},
	}, c.sketching()...)
}

// captured reports whether any time is between the earliest and the latest capture.
func (c Config) captured() bool {
	s, err := crawl.ParseSelection(c.From, c.To, nil, nil)
	return err == nil && s.From.Before(s.To)
}
