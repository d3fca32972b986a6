package config

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/lsh"
)

// Validate returns a *SettingError for the first setting that is invalid by itself or together with others.
func (c Config) Validate() error {
	for _, s := range settings {
		if err := s.Check(c); err != nil {
			return err
		}
	}
	for _, t := range c.together() {
		if !t.ok {
			return &t.SettingError
		}
	}
	_, err := c.Reading()
	return err
}

// condition is a condition on several settings, with the error for the setting to change.
type condition struct {
	ok bool
	SettingError
}

// together returns the conditions on settings that depend on each other.
func (c Config) together() []condition {
	keys := lsh.MostKeys(c.Signatures, cmp.Or(c.KeySize, min(2, c.Signatures)))
	return append([]condition{
		{c.From == "" || c.To == "" || c.captured(), SettingError{"to", strconv.Quote(c.To), fmt.Sprintf("must not be before %s, which is where captures begin", c.From)}},
		{c.KeySize <= c.Signatures, SettingError{"key_size", fmt.Sprint(c.KeySize), fmt.Sprintf("must be 0 to %d", c.Signatures)}},
		{c.Keys <= keys, SettingError{"keys", fmt.Sprint(c.Keys), fmt.Sprintf("must be 0 to %d", keys)}},
		{c.KeySize > 0 || c.Keys == 0, SettingError{"key_size", "0", "must be given with keys; 0 for both lets a sample of the crawl choose"}},
		{c.MaxBucket >= 2 || c.MaxBucket == 0 && c.Keys == 0, SettingError{"max_bucket", fmt.Sprint(c.MaxBucket), fmt.Sprintf("must be 2 to %d; 0 for max_bucket and keys lets a sample of the crawl choose", maxNumber)}},
		{c.LinkContain == 0 || c.LinkContain >= c.Containment, SettingError{"link_contained", fmt.Sprint(c.LinkContain), fmt.Sprintf("must be 0 or at least the containment that is stored, %g", c.Containment)}},
	}, c.sketching()...)
}

// captured reports whether any time is between the earliest and the latest capture.
func (c Config) captured() bool {
	s, err := crawl.ParseSelection(c.From, c.To, nil, nil)
	return err == nil && s.From.Before(s.To)
}
