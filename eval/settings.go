package eval

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
)

// Variation is a configuration that is compared with others by the bags that it makes.
type Variation struct {
	Name    string        `json:"name"`    // "base", "window=8"
	Changed []Setting     `json:"changed"` // settings that differ from the base
	Config  config.Config `json:"-"`
}

// Setting is a flag of lshclust cluster with its value.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SettingsOptions holds the options of CompareSettings.
type SettingsOptions struct {
	Depth     int // number of levels; 0: 3
	Half      score.Half
	Bootstrap int    // number of resamples for the intervals; 0: no intervals
	Seed      uint64 // of the resamples
	Workers   int    // 0: one for each processor
	Memory    int64  // as in pipeline.Options
	Temp      string // folder for temporary run directories; "": that of the system

	Progress func(done, of int, name string) // called when a variation begins; may be nil
}

// Ablation holds the scores of all variations against one gold.
type Ablation struct {
	Gold     string        `json:"gold"`
	Inputs   []string      `json:"inputs"`
	Base     config.Config `json:"base"`
	Half     score.Half    `json:"half"`              // which targets are queries
	Targets  int           `json:"targets"`           // distinct URLs
	Known    int           `json:"known"`             // targets that are documents of the base
	Queries  int           `json:"queries"`           //
	Lists    int           `json:"lists"`             // number of lists with a query
	Levels   int           `json:"levels"`            // number of levels that any target has
	Skipped  gold.Skips    `json:"skipped,omitempty"` // rows of the gold that are not labels
	Rows     []AblationRow `json:"rows"`              // the base first
	Damaged  int64         `json:"damaged"`           // number of unreadable parts of the inputs that were skipped
	Warnings []string      `json:"warnings,omitempty"`
}

// AblationRow holds the scores of one variation.
type AblationRow struct {
	Variation
	All   SettingScores  `json:"all"`   // over all pairs
	Apart *SettingScores `json:"apart"` // without the pairs that one page links to together; null if these are not known
}

// SettingScores holds the figures of the nearest neighbours by exact similarity of bags.
type SettingScores struct {
	Coverage    score.Figure   `json:"coverage"`
	Hits        []score.Figure `json:"same_category"` // at each level, the share of all queries whose nearest target is in the same category
	Differences []score.Figure `json:"differences"`   // at each level, that share minus the share of the base, on the same resamples; empty for the base
}

// BaseName is the name of the first row.
const BaseName = "base"

// ErrSameBags is wrapped by the error of CompareSettings if two variations make the same bags.
var ErrSameBags = errors.New("they make the same bags")

// CompareSettings compares variations with a base against golds. For each variation it makes the bags of all documents,
// compares those of the targets with one another exactly, and scores their nearest neighbours. It uses no signatures
// and no index, so differences are due to the bags alone. Variations that differ only in how terms are weighted share
// one pass over the inputs. The result does not depend on the number of workers.
func CompareSettings(ctx context.Context, inputs []string, golds []*gold.Gold, base config.Config, vary []Variation, o SettingsOptions) ([]*Ablation, error) {
	if o.Depth == 0 {
		o.Depth = 3
	}
	vary = append([]Variation{{Name: BaseName, Changed: []Setting{}, Config: base}}, vary...)
	for i := range vary {
		vary[i].Config.Views = []string{config.Topical}
		if j := slices.IndexFunc(vary[:i], func(v Variation) bool { return SameBags(v.Config, vary[i].Config) }); j >= 0 {
			return nil, fmt.Errorf("%s and %s: %w", vary[j].Name, vary[i].Name, ErrSameBags)
		}
	}
	a := &ablating{options: o, inputs: inputs, vary: vary}
	for _, g := range golds {
		d, err := score.NewDirectory(g.Labels, o.Depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		a.golds = append(a.golds, &ablatedGold{Directory: d, gold: g})
	}
	for _, group := range gatherings(vary) {
		if err := a.gather(ctx, group); err != nil {
			return nil, err
		}
	}
	var out []*Ablation
	for _, g := range a.golds {
		out = append(out, g.out)
	}
	return out, nil
}

// raw returns the part of a configuration that decides the raw bags. It clears everything that is applied later.
func raw(c config.Config) config.Config {
	c.Preset, c.Seed, c.Views = "", 0, nil
	c.Weighting, c.TF, c.Sum, c.MinDF, c.MaxDF = "", "", 0, 0, 0
	if c.Terms = 0; c.Content > 0 { // the raw bags have the terms of the content, whatever these weigh
		c.Content = 1
	}
	c.Signatures, c.KeySize, c.Keys, c.MaxBucket, c.Reach = 0, 0, 0, 0, 0
	c.Floor, c.Similarity, c.Neighbours, c.Threshold, c.Order = 0, 0, 0, 0, ""
	c.Apart, c.Rounds, c.Width, c.Recall, c.Tree = 0, 0, 0, 0, nil
	c.Shingle, c.Bits, c.Tokens, c.Labelled, c.Punctuation, c.Modulus = 0, 0, "", false, false, 0
	c.Resemblance, c.Containment, c.LinkContain, c.MaxCommon, c.Strip = 0, 0, 0, 0, ""
	return c
}

// weighting returns the part of a configuration that turns raw bags into bags.
func weighting(c config.Config) bags.Weighting {
	return c.BagWeighting()
}

// SameBags reports whether two configurations make the same bags of any input.
func SameBags(a, b config.Config) bool {
	return weighting(a) == weighting(b) && reflect.DeepEqual(raw(a), raw(b))
}

// gatherings groups variations, given by their indices, whose raw bags are the same. The base is in the first group.
func gatherings(vary []Variation) (groups [][]int) {
	for i, v := range vary {
		same := func(group []int) bool { return reflect.DeepEqual(raw(vary[group[0]].Config), raw(v.Config)) }
		if j := slices.IndexFunc(groups, same); j >= 0 {
			groups[j] = append(groups[j], i)
		} else {
			groups = append(groups, []int{i})
		}
	}
	return groups
}
