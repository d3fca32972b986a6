package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// With sketch=KIND, the read stage reduces the set of shingles of a page to a sketch as soon as it is made. Later
// stages see only the samples of the sketch, so their figures are estimates. The number of distinct shingles and the
// digest of the whole set are stored with the samples, so that pages with the same shingles are found exactly. Pages
// that are equal only without the boilerplate of their hosts are not found as equal: they are pairs with an estimated
// resemblance of 1.

// createShingles starts the table of shingles, or of sketches.
func (b syntacticStages) createShingles(path string) *tables.ShinglesWriter {
	if b.config.Sketched() {
		return tables.CreateSketches(path, b.config.Sketcher())
	}
	return tables.CreateShingles(path)
}

// countKept counts the distinct shingles of a page and the stored samples.
func (b syntacticStages) countKept(counts map[string]int64, p tables.ShinglePage) {
	stored, _ := binary.Uvarint(p.Packed)
	if !b.config.Sketched() {
		counts["distinct_in_page"] += int64(stored)
		return
	}
	counts["distinct_in_page"] += int64(p.Distinct)
	counts["samples"] += int64(stored)
}

// indexed returns the configuration of the index. An index of sketches contains every sample.
func indexed(c config.Config) config.Config {
	if c.Sketched() {
		c.IndexOneIn = 1
	}
	return c
}

// estimated renames the counts of the resemble stage for a run that keeps sketches.
func (b syntacticStages) estimated(s run.StageStats) run.StageStats {
	if !b.config.Sketched() {
		return s
	}
	rename(s.Counts, "pairs_compared_exactly", "pairs_compared_by_sketches")
	rename(s.Counts, "sampled_shingles", "samples_paired")
	rename(s.Dropped, "pages-with-fewer-than-4-shingles", "pages-with-fewer-than-4-samples")
	rename(s.Dropped, "pages-without-shingles", "pages-without-samples")
	delete(s.Dropped, "pairs-too-unlike-by-their-samples")
	delete(s.Counts, "short_pages_sampled_more_finely")
	return s
}

func rename(counts map[string]int64, from, to string) {
	counts[to] = counts[from]
	delete(counts, from)
}
