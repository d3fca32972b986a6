package main

import (
	"runtime/debug"
	"strings"
)

// version returns the version of the module, or the commit of a build from a checkout.
func version() string {
	v, commit := built()
	switch {
	case v != "":
		return v
	case commit != "":
		return "devel-" + commit
	}
	return "devel"
}

// versionLine returns the version for --version, with the commit if it is known.
func versionLine() string {
	v, commit := built()
	if commit == "" {
		commit = "unknown"
	}
	if v == "" {
		v = "devel"
	}
	return v + ", commit " + commit
}

// built returns the version of the module and the commit, or "" for what is unknown. A + after the commit means
// uncommitted changes. A build with -buildvcs=false has no commit.
func built() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	if v := info.Main.Version; v != "(devel)" {
		version = v
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit = set["vcs.revision"]
	commit = commit[:min(12, len(commit))]
	if commit != "" && set["vcs.modified"] == "true" {
		commit += "+"
	}
	if commit == "" { // a pseudo-version of a module from a proxy ends with the commit
		if i := strings.LastIndexByte(version, '-'); i > 0 && len(version)-i-1 == 12 {
			commit = version[i+1:]
		}
	}
	return version, commit
}
