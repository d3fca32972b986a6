package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// object is a JSON object of CycloneDX 1.6.
type object = map[string]any

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
	main := component("application", info.Main.Path, info.Main.Version, []string{"Apache-2.0"})
	main["hashes"] = []object{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sha256.Sum256(contents))}}
	var properties []object
	for _, s := range info.Settings {
		properties = append(properties, object{"name": "go:build:" + s.Key, "value": s.Value})
	}
	main["properties"] = properties
	in := map[string]bool{"std": true}
	for _, d := range info.Deps {
		in[d.Path] = true
	}
	var components, dependencies []object
	var refs []any
	for _, m := range all {
		if !in[m.Path] {
			continue // not on this platform
		}
		ids, err := m.licences()
		if err != nil {
			return err
		}
		c := component("library", m.Path, strings.TrimPrefix(m.Version, "go"), ids)
		components, dependencies, refs = append(components, c), append(dependencies, object{"ref": c["bom-ref"]}), append(refs, c["bom-ref"])
	}
	if len(components) != len(in) {
		return fmt.Errorf("%s: %d modules, but the checkout knows %d of them", binary, len(in), len(components))
	}
	out, err := json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": object{"component": main}, "components": components,
		"dependencies": append(dependencies, object{"ref": main["bom-ref"], "dependsOn": refs}),
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(out, '\n'), 0o666)
}

func component(kind, path, version string, ids []string) object {
	purl := "pkg:golang/" + path + "@" + version
	var licences []object
	for _, id := range ids {
		licences = append(licences, object{"license": object{"id": id}})
	}
	return object{"type": kind, "bom-ref": purl, "name": path, "version": version, "purl": purl, "licenses": licences}
}
