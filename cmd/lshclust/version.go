package main

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// version returns the version of the module, or the commit of a build from a checkout.
func version() string {
	v, commit, _ := built()
	return cmp.Or(v, strings.TrimSuffix("devel-"+commit, "-"))
}

// versionLine returns the version for --version, with the commit and its date if they are known.
func versionLine() string {
	v, commit, date := built()
	if date != "" {
		commit += " of " + date
	}
	return cmp.Or(v, "devel") + ", commit " + cmp.Or(commit, "unknown")
}

// built returns the version of the module, the commit and the date of the commit, or "" for what is unknown. A + after
// the commit means uncommitted changes. A build with -buildvcs=false has no commit.
func built() (version, commit, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", "", ""
	}
	if v := info.Main.Version; v != "(devel)" {
		version = v
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit, date = set["vcs.revision"], set["vcs.time"]
	commit, date = commit[:min(12, len(commit))], date[:min(len("2006-01-02"), len(date))]
	if commit != "" && set["vcs.modified"] == "true" {
		commit += "+"
	}
	if commit == "" { // a pseudo-version of a module from a proxy ends with the commit
		if i := strings.LastIndexByte(version, '-'); i > 0 && len(version)-i-1 == 12 {
			commit = version[i+1:]
		}
	}
	return version, commit, date
}
