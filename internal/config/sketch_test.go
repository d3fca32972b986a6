package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/shingles"
)

// TestSketchSettings checks which settings can be combined, and what the errors for the others say.
func TestSketchSettings(t *testing.T) {
	for _, x := range []struct {
		name, setting, want string // "" where the configuration can be used
		change              func(c *config.Config)
	}{
		{"whole sets", "", "", func(*config.Config) {}},
		{"mod", "", "", func(c *config.Config) { c.Sketch = config.SketchMod }},
		{"var", "", "", func(c *config.Config) { c.Sketch = config.SketchVar }},
		{"min", "", "", func(c *config.Config) { c.Sketch, c.Strip = config.SketchMin, config.StripNone }},
		{"unknown kind", "sketch", "must be one of mod, min, minmod, var", func(c *config.Config) { c.Sketch = "max" }},
		{"boilerplate", "strip", "must be none with sketch=minmod", func(c *config.Config) { c.Sketch = config.SketchMinMod }},
		{"containment", "link_contained", "must be 0 with sketch=min", func(c *config.Config) {
			c.Sketch, c.Strip, c.LinkContain = config.SketchMin, config.StripNone, 0.9
		}},
		{"sampled index", "index_modulus", "must be 0 or 1", func(c *config.Config) { c.Sketch, c.IndexOneIn = config.SketchMod, 25 }},
	} {
		c, err := config.Preset("web")
		if err != nil {
			t.Fatal(err)
		}
		x.change(&c)
		err = c.Validate()
		var wrong *config.SettingError
		if x.want == "" && err != nil || x.want != "" && (!errors.As(err, &wrong) || wrong.Name != x.setting || !strings.Contains(wrong.Want, x.want)) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// TestSketcher checks the sketchers that settings select.
func TestSketcher(t *testing.T) {
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	var got []shingles.Sketcher
	for _, s := range []config.Sketch{config.SketchMod, config.SketchMin, config.SketchMinMod, config.SketchVar} {
		c.Sketch = s
		got = append(got, c.Sketcher())
		if s := c.Sketcher(); s != config.SketcherOf(s.Kind, c.Modulus) || c.Boilerplate().Least == 0 {
			t.Errorf("%v: boilerplate %+v", s, c.Boilerplate())
		}
	}
	want := []shingles.Sketcher{{Kind: shingles.Mod, M: 25}, {Kind: shingles.Min, S: 100}, {Kind: shingles.MinMod, M: 25, S: 100}, {Kind: shingles.Var}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
