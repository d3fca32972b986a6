package query

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
)

// comparable are the settings that two runs must share so that their pages can be compared, by the names that they have
// in the manifest, and the flags that set them.
var comparable = []struct{ key, flag string }{
	{"url_rules", "url-rules"}, {"captures", "captures"}, {"views", "views"}, {"language", "language"}, {"stem", "stem"},
	{"stop", "stop"}, {"bags", "bags"}, {"window", "window"}, {"title", "title"}, {"content", "content"}, {"bag_sum", "bag-sum"},
	{"url_words", "url-words"}, {"shingle", "shingle"}, {"bits", "bits"}, {"labelled", "labelled"}, {"punctuation", "punctuation"},
	{"strip", "strip"}, {"keep", "keep"}, {"sketch", "sketch"}, {"modulus", "modulus"}, {"seed", "seed"},
}

// comparableTexts are those of them on which the texts of pages depend, for a file of sketches, which holds nothing else.
var comparableTexts = []string{"url_rules", "captures", "shingle", "bits", "labelled", "punctuation", "strip", "keep", "sketch", "modulus", "seed"}

// SettingsError is the error for two runs whose settings do not allow a comparison.
type SettingsError struct {
	Setting      string // name in the manifest
	Flag         string // of lshclust cluster
	Older, Newer string // values
	all          []string
}

// Error names the setting, its values, and the flags that make the runs alike.
func (e *SettingsError) Error() string {
	return fmt.Sprintf("the runs have different settings: %s is %s in the first and %s in the second", e.Setting, orNone(e.Older), orNone(e.Newer))
}

// Flags returns the flags of lshclust cluster with which the newer crawl is read as the older one was.
func (e *SettingsError) Flags() []string { return e.all }

// SketchesOnly reports whether nothing differs but how sketches were made, so that a run with whole sets of shingles gives
// sketches of either kind.
func (e *SettingsError) SketchesOnly() bool {
	return !slices.ContainsFunc(e.all, func(flag string) bool {
		return !strings.HasPrefix(flag, "--sketch=") && !strings.HasPrefix(flag, "--modulus=")
	})
}

func orNone(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}

// sameSettings returns a *SettingsError for the first setting that differs.
func sameSettings(older, newer *Run) error {
	if older.file != "" || newer.file != "" {
		return cmp.Or(sameTexts(older, newer), newestOnly(older.Config))
	}
	return cmp.Or(differing(older.Config, newer.Config, func(string) bool { return true }), newestOnly(older.Config))
}

// sameTexts is sameSettings for comparisons of the texts alone.
func sameTexts(older, newer *Run) error {
	return differing(older.Config, newer.Config, func(key string) bool {
		unused := key == "modulus" && older.sketched() && newer.sketched() && older.pages.Sketcher().M == 0 && newer.pages.Sketcher().M == 0
		return slices.Contains(comparableTexts, key) && !unused
	})
}

// differing returns a *SettingsError for the first wanted setting that differs.
func differing(older, newer config.Config, wanted func(key string) bool) error {
	var first *SettingsError
	var flags []string
	for _, c := range comparable {
		a, b := setting(older, c.key), setting(newer, c.key)
		if a == b || !wanted(c.key) {
			continue
		}
		if flags = append(flags, "--"+c.flag+"="+a); first == nil {
			first = &SettingsError{Setting: c.key, Flag: c.flag, Older: a, Newer: b}
		}
	}
	if first == nil {
		return nil
	}
	first.all = flags
	return first
}

// newestOnly returns a *SettingsError for runs with all captures.
func newestOnly(older config.Config) error {
	if older.Captures == config.CapturesAll {
		return &SettingsError{Setting: "captures", Flag: "captures", Older: "all", Newer: "all, but only runs with the newest capture of each URL can be compared", all: []string{"--captures=newest"}}
	}
	return nil
}

// setting returns the value of the setting with a name in the manifest.
func setting(c config.Config, key string) string {
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != key {
			continue
		}
		if list, ok := v.Field(i).Interface().([]string); ok {
			return strings.Join(slices.Sorted(slices.Values(list)), ",")
		}
		return fmt.Sprint(v.Field(i).Interface())
	}
	return ""
}
