package config

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

func good(t *testing.T) Config {
	t.Helper()
	c, err := Preset(DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPresets(t *testing.T) {
	for _, name := range Presets() {
		c, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var read Config
		if err := json.Unmarshal(raw, &read); err != nil || !reflect.DeepEqual(read, c) {
			t.Errorf("%s: the manifest holds %+v, not %+v: %v", name, read, c, err)
		}
	}
	if _, err := Preset("web2.0"); err == nil {
		t.Error("there is a preset web2.0")
	}
}

// TestValidate spoils one setting at a time. The error names it.
func TestValidate(t *testing.T) {
	for name, spoil := range map[string]func(c *Config){
		"views":          func(c *Config) { c.Views = []string{"topical", "lexical"} },
		"map":            func(c *Config) { c.Map = []string{"url"} },
		"url_rules":      func(c *Config) { c.URLRules = []string{"-nonsense"} },
		"max_page":       func(c *Config) { c.MaxPage = LargestPage + 1 },
		"captures":       func(c *Config) { c.Captures = "oldest" },
		"canonical":      func(c *Config) { c.Canonical = "" },
		"base":           func(c *Config) { c.Base = "docs" },
		"from":           func(c *Config) { c.From = "yesterday" },
		"to":             func(c *Config) { c.From, c.To = "2020", "2019" },
		"status":         func(c *Config) { c.Status = []string{"fine"} },
		"bags":           func(c *Config) { c.Bags = "titles" },
		"language":       func(c *Config) { c.Language = "klingon" },
		"stop":           func(c *Config) { c.Stop = "all" },
		"window":         func(c *Config) { c.Window = -1 },
		"damping":        func(c *Config) { c.Damping = "linear" },
		"border":         func(c *Config) { c.Border = math.NaN() },
		"headings":       func(c *Config) { c.Heads = 7 },
		"host_damping":   func(c *Config) { c.Hosts = "twice" },
		"weighting":      func(c *Config) { c.Weighting = "" },
		"tf":             func(c *Config) { c.TF = "square" },
		"bag_sum":        func(c *Config) { c.Sum = 0 },
		"max_df":         func(c *Config) { c.MaxDF = 0 },
		"signatures":     func(c *Config) { c.Signatures = 129 },
		"key_size":       func(c *Config) { c.KeySize = c.Signatures + 1 },
		"keys":           func(c *Config) { c.KeySize, c.Keys = 2, 3161 }, // of 80 signatures
		"max_bucket":     func(c *Config) { c.KeySize, c.Keys, c.MaxBucket = 2, 100, 0 },
		"reach":          func(c *Config) { c.Reach = -1 },
		"floor":          func(c *Config) { c.Floor = 1.5 },
		"min_similarity": func(c *Config) { c.Similarity = 2 },
		"neighbours":     func(c *Config) { c.Neighbours = -1 },
		"apart":          func(c *Config) { c.Apart = -1 },
		"rounds":         func(c *Config) { c.Rounds = 11 },
		"width":          func(c *Config) { c.Width = -1 },
		"recall":         func(c *Config) { c.Recall = 1 },
		"threshold":      func(c *Config) { c.Threshold = -1 },
		"order":          func(c *Config) { c.Order = "random" },
		"shingle":        func(c *Config) { c.Shingle = 0 },
		"bits":           func(c *Config) { c.Bits = 65 },
		"modulus":        func(c *Config) { c.Modulus = MaxModulus + 1 },
		"index_modulus":  func(c *Config) { c.IndexOneIn = 1 << 40 },
		"max_common":     func(c *Config) { c.MaxCommon = 1 },
		"resemblance":    func(c *Config) { c.Resemblance = math.NaN() },
		"containment":    func(c *Config) { c.Containment = 0 },
		"link_contained": func(c *Config) { c.LinkContain = 0.1 },
		"strip":          func(c *Config) { c.Strip = "site" },
	} {
		c := good(t)
		spoil(&c)
		var wrong *SettingError
		if err := c.Validate(); !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for n, ok := range map[int]bool{-1: false, 0: true, MostWorkers: true, MostWorkers + 1: false} {
		if err := Workers(n); (err == nil) != ok {
			t.Errorf("%d workers: %v", n, err)
		}
	}
}
