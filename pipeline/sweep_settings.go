package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sweep"
	"github.com/lshclust/lshclust/run"
)

// ErrSettings is the error for a run that cannot build upon an earlier one because they read pages differently.
var ErrSettings = errors.New("the earlier run has other settings")

// freeSettings are the settings that do not change what the stage read makes of a page, by the names that they have in
// the manifest. Of the settings of the input, those that change the URL or the text of a page are in its key.
var freeSettings = []string{
	"preset", "base", "map", "max_page", "from", "to", "status", "mime", "tokens", "host_damping", "weighting", "tf", "bag_sum",
	"min_df", "max_df", "signatures", "key_size", "keys", "max_bucket", "reach", "floor", "min_similarity", "neighbours", "apart",
	"rounds", "width", "recall", "threshold", "order", "tree", "index_modulus", "resemblance", "containment", "link_contained",
	"max_common", "strip", "content_terms", "sweep", "after", "forget",
}

// checkAfter checks whether a run can build upon the earlier run that its configuration names, whose path it makes
// absolute.
func checkAfter(out string, c *config.Config) (err error) {
	if c.After == "" {
		if c.Forget != "" {
			return errors.New("pages are forgotten only by a run that comes after another one; name that one (--after)")
		}
		return nil
	}
	c.Sweep = true
	if c.After, err = filepath.Abs(c.After); err != nil {
		return err
	}
	if full, err := filepath.Abs(out); err == nil && full == c.After {
		return fmt.Errorf("%s: a run cannot come after itself; choose another output directory (-o)", out)
	}
	r, err := run.Open(c.After)
	if err != nil {
		return fmt.Errorf("the run to build upon: %w", err)
	}
	var earlier config.Config
	if err := json.Unmarshal(r.Manifest.Config, &earlier); err != nil {
		return fmt.Errorf("%s: configuration: %w", c.After, err)
	}
	if !r.Has(sweep.IndexFile) {
		return fmt.Errorf("%s: %w; build it again with: lshclust cluster -o NEWRUN --sweep%s", c.After, sweep.ErrNothingKept, inputsOf(r))
	}
	if err := sameReading(r, earlier, *c); err != nil {
		return err
	}
	s, err := sweep.Open(c.After)
	if errors.Is(err, mapped.ErrVersion) {
		return fmt.Errorf("%w; another version of lshclust kept its pages; build it again with: lshclust cluster -o NEWRUN --sweep%s", err, inputsOf(r))
	}
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Reader != readerVersion {
		return fmt.Errorf("%s: another version of lshclust read its pages, with version %d of the reader, and this one has version %d; build it again with: lshclust cluster -o NEWRUN --sweep%s",
			c.After, s.Reader, readerVersion, inputsOf(r))
	}
	return nil
}

// ErrRebuilt is the error for a stopped run that cannot go on because the run that it builds upon is another one since.
var ErrRebuilt = errors.New("the run to build upon is not the one with which this run was begun")

// keepEarlier keeps the digest of the run that this one builds upon, until a part is recorded that may hold places of its
// records.
func (b *build) keepEarlier() error {
	if b.config.After == "" || b.dir.Done("read") {
		return nil
	}
	if len(b.dir.Parts("read")) > 0 {
		return b.checkEarlier()
	}
	r, err := run.Open(b.config.After)
	if err != nil {
		return err
	}
	return b.dir.SetEarlier(r.Manifest.Digest)
}

// checkEarlier checks whether the run that this one builds upon is still the same.
func (b *build) checkEarlier() error {
	begun := b.dir.Earlier()
	if b.config.After == "" || begun == "" { // a version that kept no digest began the run
		return nil
	}
	r, err := run.Open(b.config.After)
	if err != nil || r.Manifest.Digest == begun {
		return err
	}
	return fmt.Errorf("%s: %w: %s was built anew, and the parts that are done have places of records of the old one; "+
		"remove this run and give the same command again, choose another output directory (-o), or put the old run back",
		b.dir.Path(""), ErrRebuilt, b.config.After)
}

// inputsOf returns the first inputs of a run for a command line.
func inputsOf(r *run.Run) (out string) {
	const most = 3
	for i, in := range r.Manifest.Inputs {
		if i == most {
			return out + " …"
		}
		out += " " + in.Path
	}
	return out
}

// sameReading returns an error with the settings that differ and matter to the stage read.
func sameReading(r *run.Run, earlier, now config.Config) error {
	was, is, err := valuesOf(earlier, now)
	if err != nil {
		return err
	}
	var differ, flags []string
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if slices.Contains(freeSettings, key) || bytes.Equal(was[key], is[key]) {
			continue
		}
		differ = append(differ, fmt.Sprintf("%s is %s there and %s here", key, was[key], is[key]))
		if key == "url_rules_version" { // which no flag sets
			continue
		}
		flags = append(flags, "--"+strings.ReplaceAll(key, "_", "-")+"="+flagValue(was[key]))
	}
	if len(differ) == 0 {
		return nil
	}
	give := ""
	if len(flags) == len(differ) {
		give = "give " + strings.Join(flags, " ") + ", or "
	}
	return fmt.Errorf("%s: %w: %s; %sbuild it again with your settings: lshclust cluster -o NEWRUN --sweep%s",
		r.Root(), ErrSettings, strings.Join(differ, "; "), give, inputsOf(r))
}

// valuesOf returns the settings of two configurations by their names. Both have all names.
func valuesOf(a, b config.Config) (of, other map[string]json.RawMessage, err error) {
	for _, at := range []struct {
		c  config.Config
		to *map[string]json.RawMessage
	}{{a, &of}, {b, &other}} {
		j, e := json.Marshal(at.c)
		err = errors.Join(err, e, json.Unmarshal(j, at.to))
	}
	for key := range of {
		if _, ok := other[key]; !ok {
			other[key] = json.RawMessage(`""`)
		}
	}
	for key := range other {
		if _, ok := of[key]; !ok {
			of[key] = json.RawMessage(`""`)
		}
	}
	return of, other, err
}

// flagValue returns a value as a flag takes it.
func flagValue(v json.RawMessage) string {
	var list []string
	if json.Unmarshal(v, &list) == nil {
		return strings.Join(list, ",")
	}
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
