package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings holds the settings from a command line. A run takes its settings from the preset, the file of --config, and the
// flags; each overrides the ones before.
type settings struct {
	preset, file string
	given        []assignment // by flags, in order
}

// assignment gives a setting a value.
type assignment struct {
	config.Setting
	value string
	by    string // the flag
}

func (s *settings) bind(f *pflag.FlagSet) {
	d, err := config.Preset(config.DefaultPreset)
	if err != nil {
		panic(err) // the default preset always exists
	}
	f.StringVar(&s.preset, "preset", config.DefaultPreset, "start from the settings of the preset `NAME`: "+strings.Join(config.Presets(), ", "))
	inGroup(f, config.GroupOften, "preset")
	for _, x := range config.Settings() {
		if !x.Often {
			continue
		}
		name := strings.ReplaceAll(x.Name, "_", "-")
		f.Var(&settingFlag{s, x}, name, x.Help)
		f.Lookup(name).DefValue = x.Text(d)
		inGroup(f, x.Group, name)
	}
	f.Var(&setFlag{s}, "set", "give a setting of lshclust config, such as window, a value: `NAME=VALUE`; may be given several times")
	f.StringVar(&s.file, "config", "", "read settings from a TOML `FILE`, with the names that they have in the manifest")
	inGroup(f, config.GroupOften, "set", "config")
}

// setFlag is the value of --set.
type setFlag struct{ to *settings }

// Set parses NAME=VALUE.
func (x *setFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return ask.ValueError("must be NAME=VALUE")
	}
	of, err := config.Find(strings.TrimSpace(name))
	if err != nil {
		return ask.ValueError(err.Error())
	}
	return x.to.give(assignment{of, strings.TrimSpace(value), "--set " + of.Name})
}

// String returns no value, as there is no default.
func (x *setFlag) String() string { return "" }

// Type names the type as package pflag does.
func (x *setFlag) Type() string { return "stringArray" }

// settingFlag is the value of a flag for one setting.
type settingFlag struct {
	to *settings
	of config.Setting
}

// Set adds a value to those given before. Another value of a list continues the list.
func (x *settingFlag) Set(value string) error {
	return x.to.give(assignment{x.of, value, "--" + strings.ReplaceAll(x.of.Name, "_", "-")})
}

// String returns no value; pflag shows DefValue.
func (x *settingFlag) String() string { return "" }

// Type returns the name of the type. Pflag quotes the default of a string.
func (x *settingFlag) Type() string { return x.of.Type() }

// give adds a value after checking it as far as it does not depend on other settings.
func (s *settings) give(g assignment) error {
	before := slices.IndexFunc(s.given, func(e assignment) bool { return e.Name == g.Name })
	if i := before; i >= 0 && g.Type() == "strings" {
		g.value = strings.TrimPrefix(s.given[i].value+","+g.value, ",")
	}
	var c config.Config
	err := g.Set(&c, g.value)
	if err == nil {
		err = g.Check(c)
	}
	if wrong, ok := errors.AsType[*config.SettingError](err); ok {
		return ask.ValueError(wrong.Want)
	}
	if err != nil {
		return err
	}
	if before >= 0 {
		s.given = slices.Delete(s.given, before, before+1)
	}
	s.given = append(s.given, g)
	return nil
}

// config returns the configuration from preset, file and flags.
func (s *settings) config(c *cobra.Command) (config.Config, error) {
	set, err := config.Preset(s.preset)
	if err != nil {
		return set, err
	}
	by := map[string]string{} // maps a setting to what set it
	if s.file != "" {
		if set, err = s.fromFile(set, c, by); err != nil {
			return set, fmt.Errorf("%s: %w", s.file, err)
		}
	}
	for _, g := range s.given {
		by[g.Name] = g.by
		if err := g.Set(&set, g.value); err != nil {
			return set, err
		}
	}
	set.FitSketch(func(name string) bool { return by[name] != "" })
	err = set.Validate()
	if wrong, ok := errors.AsType[*config.SettingError](err); ok && by[wrong.Name] != "" {
		return set, errors.New(by[wrong.Name] + " " + wrong.Reason())
	}
	return set, err
}

// fromFile applies the settings of a TOML file, which override a preset named in it.
func (s *settings) fromFile(set config.Config, c *cobra.Command, by map[string]string) (config.Config, error) {
	values := map[string]toml.Primitive{}
	meta, err := toml.DecodeFile(s.file, &values)
	if err != nil {
		return set, err
	}
	if raw, ok := values["preset"]; ok && !c.Flags().Changed("preset") {
		var name string
		if err := meta.PrimitiveDecode(raw, &name); err != nil {
			return set, err
		}
		if set, err = config.Preset(name); err != nil {
			return set, err
		}
	}
	delete(values, "preset")
	for name, raw := range values {
		x, err := config.Find(name)
		if err != nil {
			return set, err
		}
		by[name] = s.file + ": " + name
		if err := meta.PrimitiveDecode(raw, x.Pointer(&set)); err != nil {
			return set, err
		}
	}
	return set, nil
}
