package crawls

import (
	"errors"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestSketchFileHasNoTexts checks that questions about texts fail for a file of sketches, rather than finding
// nothing.
func TestSketchFileHasNoTexts(t *testing.T) {
	c := runtest.Syntactic(t, nil)
	a, b := runtest.Opened(t, c, sitePages(siteOld, "", "", 30)), runtest.Opened(t, c, sitePages(siteNew, "", "", 30))
	file := runtest.OpenedSketches(t, runtest.SketchFile(t, b, runs.SketchSettings{}))
	l, err := NewCrawls(t.Context(), a, file)
	if err != nil {
		t.Fatal(err)
	}
	lost, err := l.Moves(t.Context())
	if err != nil || len(lost) == 0 {
		t.Fatal(lost, err)
	}
	_, err = Anchors(t.Context(), l, lost)
	if err == nil || !strings.Contains(err.Error(), "a file of sketches holds no texts") {
		t.Error(err)
	}
}

// TestSketchFileMoved finds the new places of a site in a file, from a file, and in a run that keeps shingles.
func TestSketchFileMoved(t *testing.T) {
	c := runtest.Syntactic(t, nil)
	a, b := runtest.Opened(t, c, sitePages(siteOld, "", "", 30)), runtest.Opened(t, c, sitePages(siteNew, "", "", 30))
	fileA, fileB := runtest.OpenedSketches(t, runtest.SketchFile(t, a, runs.SketchSettings{})), runtest.OpenedSketches(t, runtest.SketchFile(t, b, runs.SketchSettings{}))
	for _, pair := range [][2]*runs.Run{{fileA, fileB}, {a, fileB}, {fileA, b}} {
		c, err := NewCrawls(t.Context(), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		s, err := Newest(c)
		if err != nil {
			t.Fatal(err)
		}
		found := verdicts(t, s)
		for old, v := range found {
			if want := "moved " + strings.Replace(old, "a.example", "b.example", 1); v != want {
				t.Errorf("%q and %q: %s: %s", pair[0].SketchFile, pair[1].SketchFile, old, v)
			}
		}
		if len(found) != 30 {
			t.Errorf("%d verdicts", len(found))
		}
	}
}

// TestSketchFileSettings refuses files of other settings and names the setting.
func TestSketchFileSettings(t *testing.T) {
	pages := runtest.SamplePages(t, 60)
	base := runtest.Opened(t, runtest.Syntactic(t, nil), pages)
	file := runtest.OpenedSketches(t, runtest.SketchFile(t, base, runs.SketchSettings{}))
	for want, other := range map[string]*runs.Run{
		"shingle":   runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) { c.Shingle = 5 }), pages),
		"seed":      runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) { c.Seed = 7 }), pages),
		"url_rules": runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) { c.URLRules = []string{"-www"} }), pages),
		"strip":     runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) { c.Strip = config.StripNone }), pages),
		"sketch":    runtest.OpenedSketches(t, runtest.SketchFile(t, base, runs.SketchSettings{Kind: config.SketchMod})),
	} {
		_, err := texts.Across(t.Context(), file, other, func(texts.CrossPair) error { return nil })
		var settings *runs.SettingsError
		if !errors.As(err, &settings) || settings.Setting != want || settings.SketchesOnly() != (want == "sketch") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
