package query

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/shingles"
)

// TestParagraphs looks up paragraphs that were cut at random from the pages of the sample.
func TestParagraphs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl.gz")
	f, err := os.Create(path)
	must(t, err)
	z := gzip.NewWriter(f)
	_, err = io.WriteString(z, strings.Join(samplePages(t, 200), "\n"))
	must(t, err, z.Close(), f.Close())
	findParagraphs(t, "sample", path, 100, map[int]float64{20: 0.97, 50: 0.98, 100: 0.98})
}

// findParagraphs measures how many of n paragraphs of each length, cut at random from the pages of a run, query finds in the
// page that they were cut from.
func findParagraphs(t *testing.T, name, path string, n int, floor map[int]float64) {
	t.Helper()
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	r := clustered(t, c, path)
	logSize(t, name, r)
	texts := visibleTexts(t, r, path)
	for _, words := range []int{20, 50, 100} {
		found, certain := lookUp(t, r, cut(texts, words, n))
		recall := float64(found) / float64(n)
		t.Logf("| %s | %d words | %.3f | %.3f |", name, words, recall, certain/float64(n))
		if recall < floor[words] {
			t.Errorf("%d words: %d of %d paragraphs found", words, found, n)
		}
	}
}

// clustered builds a run from one input. It stays open until the test ends.
func clustered(t *testing.T, c config.Config, input string) *Run {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(context.Background(), out, []string{input}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func logSize(t *testing.T, name string, r *Run) {
	all := int64(0)
	for _, f := range r.Manifest.Tables {
		all += f.Bytes
	}
	posts, _ := r.Manifest.Table(tables.PostingsFile)
	stored, _ := r.Manifest.Table(tables.ShinglesFile)
	index, _ := r.Manifest.Stage("index")
	shingle, _ := r.Manifest.Stage("shingle")
	resemble, _ := r.Manifest.Stage("resemble")
	t.Logf("%s: %d pages, %d distinct shingles, %d postings in %.1f MB beside %.1f MB of shingles, run %.1f MB; index %.2f s wall %.2f s cpu, resemble %.2f s wall %.2f s cpu, %v %v",
		name, r.pages.Len(), shingle.Counts["distinct_in_page"], index.Out, float64(posts.Bytes)/1e6, float64(stored.Bytes)/1e6, float64(all)/1e6,
		index.WallSeconds, index.CPUSeconds, resemble.WallSeconds, resemble.CPUSeconds, index.Counts, resemble.Counts)
}

// pageText is a page of the run with its words.
type pageText struct {
	id    uint32
	words [][]byte
}

// visibleTexts reads the pages of an input again.
func visibleTexts(t testing.TB, r *Run, path string) (texts []pageText) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	parser, err := r.Parser()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(z); d.More(); {
		var line struct{ URL, HTML, Text string }
		if err := d.Decode(&line); err != nil {
			t.Fatal(err)
		}
		p := crawl.Page{Text: []byte(line.Text)}
		if line.HTML != "" {
			p = crawl.Page{HTML: []byte(line.HTML)}
		}
		if id, err := r.Lookup(line.URL); err == nil {
			texts = append(texts, pageText{id, spokenWords(capture.Parse(parser, &p).Text)})
		}
	}
	return texts
}

// spokenWords returns the words that have a letter or a digit, which excludes the dots of a table of contents.
func spokenWords(text []byte) [][]byte {
	return slices.DeleteFunc(bytes.Fields(slices.Clone(text)), func(w []byte) bool {
		return !bytes.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// paragraph is some consecutive words of a page.
type paragraph struct {
	id   uint32
	text []byte
}

// cut cuts n paragraphs at random places from random pages that are long enough.
func cut(texts []pageText, words, n int) (out []paragraph) {
	r := rand.New(rand.NewPCG(7, uint64(words)))
	for len(out) < n {
		p := texts[r.IntN(len(texts))]
		if len(p.words) < words {
			continue
		}
		at := r.IntN(len(p.words) - words + 1)
		out = append(out, paragraph{p.id, bytes.Join(p.words[at:at+words], []byte(" "))})
	}
	return out
}

// lookUp counts the paragraphs for which query finds their page.
func lookUp(t *testing.T, r *Run, list []paragraph) (found int, certain float64) {
	t.Helper()
	shingler, err := r.Shingler()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for _, p := range list {
		set := shingles.NewSet()
		shingler.Sketch(set, p.text)
		if slices.ContainsFunc(similar(t, r, set, 0.2), func(d Holder) bool { return d.figures.ID == p.id }) {
			found++
		}
		certain += certaintyOf(r, set).Probability(1)
	}
	t.Logf("%.2f ms a query", time.Since(start).Seconds()*1e3/float64(len(list)))
	return found, certain
}
