package pipeline

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// warnings returns what a person should know before trusting the run.
func (b publishStage) warnings() []string {
	var out []string
	if n := b.dropped.Damaged(); n > 0 {
		out = append(out, fmt.Sprintf("parts of the input that cannot be read and were skipped: %d; lshclust info lists them", n))
	}
	if n := b.dropped.Count(record.ReasonOneMember); n > 0 {
		out = append(out, fmt.Sprintf("%d inputs are compressed as a whole, not record by record: each was read from its start by one worker", n))
	}
	if n := b.dropped.Count(record.ReasonRunDir); n > 0 {
		out = append(out, fmt.Sprintf("run directories inside the inputs, which are no input: %d; lshclust info names them", n))
	}
	out = append(out, b.otherTexts()...)
	if b.config.Has(config.Topical) {
		out = append(out, b.pairWarnings()...)
	}
	out = append(out, b.syntacticWarnings()...)
	if s, _ := b.dir.Stats("weigh"); b.config.Has(config.Topical) && s.In > 0 && s.Out == 0 {
		out = append(out, "no bag has a term that counts: terms in one document only, or in all of them, tell nothing; there is too little text around links for a topical view")
	}
	if links := b.windowSource(); links["anchor"] > 0 {
		out = append(out, fmt.Sprintf("%d of %d links came without the words around them: their windows are the anchors alone (window_source anchor)",
			links["anchor"], links["anchor"]+links["given"]+links["page"]))
	}
	if documents, _ := b.dir.Stats("group"); documents.Out == 0 {
		out = append(out, "the input holds no page and no link")
	}
	return out
}

// windowSource counts links by the source of the words around them. It returns nil if all words come from pages.
func (b publishStage) windowSource() map[string]int64 {
	read, _ := b.dir.Stats("read")
	given, anchor := read.Counts["links_given_with_words_around"], read.Counts["links_given_as_anchors_alone"]
	if given+anchor == 0 {
		return nil
	}
	out := map[string]int64{}
	for name, n := range map[string]int64{"page": read.Counts["links"] - given - anchor, "given": given, "anchor": anchor} {
		if n > 0 {
			out[name] = n
		}
	}
	return out
}

// otherTexts warns of pages of other texts that may have been lost, because a rule, or an id, made one document of several.
func (b publishStage) otherTexts() (out []string) {
	read, _ := b.dir.Stats("read")
	for _, rule := range capture.Joiners() {
		if n := read.Counts[otherText+rule]; n > 0 {
			out = append(out, capture.OtherText(rule, n, "were"))
		}
	}
	return out
}

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

// sketchWarnings returns what a person should know before trusting estimates.
func (b *build) sketchWarnings() []string {
	if !b.config.Sketched() {
		return nil
	}
	s := b.config.Sketcher()
	out := fmt.Sprintf("the run keeps sketches %s of its pages, so that resemblance and containment are estimates (std_error in syntactic_pairs tells the error to expect)", s)
	if !s.Kind.Containment() {
		out = fmt.Sprintf("the run keeps sketches %s of its pages, so that resemblance is an estimate (std_error in syntactic_pairs tells the error to expect); they tell nothing of containment, and no pair is stored for it", s)
	}
	return []string{out}
}

// shortText is a number of words. If half of the pages have fewer, the run warns that its shingles are too long for
// them. The resemblance of a page of 200 words to its original falls below one half after seven changed words with
// shingles of ten words, and after twenty-three with shingles of three.
const shortText = 200

// shortShingle and shortResemblance are settings for short texts. With them, at least 0.98 of all paragraphs of 20 to
// 200 words with every eighth word changed are found again, and hardly any other pair (TestEditedTexts in package
// resemble).
const (
	shortShingle     = 3
	shortResemblance = 0.3
)

// fewPages is the number of pages below which a run does not warn about their length.
const fewPages = 10

// wordCounts counts pages by their number of words.
type wordCounts map[uint32]int64

// add counts a page unless it has no words.
func (w *wordCounts) add(words uint32) {
	if *w == nil {
		*w = wordCounts{}
	}
	if words > 0 {
		(*w)[words]++
	}
}

// median returns the least number of words that half of the pages do not exceed, or 0 without pages.
func (w wordCounts) median() int64 {
	all, below := int64(0), int64(0)
	for _, n := range w {
		all += n
	}
	for _, words := range slices.Sorted(maps.Keys(w)) {
		if below += w[words]; 2*below >= all {
			return int64(words)
		}
	}
	return 0
}

// syntacticWarnings returns what a person should know before trusting the syntactic view.
func (b publishStage) syntacticWarnings() (out []string) {
	out = b.sketchWarnings()
	if s, _ := b.dir.Stats("resemble"); s.Counts["frequent_shingles_paired_in_part"] > 0 {
		out = append(out, fmt.Sprintf("the pages of %d frequent shingles, of which %d are in more than %d pages (max_common), were paired only in part; %d pages have half of their rarest samples or more among these shingles, so near-duplicates of them may be missing",
			s.Counts["frequent_shingles_paired_in_part"], s.Dropped["shingles-in-too-many-pages"], b.config.MaxCommon, s.Counts["pages_with_half_their_samples_ignored"]))
	}
	if s, _ := b.dir.Stats("shingle"); s.Out >= fewPages {
		out = append(out, shortTexts(b.config, s.Counts["median_words"])...)
	}
	return out
}

// shortTexts suggests settings for pages of a median length, unless the run has them.
func shortTexts(c config.Config, median int64) []string {
	switch {
	case median == 0 || median >= shortText || c.Shingle <= shortShingle:
		return nil
	case median < int64(c.Shingle): // half of the pages have too few words for any shingle
		return []string{fmt.Sprintf("half of the pages have %d words or fewer, which is no shingle of %d words: they are found only where they equal one another; try --set shingle=%d --resemblance %g",
			median, c.Shingle, shortShingle, shortResemblance)}
	}
	r := c.Resemblance
	return []string{fmt.Sprintf("half of the pages have %d words or fewer: with --set shingle=%d, %s can hide that a page of %d words is a version of another (resemblance below %g); with --set shingle=%d it takes %d, with --set shingle=%d --resemblance %g it takes %d",
		median, c.Shingle, changedWords(apart(median, c.Shingle, r)), median, r,
		shortShingle, apart(median, shortShingle, r), shortShingle, shortResemblance, apart(median, shortShingle, shortResemblance))}
}

// apart returns the number of changed words, each at least w words from the next, that reduces the resemblance of a
// text to its original below r. Each changed word removes w shared shingles and adds w shingles to each text.
func apart(words int64, w int, r float64) int64 {
	shingles := float64(max(1, words-int64(w)+1))
	return 1 + int64(shingles*(1-r)/(float64(w)*(1+r)))
}

func changedWords(n int64) string {
	if n == 1 {
		return "one changed word"
	}
	return fmt.Sprintf("%d changed words", n)
}
