package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// compareIDs compares documents like their ids: by the hash of the URL, then by the URL.
func compareIDs(hashA uint64, urlA string, hashB uint64, urlB string) int {
	return cmp.Or(cmp.Compare(hashA, hashB), strings.Compare(urlA, urlB))
}

// resources returns what package resemble may use in a stage.
func (b syntacticStages) resources(from *opened) resemble.Resources {
	return resemble.Resources{Memory: b.memory / 2, Dir: from.tempDir("sort-pages"), Workers: b.workers}
}

// equal finds the pages that equal others, the boilerplate of the hosts, and the pages that are equal apart from
// boilerplate.
func (b syntacticStages) equal(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	stats := run.StageStats{}
	pages, r := table(from, tables.ShinglesFile, tables.OpenShingles), b.resources(from)
	if err := from.Ready(); err != nil {
		return stats, err
	}
	b.report.Stage("equal", "pages", int64(pages.Len()))
	equal, strip, found, err := resemble.FindEqualAndBoilerplate(ctx, pages, b.config.Stripped(), r)
	if err != nil {
		return stats, err
	}
	n := equal.Stats()
	stats.In, stats.Out = int64(n.Documents), int64(n.Representatives)
	stats.Counts = map[string]int64{
		"identical": int64(n.Identical), "lexical": int64(n.Lexical), "shingle_equivalent": int64(n.Shingle),
		"hosts_with_boilerplate": int64(found.Templates), "boilerplate_shingles": int64(found.Values), "frequent_shingles_that_are_copied_text": int64(found.Copies),
		countWhole: int64(found.Whole),
	}
	return stats, tables.WriteEqual(out.named(tables.EqualFile), equal, strip)
}

// resemble finds the pairs of pages that resemble or contain each other.
func (b syntacticStages) resemble(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	stats := run.StageStats{}
	pages, docs, r := table(from, tables.ShinglesFile, tables.OpenShingles), table(from, tables.DocumentsFile, tables.OpenDocuments), b.resources(from)
	if err := from.Ready(); err != nil {
		return stats, err
	}
	equal, strip, err := b.readEqual()
	if err != nil {
		return stats, err
	}
	w := tables.CreateSimilar(out.named(tables.SimilarFile))
	defer w.Abort()
	b.report.Stage("resemble", "pages", int64(pages.Len()))
	got, err := resemble.Pairs(ctx, pages, equal, strip, b.config.Pairs(r), func(pairs []resemble.Pair) error {
		for _, p := range pairs {
			w.Add(p)
			b.report.At(int64(p.A))
		}
		return nil
	})
	if err != nil {
		return stats, err
	}
	if err := writeCommon(out.named(commonFile), got.SelfJoin, pages, docs); err != nil {
		return stats, err
	}
	return b.estimated(resembleStats(got)), w.Close()
}

// countWhole is the count of pages that are nearly all text that their host repeats, and compared with it.
const countWhole = "pages_of_repeated_text_compared_whole"

// commonFile contains the examples of common shingles for the manifest.
const commonFile = "work/common.json"

// commonExamples is the number of common shingles in the manifest.
const commonExamples = 5

// writeCommon writes which shingles were too common to pair, with examples of pages that contain them, for the
// manifest.
func writeCommon(path string, j resemble.SelfJoinStats, pages *tables.Shingles, docs *tables.Documents) error {
	d := run.Dropped{Reason: run.ReasonCommonShingle, Count: int64(j.CommonKeys)}
	for _, c := range j.Common[:min(len(j.Common), commonExamples)] {
		example := fmt.Sprintf("a shingle in %d pages", c.Documents)
		for _, page := range c.Examples[:min(len(c.Examples), 2)] {
			example += ", " + docs.URL(pages.Document(page))
		}
		d.Examples = append(d.Examples, example)
	}
	return writeJSON(path, d)
}

func resembleStats(s resemble.Stats) run.StageStats {
	j := s.SelfJoin
	return run.StageStats{
		In: int64(s.Representatives), Out: int64(s.Similar + s.Contained),
		Dropped: map[string]int64{
			"pages-without-shingles": int64(s.Empty), "pages-labelled-as-no-content": int64(s.Notices), "pages-with-fewer-than-4-shingles": int64(s.Short),
			"shingles-in-too-many-pages": int64(j.CommonKeys), "pairs-not-formed-of-frequent-shingles": int64(j.PairsNotFormed),
			"pairs-too-unlike-by-their-samples": int64(s.TurnedAway),
		},
		Counts: map[string]int64{
			"similar": int64(s.Similar), "contained": int64(s.Contained), "pairs_compared_exactly": int64(s.Compared), "sampled_shingles": int64(j.Records),
			"short_pages_sampled_more_finely": int64(s.Fine), "pages_compared_without_boilerplate": int64(s.Stripped),
			"pages_compared_by_less_than_a_quarter": int64(s.Scant),
			"pages_of_boilerplate_compared_with_it": int64(s.MostlyBoilerplate), "pages_with_half_their_samples_ignored": int64(s.MostlyIgnored),
			"frequent_shingles_paired_in_part": int64(j.PartlyPaired), "pages_with_the_most_frequent_shingle": int64(j.LongestList),
		},
	}
}
