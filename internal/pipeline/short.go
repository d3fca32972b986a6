package pipeline

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
)

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
	case median < int64(c.Shingle):
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
