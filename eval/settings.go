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

// Variation is a configuration to be compared with others by the bags that it makes.
type Variation struct {
	Name    string        `json:"name"`    // "base", "window=8"
	Changed []Setting     `json:"changed"` // what is not as in the base
	Config  config.Config `json:"-"`
}

// Setting is a flag of lshclust cluster and its value.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SettingsOptions say how variations are compared.
type SettingsOptions struct {
	Depth     int // levels; 0: 3
	Half      score.Half
	Bootstrap int    // resamples for the intervals; 0: none
	Seed      uint64 // of the resamples
	Workers   int    // 0: all processors
	Memory    int64  // as in pipeline.Options
	Temp      string // folder for run directories, which are removed again; "": that of the system

	Progress func(done, of int, name string) // a variation begins; nil: none
}

// Ablation is what every variation is worth by one gold.
type Ablation struct {
	Gold     string        `json:"gold"`
	Inputs   []string      `json:"inputs"`
	Base     config.Config `json:"base"`
	Half     score.Half    `json:"half"`              // which targets are queries
	Targets  int           `json:"targets"`           // distinct URLs
	Known    int           `json:"known"`             // of these, documents of the base
	Queries  int           `json:"queries"`           //
	Lists    int           `json:"lists"`             // that they are in
	Levels   int           `json:"levels"`            // that any target has
	Skipped  gold.Skips    `json:"skipped,omitempty"` // rows of the gold that are no labels
	Rows     []AblationRow `json:"rows"`              // the base first
	Damaged  int64         `json:"damaged"`           // parts of the inputs that were unreadable and skipped
	Warnings []string      `json:"warnings,omitempty"`
}

// AblationRow is what one variation is worth.
type AblationRow struct {
	Variation
	All   SettingScores  `json:"all"`   // of all pairs
	Apart *SettingScores `json:"apart"` // without those that one page links to together; null if they are not known
}

// SettingScores are figures of the nearest neighbours by exact similarity of bags.
type SettingScores struct {
	Coverage    score.Figure   `json:"coverage"`
	Hits        []score.Figure `json:"same_category"` // of each level: of all queries, those whose nearest target is in the same category
	Differences []score.Figure `json:"differences"`   // of each level: that share less the one of the base, on the same resamples; none of the base
}

// BaseName is the name of the first row.
const BaseName = "base"

// ErrSameBags is wrapped by the error of Settings for two variations that make the same bags.
var ErrSameBags = errors.New("they make the same bags")

// Settings compares variations with a base by golds: for each, the bags of all documents are made, those of the targets
// compared with one another exactly, and their nearest neighbours scored. No signature and no index takes part, so what
// differs is due to the bags alone. Variations that differ only in how terms are weighted share one reading of the
// inputs. The result does not depend on the number of workers.
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

// raw is the part of a configuration that decides the raw bags: all but what comes after them.
func raw(c config.Config) config.Config {
	c.Preset, c.Seed, c.Views = "", 0, nil
	c.Weighting, c.TF, c.Sum, c.MinDF, c.MaxDF = "", "", 0, 0, 0
	c.Signatures, c.KeySize, c.Keys, c.MaxBucket, c.Reach = 0, 0, 0, 0, 0
	c.Floor, c.Similarity, c.Neighbours, c.Threshold, c.Order = 0, 0, 0, 0, ""
	c.Shingle, c.Bits, c.Tokens, c.Labelled, c.Punctuation, c.Modulus = 0, 0, "", false, false, 0
	c.Resemblance, c.Containment, c.LinkContain, c.MaxCommon, c.Strip = 0, 0, 0, 0, ""
	return c
}

// weighting is how a configuration makes bags of raw bags.
func weighting(c config.Config) bags.Weighting {
	return bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
}

// SameBags tells whether two configurations make the same bags of any input.
func SameBags(a, b config.Config) bool {
	return weighting(a) == weighting(b) && reflect.DeepEqual(raw(a), raw(b))
}

// gatherings groups variations, by their numbers, whose raw bags are the same; the base is in the first group.
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
