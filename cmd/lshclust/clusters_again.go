package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/pflag"
)

// againFlags lists, for each view, the flags that cluster it again.
var againFlags = []struct {
	view, heading string
	flags         []string
}{
	{config.Topical, "Topical clusters with other settings", []string{"threshold", "order"}},
	{config.Syntactic, "Syntactic clusters with other settings", []string{"method", "resemblance", "link-contained"}},
}

// checkAgain reports wrong usage before the run is opened, and chooses the view from the flags.
func (l *clusterList) checkAgain(f *pflag.FlagSet) error {
	for _, of := range againFlags {
		i := slices.IndexFunc(of.flags, f.Changed)
		if i < 0 {
			continue
		}
		if l.View != "" && l.View != of.view {
			return usage(fmt.Errorf("--%s is for the %s view and does not go with the %s one", of.flags[i], of.view, l.View))
		}
		l.View = of.view
		if l.Contains != "" {
			return usage(errors.New("--contains is for the clusters of the run, not for those with other settings"))
		}
	}
	return nil
}
