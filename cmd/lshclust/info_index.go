package main

import (
	"encoding/json"
	"fmt"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// indexLine tells which index the run used, why, and how many of the exact neighbours of a sample the run stores. It
// returns "" for a run without bags.
func indexLine(m *run.Manifest) string {
	var c config.Config
	s, ok := m.Stage("pair")
	if !ok || m.Counts["distinct_bags"] == 0 || json.Unmarshal(m.Config, &c) != nil {
		return ""
	}
	used := c.WithIndex(s.Counts)
	line := fmt.Sprintf("index: %d keys of %d signatures, buckets of up to %d", used.Keys, used.KeySize, used.MaxBucket)
	if c.ChoosesIndex() && c.Neighbours > 0 {
		line += fmt.Sprintf(", chosen so that %.3g of the ten nearest are stored", c.Recall)
	} else if c.ChoosesIndex() {
		line += fmt.Sprintf(", chosen so that %.3g of the ten nearest are found", c.Recall)
	}
	if sampled := s.Counts[config.CountSampled]; sampled > 0 {
		stored := s.Counts[config.CountStored]
		line += fmt.Sprintf(": of %d exact neighbours of %d sampled bags %d (%.3f) are stored", sampled, s.Counts[config.CountSample], stored, float64(stored)/float64(sampled))
	}
	return line
}
