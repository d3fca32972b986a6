// Command package makes what the release command writes beside the binaries: the notices of all modules, and a bill of
// materials for each binary. The same inputs give the same bytes. Run it in a checkout:
//
//	package notices FILE             licences of the modules in the command; fails for a licence that is not on the list
//	package sbom BINARY FILE         CycloneDX
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "notices":
		return writeNotices(args[1])
	case len(args) == 3 && args[0] == "sbom":
		return writeSBOM(args[1], args[2])
	}
	return fmt.Errorf("usage: package notices FILE, or sbom BINARY FILE")
}
