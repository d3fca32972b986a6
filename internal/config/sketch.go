package config

import (
	"fmt"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Sketch names the kind of the sketches that a run keeps. It is empty in a run that keeps whole sets.
type Sketch string

// The values of Sketch; see package shingles.
const (
	SketchMod    Sketch = "mod"
	SketchMin    Sketch = "min"
	SketchMinMod Sketch = "minmod"
	SketchVar    Sketch = "var"
)

// SketchSamples is the number of samples of the sketches min and minmod: 800 bytes per page.
const SketchSamples = 100

// Sketched reports whether the run keeps sketches of pages rather than whole sets of shingles.
func (c Config) Sketched() bool { return c.Sketch != "" }

// Sketcher returns the sketcher of the run.
func (c Config) Sketcher() shingles.Sketcher {
	for _, k := range shingles.Kinds() {
		if k.String() == string(c.Sketch) {
			return SketcherOf(k, c.Modulus)
		}
	}
	return shingles.Sketcher{}
}

// SketcherOf returns the sketcher for a kind of sketches in a run with this modulus. Parameters that the kind does
// not use are 0.
func SketcherOf(k shingles.Kind, modulus uint64) shingles.Sketcher {
	s := shingles.Sketcher{Kind: k}
	if k == shingles.Mod || k == shingles.MinMod {
		s.M = modulus
	}
	if k == shingles.Min || k == shingles.MinMod {
		s.S = SketchSamples
	}
	return s
}

// FitSketch leaves no boilerplate out, unless told to, if the kind of sketches does not allow it.
func (c *Config) FitSketch(given func(name string) bool) {
	if c.Sketched() && !c.Sketcher().Kind.Drops() && !given("strip") {
		c.Strip = StripNone
	}
}

// Stripped returns how boilerplate is found, or nil if it is not left out.
func (c Config) Stripped() *resemble.BoilerplateConfig {
	if c.Strip != StripHost {
		return nil
	}
	b := c.Boilerplate()
	return &b
}

// Boilerplate returns how boilerplate is found. In a run that keeps sketches, the least number of own shingles of a
// page is a number of samples, and smaller by the same factor.
func (c Config) Boilerplate() resemble.BoilerplateConfig {
	if !c.Sketched() {
		return resemble.BoilerplateConfig{}
	}
	return resemble.SketchBoilerplate(c.Sketcher())
}

// Pairs returns which pairs of pages to find, and with which resources.
func (c Config) Pairs(r resemble.Resources) resemble.Config {
	return resemble.Config{M: c.Modulus, Floor: c.Resemblance, Containment: c.Containment, MaxCommon: c.MaxCommon, Resources: r}
}

// sketching returns the conditions on the settings of sketches.
func (c Config) sketching() []condition {
	none, kind := !c.Sketched(), c.Sketcher().Kind
	return []condition{
		{none || kind.Drops() || c.Strip == StripNone, SettingError{"strip", string(c.Strip), fmt.Sprintf("must be none with sketch=%s: boilerplate cannot be dropped from a sketch of the smallest shingles, since what it pushed out is gone", c.Sketch)}},
		{none || kind.Containment() || c.LinkContain == 0, SettingError{"link_contained", fmt.Sprint(c.LinkContain), fmt.Sprintf("must be 0 with sketch=%s, which estimates resemblance only", c.Sketch)}},
		{none || c.IndexOneIn <= 1, SettingError{"index_modulus", fmt.Sprint(c.IndexOneIn), "must be 0 or 1 with sketch: the index holds every sample"}},
	}
}
