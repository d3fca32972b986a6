package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// CycloneDX 1.6, as far as it is needed.
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licences   []licence  `json:"licenses"`
		PURL       string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// writeSBOM writes the bill of materials of a binary: the modules that the binary says it was built from.
func writeSBOM(binary, path string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	contents, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	all, err := modules()
	if err != nil {
		return err
	}
	main := newComponent("application", info.Main.Path, info.Main.Version, []string{"Apache-2.0"})
	main.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(contents))}}
	for _, s := range info.Settings {
		main.Properties = append(main.Properties, property{"go:build:" + s.Key, s.Value})
	}
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{main}, Dependencies: []dependency{{Ref: main.Ref}}}
	in := map[string]bool{"std": true}
	for _, d := range info.Deps {
		in[d.Path] = true
	}
	for _, m := range all {
		if !in[m.Path] {
			continue // not on this platform
		}
		ids, err := m.licences()
		if err != nil {
			return err
		}
		c := newComponent("library", m.Path, strings.TrimPrefix(m.Version, "go"), ids)
		b.Components, b.Dependencies = append(b.Components, c), append(b.Dependencies, dependency{Ref: c.Ref})
		b.Dependencies[0].DependsOn = append(b.Dependencies[0].DependsOn, c.Ref)
	}
	if len(b.Components) != len(in) {
		return fmt.Errorf("%s: %d modules, but the checkout knows %d of them", binary, len(in), len(b.Components))
	}
	out, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(out, '\n'), 0o666)
}

func newComponent(kind, path, version string, ids []string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
	for _, id := range ids {
		l := licence{}
		l.Licence.ID = id
		c.Licences = append(c.Licences, l)
	}
	return c
}
