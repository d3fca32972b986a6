package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfig() *cobra.Command {
	preset, o := "", &output{}
	c := &cobra.Command{
		Use:   "config",
		Short: "The settings of lshclust cluster, with their types, defaults and presets",
		Long: `Config lists every setting of lshclust cluster with its value in a preset and its meaning. A setting is a
flag of lshclust cluster, and a key in the TOML file of --config (with underscores). Settings decide what a run contains; the
options at the end do not.

--format json is for programs: the settings and the options with their types, defaults, and values in all presets.`,
		Example: "  lshclust config\n  lshclust config --preset paper2000\n  lshclust config --format json | jq -r '.settings[].name'",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			known, err := knownSettings()
			if err != nil {
				return err
			}
			return show(*o, &known, func(w io.Writer, known *configuration) { configTable(w, known, preset) })
		},
	}
	f := c.Flags()
	oneOf(f, &preset, "preset", config.DefaultPreset, config.Presets(), "show the values of the preset `NAME`")
	o.bindWhole(f)
	return c
}

// configuration describes the parameters of lshclust cluster for programs that call it.
type configuration struct {
	Version  string      `json:"tool_version"`
	Presets  []string    `json:"presets"`
	Settings []parameter `json:"settings"` // decide the contents of the run
	Options  []parameter `json:"options"`  // do not
}

// parameter is a setting or an option of lshclust cluster.
type parameter struct {
	Name    string                     `json:"name"`  // as in the manifest and in TOML
	Flag    string                     `json:"flag"`  // as on a command line, before = and the value
	Type    string                     `json:"type"`  // as in config.Setting
	Value   string                     `json:"value"` // placeholder for its values in --help
	Group   string                     `json:"group"`
	Doc     string                     `json:"doc"`
	Stage   string                     `json:"stage,omitempty"`   // first stage whose tables it changes
	Later   bool                       `json:"later,omitempty"`   // a finished run can be clustered again with another value
	Default json.RawMessage            `json:"default"`           // null if none
	Presets map[string]json.RawMessage `json:"presets,omitempty"` // nil for an option

	texts map[string]string // values in the presets as a person would type them
}

// optionTypes maps the type names of package pflag to those of settings.
var optionTypes = map[string]string{"string": "string", "bool": "boolean", "int": "integer", "float64": "number", "SIZE": "size"}

// notParameters lists the flags of lshclust cluster that say where to write, what to show and where settings come
// from.
var notParameters = []string{"output", "quiet", "progress", "help", "preset", "set"}

// knownSettings returns the settings and options of lshclust cluster.
func knownSettings() (configuration, error) {
	known := configuration{Version: version(), Presets: config.Presets()}
	add := func(p parameter, flag *pflag.Flag, text func(config.Config) string, value func(config.Config) json.RawMessage) error {
		p.Value, p.Doc = pflag.UnquoteUsage(flag)
		p.Presets, p.texts = map[string]json.RawMessage{}, map[string]string{}
		for _, preset := range known.Presets {
			c, err := config.Preset(preset)
			if err != nil {
				return err
			}
			p.Presets[preset], p.texts[preset] = value(c), text(c)
		}
		p.Default = p.Presets[config.DefaultPreset]
		known.Settings = append(known.Settings, p)
		return nil
	}
	flags := newCluster().Flags()
	name := func(c config.Config) string { return c.Preset }
	quoted := func(c config.Config) json.RawMessage { return json.RawMessage(strconv.Quote(c.Preset)) }
	preset := parameter{Name: "preset", Flag: "--preset", Type: "string", Group: config.GroupOften}
	if err := add(preset, flags.Lookup("preset"), name, quoted); err != nil {
		return known, err
	}
	for _, x := range config.Settings() {
		flag := strings.ReplaceAll(strings.TrimSuffix(x.Arg(""), "="), "--set ", "--set=")
		p := parameter{Name: x.Name, Flag: flag, Type: x.Type(), Group: x.Group, Stage: x.Stage, Later: x.Later}
		if err := add(p, &pflag.Flag{Usage: x.Help, Value: &settingFlag{of: x}}, x.Text, x.JSON); err != nil {
			return known, err
		}
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if _, setting := f.Value.(*settingFlag); !setting && !f.Hidden && !slices.Contains(notParameters, f.Name) {
			known.Options = append(known.Options, newOption(f))
		}
	})
	return known, nil
}

// newOption describes a flag that is not a setting.
func newOption(f *pflag.Flag) parameter {
	p := parameter{Name: strings.ReplaceAll(f.Name, "-", "_"), Flag: "--" + f.Name, Type: optionTypes[f.Value.Type()], Default: optionDefault(f)}
	if o, ok := f.Value.(*optionValue); ok {
		p.Type = string(o.Kind)
	}
	p.Value, p.Doc = pflag.UnquoteUsage(f)
	if group := f.Annotations[groupOf]; len(group) > 0 {
		p.Group = group[0]
	}
	return p
}

// optionDefault returns the default that --help shows, or null if it shows none.
func optionDefault(f *pflag.Flag) json.RawMessage {
	switch {
	case f.DefValue == "" || f.DefValue == "0":
		return json.RawMessage("null")
	case f.Value.Type() == "bool":
		return json.RawMessage(f.DefValue)
	}
	return json.RawMessage(strconv.Quote(f.DefValue))
}

// configTable lists the settings by group, with their values in a preset.
func configTable(w io.Writer, known *configuration, preset string) {
	fmt.Fprintf(w, "the settings of preset %s; the presets are %s\n", preset, strings.Join(known.Presets, ", "))
	group := ""
	for _, p := range known.Settings {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(w, "\n%s\n", group)
		}
		parameterRow(w, p, p.texts[preset])
	}
	fmt.Fprintln(w, "\nOptions, which change no table")
	for _, p := range known.Options {
		parameterRow(w, p, strings.Trim(strings.TrimPrefix(string(p.Default), "null"), `"`))
	}
}

func parameterRow(w io.Writer, p parameter, value string) {
	const before = 2 + 15 + 2 + 20 + 2
	fmt.Fprintf(w, "  %-15s  %-20s  %s\n", p.Name, cmp.Or(value, "-"), detail(p.Doc, before))
}
