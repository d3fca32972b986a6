package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// SettingsError is the error for two runs whose settings do not allow a comparison.
type SettingsError struct {
	Setting      string // name in the manifest
	Older, Newer string // values
	all          []string
}

// Error names the setting, its values, and the flags that make the settings equal.
func (e *SettingsError) Error() string {
	return fmt.Sprintf("the runs have different settings: %s is %s in the first and %s in the second", e.Setting, cmp.Or(e.Older, "empty"), cmp.Or(e.Newer, "empty"))
}

// Flags returns the flags of lshclust cluster that read the newer crawl as the older one was read.
func (e *SettingsError) Flags() []string { return e.all }

// SketchesOnly reports whether only the kind of sketches differs, so that a run with whole sets of shingles can make
// sketches like those of the other.
func (e *SettingsError) SketchesOnly() bool {
	return !slices.ContainsFunc(e.all, func(flag string) bool {
		return !strings.HasPrefix(flag, "--set sketch=") && !strings.HasPrefix(flag, "--set modulus=")
	})
}

// SameSettings returns a *SettingsError for the first setting that differs.
func SameSettings(older, newer *Run) error {
	err := differing(older.Config, newer.Config, func(config.Setting) bool { return true })
	if older.SketchFile != "" || newer.SketchFile != "" {
		err = sameTexts(older, newer)
	}
	if err != nil {
		return err
	}
	return newestOnly(older.Config)
}

// sameTexts is like sameSettings but for comparisons of texts only.
func sameTexts(older, newer *Run) error {
	return differing(older.Config, newer.Config, func(s config.Setting) bool {
		unused := s.Name == "modulus"
		for _, r := range []*Run{older, newer} {
			unused = unused && r.Sketched() && r.Pages.Sketcher().M == 0
		}
		return s.Alike == config.AlikeTexts && !unused
	})
}

// differing returns a *SettingsError for the first wanted setting that differs.
func differing(older, newer config.Config, wanted func(config.Setting) bool) error {
	var first *SettingsError
	var flags []string
	for _, s := range config.Settings() {
		a, b := s.Text(older), s.Text(newer)
		if s.Alike == 0 || sorted(a) == sorted(b) || !wanted(s) {
			continue
		}
		flags = append(flags, s.Arg(a))
		if first == nil {
			first = &SettingsError{Setting: s.Name, Older: a, Newer: b}
		}
	}
	if first == nil {
		return nil
	}
	first.all = flags
	return first
}

// sorted sorts the items of a list, whose order does not matter.
func sorted(list string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Split(list, ","))), ",")
}

// newestOnly returns a *SettingsError for runs with all captures.
func newestOnly(older config.Config) error {
	if older.Captures == config.CapturesAll {
		return &SettingsError{Setting: "captures", Older: "all",
			Newer: "all, but only runs with the newest capture of each URL can be compared", all: []string{"--captures=newest"}}
	}
	return nil
}

// RepeatedWords says how many different pages of a run are nearly all text that most pages of their host share and were
// compared whole, and how many were compared by little of their text.
func RepeatedWords(m *run.Manifest) string {
	equal, _ := m.Stage("equal")
	resemble, _ := m.Stage("resemble")
	var out []string
	if whole := equal.Counts["pages_of_repeated_text_compared_whole"]; whole > 0 {
		out = append(out, Plural(int(whole), "page")+" of text that most pages of the host share compared whole")
	}
	if scant := resemble.Counts["pages_compared_by_less_than_a_quarter"]; scant > 0 {
		out = append(out, Plural(int(scant), "page")+" compared by less than a quarter of the text, because the rest is boilerplate of the host (--set strip=none compares whole pages)")
	}
	return strings.Join(out, ", ")
}

// Plural formats a number of things.
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
