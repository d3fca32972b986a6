package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfig() *cobra.Command {
	var (
		preset, format string
		asJSON         bool
	)
	c := &cobra.Command{
		Use:   "config",
		Short: "The settings of lshclust cluster, with their types, defaults and presets",
		Long: `Config lists every setting of lshclust cluster with the value that it has in a preset, and what it means. A setting is a
flag of lshclust cluster, a key in the TOML file of --config (with underscores), and a variable LSHCLUST_NAME of the environment.
Settings decide what a run holds; the options at the end do not.

--json is for programs: the settings and the options with their types, defaults, and values in all presets.`,
		Example: "  lshclust config\n  lshclust config --preset paper2000\n  lshclust config --json | jq -r '.settings[].name'",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat(format, formatTable, formatJSON); err != nil {
				return err
			}
			if _, err := config.Preset(preset); err != nil {
				return usage(err)
			}
			known, err := knownSettings()
			if err != nil {
				return err
			}
			if asJSON || format == formatJSON {
				return writeJSON(printed, known)
			}
			configTable(printed, known, preset)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&preset, "preset", config.DefaultPreset, "show the values of the preset `NAME`: "+strings.Join(config.Presets(), ", "))
	f.StringVar(&format, "format", formatTable, "`FORMAT` of the output: table or json")
	f.BoolVar(&asJSON, "json", false, "the same as --format json")
	f.SortFlags = false
	return c
}

// configuration is what programs need to know of lshclust cluster to call it.
type configuration struct {
	Version  string      `json:"tool_version"`
	Presets  []string    `json:"presets"`
	Settings []parameter `json:"settings"` // what decides what a run holds
	Options  []parameter `json:"options"`  // what does not
}

// parameter is a setting or an option of lshclust cluster.
type parameter struct {
	Name    string                     `json:"name"` // in the manifest and in TOML
	Flag    string                     `json:"flag"`
	Type    string                     `json:"type"`    // one of the values of parameterTypes
	Value   string                     `json:"value"`   // a word for its values, as in --help
	Group   string                     `json:"group"`   // as in --help
	Doc     string                     `json:"doc"`     // as in --help
	Default json.RawMessage            `json:"default"` // null if there is none
	Presets map[string]json.RawMessage `json:"presets,omitempty"`
}

// parameterTypes names the types of flags, by their names in package pflag. A size is a number of bytes or a text such
// as 16MiB.
var parameterTypes = map[string]string{
	"string": "string", "bool": "boolean", "int": "integer", "uint32": "integer", "uint64": "integer", "float64": "number", "SIZE": "size",
	"stringSlice": "strings", "stringArray": "strings", "float64Slice": "numbers",
}

// notParameters are flags of lshclust cluster that say where it writes and what it shows.
var notParameters = []string{"output", "quiet", "progress", "help"}

// knownSettings returns the settings and options of lshclust cluster, in the order of --help.
func knownSettings() (configuration, error) {
	known := configuration{Version: version(), Presets: config.Presets()}
	values := map[string]map[string]json.RawMessage{} // by preset and setting
	for _, p := range known.Presets {
		c, err := config.Preset(p)
		if err != nil {
			return known, err
		}
		raw, err := json.Marshal(c)
		if err != nil {
			return known, err
		}
		of := map[string]json.RawMessage{}
		if err := json.Unmarshal(raw, &of); err != nil {
			return known, err
		}
		values[p] = of
	}
	var settings settings
	settings.bind(newFlags())
	newCluster().Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(notParameters, f.Name) {
			return
		}
		p := newParameter(f)
		if f.Name != "preset" && !slices.ContainsFunc(settings.known, func(s setting) bool { return s.name == f.Name }) {
			p.Default = optionDefault(f)
			known.Options = append(known.Options, p)
			return
		}
		p.Presets = map[string]json.RawMessage{}
		for preset, of := range values {
			p.Presets[preset] = settingValue(p, of[p.Name])
		}
		p.Default = p.Presets[config.DefaultPreset]
		known.Settings = append(known.Settings, p)
	})
	return known, nil
}

// newParameter describes a flag without its values.
func newParameter(f *pflag.Flag) parameter {
	p := parameter{Name: strings.ReplaceAll(f.Name, "-", "_"), Flag: "--" + f.Name, Type: parameterTypes[f.Value.Type()]}
	p.Value, p.Doc = pflag.UnquoteUsage(readable(f))
	if group := f.Annotations[groupOf]; len(group) > 0 {
		p.Group = group[0]
	}
	return p
}

// settingValue returns a value as the manifest has it, where an empty list may be null and an empty text left out.
func settingValue(p parameter, raw json.RawMessage) json.RawMessage {
	empty := map[string]string{"strings": "[]", "numbers": "[]", "string": `""`}[p.Type]
	if (raw == nil || string(raw) == "null") && empty != "" {
		return json.RawMessage(empty)
	}
	return raw
}

// optionDefault returns the default that --help shows: null if it shows none.
func optionDefault(f *pflag.Flag) json.RawMessage {
	switch {
	case f.DefValue == "" || f.DefValue == "0":
		return json.RawMessage("null")
	case parameterTypes[f.Value.Type()] == "boolean":
		return json.RawMessage(f.DefValue)
	}
	return json.RawMessage(fmt.Sprintf("%q", f.DefValue))
}

// configTable lists the settings in the groups of --help, with the values that they have in a preset.
func configTable(w io.Writer, known configuration, preset string) {
	fmt.Fprintf(w, "the settings of preset %s; the presets are %s\n", preset, strings.Join(known.Presets, ", "))
	var groups []string
	for _, p := range known.Settings {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s\n", g)
		for _, p := range known.Settings {
			if p.Group == g {
				parameterRow(w, p, p.Presets[preset])
			}
		}
	}
	fmt.Fprintln(w, "\nOptions, which change no table")
	for _, p := range known.Options {
		parameterRow(w, p, p.Default)
	}
}

func parameterRow(w io.Writer, p parameter, value json.RawMessage) {
	shown := strings.NewReplacer(`"`, "", "[", "", "]", "", "null", "").Replace(string(value))
	if shown == "" {
		shown = "-"
	}
	const before = 2 + 15 + 2 + 20 + 2
	fmt.Fprintf(w, "  %-15s  %-20s  %s\n", p.Name, shown, detail(p.Doc, before))
}
