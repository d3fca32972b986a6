package pipeline

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// recallMargin is how far the stored share of exact neighbours may be below the wanted one without a warning.
const recallMargin = 0.05

// pairWarnings says what the stage pair did not find. A run that stores all pairs lacks pairs of large buckets. A run
// that stores the nearest neighbours is judged by its sample, because a low bound on buckets is part of the choice of
// its index.
func (b publishStage) pairWarnings() []string {
	s, ok := b.dir.Stats("pair")
	if !ok {
		return nil
	}
	if b.config.Neighbours > 0 {
		return b.recallWarning(s)
	}
	if s.Counts["buckets_paired_in_part"] == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d keys are shared by more than %d documents each (max_bucket), one of them by %d, so that not all of these were compared: %d pairs were left out, many of them counted more than once",
		s.Counts["buckets_paired_in_part"], s.Counts[config.CountMaxBucket], s.Counts["largest_bucket"], s.Dropped["in-large-buckets-not-formed"])}
}

// recallWarning warns if too few of the exact neighbours of the sample are stored.
func (b publishStage) recallWarning(s run.StageStats) []string {
	sampled, stored := s.Counts[config.CountSampled], s.Counts[config.CountStored]
	share := float64(stored) / float64(max(1, sampled))
	if sampled == 0 || share >= b.config.Recall-recallMargin {
		return nil
	}
	advice := "give more keys (--set keys=N), or 0 to have the index chosen"
	if b.config.ChoosesIndex() {
		advice = "raise recall (--set recall=SHARE)"
	}
	return []string{fmt.Sprintf("of %d exact nearest neighbours of %d sampled bags, %d (%.3f) are stored, fewer than recall %.3g asks for: %s, or give --set rounds=2",
		sampled, s.Counts[config.CountSample], stored, share, b.config.Recall, advice)}
}
