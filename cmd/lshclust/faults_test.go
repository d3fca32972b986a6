package main

import (
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestFaults runs commands on inputs that once gave wrong answers. TestFaults of crawl reads such inputs.
func TestFaults(t *testing.T) {
	faults := shareddata.Faults(t, "")
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "faults"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("FAULTS", faults)
			return nil
		},
	})
}
