package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/config"
)

// readConfiguration returns what config --format json prints.
func readConfiguration(t *testing.T) (known configuration) {
	t.Helper()
	r := inProcess(t, "", "config", "--format", "json")
	d := json.NewDecoder(strings.NewReader(r.stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(&known); r.code != exitDone || err != nil {
		t.Fatal(r.code, err, r.stderr)
	}
	return known
}

// TestConfigIsWhole checks that config has every key of a TOML file once, and nothing else, with the values of the
// presets.
func TestConfigIsWhole(t *testing.T) {
	known := readConfiguration(t)
	listed := map[string]parameter{}
	for _, p := range append(known.Settings, known.Options...) {
		if _, twice := listed[p.Name]; twice || p.Type == "" || p.Doc == "" || p.Group == "" || p.Flag != "--"+strings.ReplaceAll(p.Name, "_", "-") && p.Flag != "--set="+p.Name {
			t.Errorf("%+v", p)
		}
		listed[p.Name] = p
	}
	for f := range reflect.TypeFor[config.Config]().Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !slices.Contains([]string{"url_rules_version", "tokens"}, key) {
			if len(listed[key].Presets) != len(config.Presets()) {
				t.Errorf("%s: %+v", key, listed[key])
			}
			delete(listed, key)
		}
	}
	for name := range listed {
		if len(listed[name].Presets) > 0 {
			t.Errorf("%s is not a setting of package config", name)
		}
	}
	for _, preset := range config.Presets() {
		values := map[string]json.RawMessage{}
		for _, p := range known.Settings {
			values[p.Name] = p.Presets[preset]
		}
		raw, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		want, err := config.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		got := config.Config{RulesVersion: want.RulesVersion, Tokens: want.Tokens}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		for _, list := range []*[]string{&got.Map, &got.URLRules, &got.Status, &got.Mime} {
			if len(*list) == 0 {
				*list = nil
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", preset, d)
		}
	}
}

// TestConfigIsAccepted gives lshclust cluster every value that config lists, as a flag, and reads it from the manifest.
func TestConfigIsAccepted(t *testing.T) {
	known := readConfiguration(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "pages.jsonl")
	write(t, in, numberPages)
	for _, preset := range known.Presets {
		args := []string{"cluster", "-q", "-o", filepath.Join(dir, preset)}
		for _, p := range known.Settings {
			if flag, given := asFlag(t, p, p.Presets[preset]); given {
				args = append(args, flag)
			}
		}
		if r := inProcess(t, "", append(args, in)...); r.code != exitDone {
			t.Fatalf("%q: %s", args, r.stderr)
		}
		r := inProcess(t, "", "info", "--format", "json", filepath.Join(dir, preset))
		var manifest struct{ Config config.Config }
		want, err := config.Preset(preset)
		if err := json.Unmarshal([]byte(r.stdout), &manifest); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, manifest.Config); err != nil || d != "" {
			t.Errorf("%s: %s", preset, d)
		}
	}
}

// asFlag returns a value as a program gives it, and whether it can be given: an empty list cannot.
func asFlag(t *testing.T, p parameter, value json.RawMessage) (string, bool) {
	t.Helper()
	if p.Type != "strings" {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		return p.Flag + "=" + text, p.Name != "sketch"
	}
	var list []any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	items := make([]string, len(list))
	for i, v := range list {
		items[i] = fmt.Sprint(v)
	}
	return p.Flag + "=" + strings.Join(items, ","), len(items) > 0
}
