package run

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// processorTest is set in the environment of the process that TestSameBytesOnAnyProcessor starts.
const processorTest = "LSHCLUST_TEST_PROCESSOR"

// TestSameBytesOnAnyProcessor checks that tables have the same bytes whether or not the processor has AVX2 and other
// extensions, which parquet-go uses if available. Columns with dictionaries would differ: with AVX2, parquet-go ends
// a run of indexes at every group of eight whose first four are equal and whose last four are equal.
func TestSameBytesOnAnyProcessor(t *testing.T) {
	if os.Getenv(processorTest) != "" {
		for _, line := range tableDigests(t) {
			fmt.Println(line)
		}
		return
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("only on amd64 do encoders depend on the processor")
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestSameBytesOnAnyProcessor$")
	cmd.Env = append(os.Environ(), processorTest+"=1", "GODEBUG=cpu.all=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range tableDigests(t) {
		if !strings.Contains(string(out), want+"\n") {
			t.Errorf("without the extensions of the processor, a table has other bytes than %s:\n%s", want, out)
		}
	}
}

// tableDigests writes tables of all kinds and returns a line for each, with its digest.
func tableDigests(t *testing.T) []string {
	rows := rand.New(rand.NewPCG(3, 4))
	var text []string // each once to twelve times in a row, of which four times matters
	for i := 0; len(text) < 10_000; i++ {
		for range 1 + rows.IntN(12) {
			text = append(text, fmt.Sprintf("https://host%d.example/%d", i%7, i%5000))
		}
	}
	word := func(i int) string { return text[i][:14] }
	return []string{
		digestOf(t, text, func(i int) PageRow {
			return PageRow{
				ID: int64(i) * 3, URL: text[i], URLSurtkey: text[i], URLHostName: word(i), FetchTime: int64(i%3) * 1e12, Title: text[i][i%20:], NTokens: int32(i),
				Language: word(i), PageLabel: word(i)[:i%2], NoIndex: i%3 == 0, Hreflang: []string{"de x", "fr y"}[:i%3/2*2], Crawled: i%9 < 4, Input: word(i),
			}
		}),
		digestOf(t, text, func(i int) RedirectRow {
			return RedirectRow{URL: text[i], TargetURL: text[i/2], Hops: int32(i % 3), Kind: word(i), FetchTime: int64(i)}
		}),
		digestOf(t, text, func(i int) TopicalPairRow {
			return TopicalPairRow{URLA: text[i], URLB: text[i/3], Similarity: rows.Float32()}
		}),
		digestOf(t, text, func(i int) TopicalClusterRow {
			return TopicalClusterRow{URL: text[i], ClusterID: word(i), ClusterSize: int32(i % 40), IsCenter: i%8 < 4, SimilarityToCenter: rows.Float32(), LabelTerms: []string{word(i)}}
		}),
		digestOf(t, text, func(i int) TopicalTreeRow {
			return TopicalTreeRow{ID: word(i), ParentID: text[i][:i%9], Level: int32(i % 5), CenterURL: text[i], Path: []string{word(i), word(i / 2)}[:i%3], Size: int32(i % 9)}
		}),
		digestOf(t, text, func(i int) SyntacticPairRow {
			return SyntacticPairRow{URLA: text[i], URLB: text[i/3], Resemblance: rows.Float32(), Relation: word(i)}
		}),
		digestOf(t, text, func(i int) SyntacticEstimateRow {
			return SyntacticEstimateRow{URLA: text[i], URLB: text[i/3], Resemblance: rows.Float32(), Relation: word(i), Samples: int32(i)}
		}),
		digestOf(t, text, func(i int) SyntacticClusterRow {
			return SyntacticClusterRow{URL: text[i], ClusterID: word(i), ClusterSize: 3, IsRepresentative: i%8 < 4, Relation: word(i)}
		}),
	}
}

func digestOf[T Row](t *testing.T, text []string, row func(i int) T) string {
	t.Helper()
	rows := make([]T, len(text))
	for i := range rows {
		rows[i] = row(i)
	}
	path := filepath.Join(t.TempDir(), "table")
	writeTable(t, path, rows)
	is, err := DigestFile(t.Context(), path)
	must(t, err)
	return fmt.Sprintf("%T %s", rows[0], is.Digest)
}
