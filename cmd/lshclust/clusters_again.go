package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/query"
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

func (l *clusterList) bindAgain(f *pflag.FlagSet) {
	t, s := &l.topicalAgain, &l.textsAgain
	f.Float64Var(&t.Threshold, "threshold", 0, "a member has an exact similarity of at least `S` to its center (default that of the run)")
	oneOf(f, (*string)(&t.Order), "order", "", []string{"id", "degree", "similarity"}, "`ORDER` in which CENTER scans the documents (default that of the run)")
	oneOf(f, &s.Method, "method", query.MethodPairs, query.SyntacticMethods, "`METHOD` of finding and joining similar pages")
	f.Float64Var(&s.Policy.Threshold, "resemblance", 0.5, "link two pages with an exact resemblance of at least `R`")
	f.Float64Var(&s.Policy.Containment, "link-contained", 0, "also link two pages if one contains at least a share `C` of the other; 0: never")
	for _, of := range againFlags {
		inGroup(f, of.heading, of.flags...)
	}
	for _, name := range []string{"threshold", "resemblance", "link-contained"} {
		inRange(f, name, 0, 1)
	}
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
		if l.View = of.view; of.view == config.Topical {
			l.Topical = &l.topicalAgain
		} else {
			l.Syntactic = &l.textsAgain
		}
		if l.tree || l.contains != "" {
			return usage(errors.New("--tree and --contains are for the clusters of the run, not for those with other settings"))
		}
	}
	return nil
}
