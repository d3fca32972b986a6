package config

import (
	"errors"
	"math"
	"testing"
)

// TestIndexSettings has the settings of the index that depend on each other: which are zero, and the setting that the
// error names.
func TestIndexSettings(t *testing.T) {
	for _, x := range []struct {
		keySize, keys, maxBucket int
		wrong                    string
		chosen                   bool
	}{
		{0, 0, 0, "", true},
		{3, 0, 0, "", true},
		{0, 0, 2, "", true},
		{80, 0, 40, "", true},
		{2, 3160, 2, "", false},
		{2, 100, 1 << 30, "", false},
		{80, 1, 2, "", false},
		{0, 100, 40, "key_size", false},
		{2, 100, 0, "max_bucket", false},
		{2, 100, 1, "max_bucket", false},
		{0, 0, 1, "max_bucket", true},
		{0, 0, -1, "max_bucket", true},
		{0, 0, math.MaxInt32 + 1, "max_bucket", true},
		{2, -1, 40, "keys", false},
		{80, 2, 40, "keys", false},
		{-1, 0, 0, "key_size", true},
		{81, 0, 0, "key_size", true},
	} {
		c := good(t)
		c.KeySize, c.Keys, c.MaxBucket = x.keySize, x.keys, x.maxBucket
		var wrong *SettingError
		switch err := c.Validate(); {
		case x.wrong == "" && err != nil:
			t.Errorf("%+v: %v", x, err)
		case x.wrong != "" && (!errors.As(err, &wrong) || wrong.Name != x.wrong):
			t.Errorf("%+v: %v", x, err)
		}
		if c.ChoosesIndex() != x.chosen {
			t.Errorf("%+v: chosen %v", x, c.ChoosesIndex())
		}
	}
	for name, spoil := range map[string]func(c *Config){
		"rounds": func(c *Config) { c.Rounds = -1 },
		"recall": func(c *Config) { c.Recall = math.NaN() },
		"width":  func(c *Config) { c.Width = math.MaxInt32 + 1 },
		"apart":  func(c *Config) { c.Apart = math.MaxInt32 + 1 },
	} {
		c := good(t)
		spoil(&c)
		var wrong *SettingError
		if err := c.Validate(); !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	// An index of fewer than two signatures can be chosen too.
	c := good(t)
	c.Signatures = 1
	if x, err := c.Index(); c.Validate() != nil || err != nil || x.K != 1 || x.L != 1 {
		t.Errorf("one signature: %v, %v", c.Validate(), err)
	}
}

// TestWithIndex gives a configuration the index that a stage counted, and no index if it counted none.
func TestWithIndex(t *testing.T) {
	c := good(t)
	got := c.WithIndex(map[string]int64{CountKeySize: 3, CountKeys: 70, CountMaxBucket: 20, CountSample: 400, "keys": 1000})
	if got.KeySize != 3 || got.Keys != 70 || got.MaxBucket != 20 || got.ChoosesIndex() {
		t.Errorf("%d, %d, %d", got.KeySize, got.Keys, got.MaxBucket)
	}
	if x, err := got.Index(); err != nil || x.K != 3 || x.L != 70 || x.M != c.Signatures {
		t.Errorf("%+v, %v", x, err)
	}
	if !c.ChoosesIndex() {
		t.Error("the configuration itself changed")
	}
	paper, err := Preset("paper2000")
	if err != nil {
		t.Fatal(err)
	}
	if same := paper.WithIndex(nil); same.KeySize != 3 || same.Keys != 125 || same.MaxBucket != 1000 {
		t.Errorf("%d, %d, %d", same.KeySize, same.Keys, same.MaxBucket)
	}
}
