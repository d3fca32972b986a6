package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/resemble"
	"github.com/spf13/pflag"
)

// reclustering is the flags of clusters that cluster the documents of a run again.
type reclustering struct {
	wanted bool

	// Of the topical view.
	threshold float64 // negative: that of the run
	order     string

	// Of the syntactic view.
	method string
	policy resemble.Policy
}

// againFlags are the flags of each view.
var againFlags = []struct {
	view, heading string
	flags         []string
}{
	{config.Topical, "Topical clusters with other settings", []string{"threshold", "order"}},
	{config.Syntactic, "Syntactic clusters with other settings", []string{"method", "resemblance", "link-contained"}},
}

func (a *reclustering) bind(f *pflag.FlagSet) {
	f.Float64Var(&a.threshold, "threshold", 0, "a member has an exact similarity of at least `S` to its center (default that of the run)")
	f.StringVar(&a.order, "order", "", "`ORDER` in which CENTER scans the documents: id, degree or similarity (default that of the run)")
	f.StringVar(&a.method, "method", query.MethodPairs, "`METHOD` of finding and joining similar pages: "+strings.Join(query.SyntacticMethods, ", "))
	f.Float64Var(&a.policy.Threshold, "resemblance", 0.5, "link two pages with an exact resemblance of at least `R`")
	f.Float64Var(&a.policy.Containment, "link-contained", 0, "also link two pages if one contains at least a share `C` of the other; 0: never")
	for _, of := range againFlags {
		inGroup(f, of.heading, of.flags...)
	}
	for _, name := range []string{"threshold", "resemblance", "link-contained"} {
		inRange(f, name, 0, 1)
	}
}

// checkAgain refuses wrong usage before the run is opened, and lets the flags choose the view.
func (l *clusterList) checkAgain(f *pflag.FlagSet) error {
	a := &l.again
	if !slices.Contains(query.SyntacticMethods, a.method) {
		return usage(fmt.Errorf("method %q is not one of %s", a.method, strings.Join(query.SyntacticMethods, ", ")))
	}
	if _, err := center.ParseOrder(a.order); a.order != "" && err != nil {
		return usage(err)
	}
	for _, of := range againFlags {
		i := slices.IndexFunc(of.flags, f.Changed)
		if i < 0 {
			continue
		}
		if a.wanted = true; l.view != "" && l.view != of.view {
			return usage(fmt.Errorf("--%s is for the %s view and does not go with the %s one", of.flags[i], of.view, l.view))
		}
		l.view = of.view
	}
	if !f.Changed("threshold") {
		a.threshold = -1
	}
	if a.wanted && (l.tree || l.contains != "") {
		return usage(errors.New("--tree and --contains are for the clusters of the run, not for those with other settings"))
	}
	return nil
}

// topical returns the topical clusters of the run or, if flags ask for them, others, without labels.
func (a *reclustering) topical(r *query.Run) ([]query.TopicalCluster, error) {
	if !a.wanted {
		return r.TopicalClusters()
	}
	threshold, order := a.threshold, center.Order(a.order)
	if threshold < 0 {
		threshold = r.Config.Threshold
	}
	if order == "" {
		order = r.Config.Order
	}
	return r.ReclusterTopical(threshold, order)
}

// syntactic is topical for the syntactic view.
func (a *reclustering) syntactic(ctx context.Context, r *query.Run, members bool) ([]query.SyntacticCluster, error) {
	if !a.wanted {
		return r.SyntacticClusters(members)
	}
	clusters, err := r.ReclusterSyntactic(ctx, a.method, a.policy)
	if !members {
		for i := range clusters {
			clusters[i].URLs = nil
		}
	}
	return clusters, err
}
