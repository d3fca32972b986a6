package query

import (
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

func orNone(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}

// sameSettings returns a *SettingsError for the first setting that differs.
func sameSettings(older, newer config.Config) error {
	var first *SettingsError
	var flags []string
	for _, c := range comparable {
		a, b := setting(older, c.key), setting(newer, c.key)
		if a == b {
			continue
		}
		if flags = append(flags, "--"+c.flag+"="+a); first == nil {
			first = &SettingsError{Setting: c.key, Flag: c.flag, Older: a, Newer: b}
		}
	}
	switch {
	case first != nil:
		first.all = flags
		return first
	case older.Captures == config.CapturesAll:
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
