package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/shingles"
)

var small = Config{Documents: 400, Planted: DefaultPlanted, Seed: 1}

var pools sync.Map // by folder

func pool(t *testing.T) *Pool {
	t.Helper()
	dir := filepath.Dir(shareddata.Dir(t, "neardup-rfc"))
	read, _ := pools.LoadOrStore(dir, sync.OnceValues(func() (*Pool, error) { return ReadPool(dir) }))
	p, err := read.(func() (*Pool, error))()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// files writes a corpus and its truth, and returns their paths.
func files(t *testing.T, c Config) (lines, truth string) {
	t.Helper()
	var b bytes.Buffer
	lines, truth = filepath.Join(t.TempDir(), "corpus"), filepath.Join(t.TempDir(), "truth")
	for _, f := range []struct {
		path  string
		write func() error
	}{
		{lines, func() error { return c.Write(&b, pool(t)) }},
		{truth, func() error { return c.WriteTruth(&b, pool(t)) }},
	} {
		b.Reset()
		if err := f.write(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return lines, truth
}

func readLines(t *testing.T, path string) []Line {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []Line
	for raw := range bytes.Lines(content) {
		var line Line
		if err := json.Unmarshal(raw, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

// bruteSet is the definition of the shingles of a text, in strings.
func bruteSet(text string) map[string]bool {
	words := word.FindAllString(strings.ToLower(text), -1)
	set := map[string]bool{}
	for i := range max(len(words)-W+1, 0) {
		set[strings.Join(words[i:i+W], " ")] = true
	}
	return set
}

func bruteJaccard(a, b map[string]bool) float64 {
	union := len(b)
	shared := 0
	for s := range a {
		if b[s] {
			shared++
		} else {
			union++
		}
	}
	if union == 0 {
		return 0
	}
	return float64(shared) / float64(union)
}

// TestAgainstBruteForce compares the judge with the definition for all pairs of a corpus, and the truth with all pairs
// of Floor or more.
func TestAgainstBruteForce(t *testing.T) {
	path, truthPath := files(t, small)
	judge, err := NewJudge(path, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	truth, err := ReadPairs(truthPath)
	if err != nil {
		t.Fatal(err)
	}
	planted := map[[2]string]float64{}
	for _, p := range truth {
		planted[[2]string{p.A, p.B}] = p.Jaccard
	}
	lines := readLines(t, path)
	slices.SortFunc(lines, func(a, b Line) int { return number(t, a.URL) - number(t, b.URL) })
	var sets []map[string]bool
	alike := 0
	for j, line := range lines {
		sets = append(sets, bruteSet(line.Text))
		for i := range j {
			want := bruteJaccard(sets[i], sets[j])
			if got, err := judge.Jaccard(lines[i].URL, line.URL); err != nil || got != want {
				t.Fatalf("%s %s: %v, %v, want %v", lines[i].URL, line.URL, got, err, want)
			}
			got, ok := planted[[2]string{lines[i].URL, line.URL}]
			if ok != (want >= Floor) || ok && math.Abs(got-want) > 1e-6 {
				t.Errorf("%s %s have %v, and %v in the truth", lines[i].URL, line.URL, want, got)
			}
			if want >= Floor {
				alike++
			}
		}
	}
	if alike != len(truth) || alike < 50 {
		t.Errorf("%d pairs of %v or more, %d in the truth", alike, Floor, len(truth))
	}
	if _, err := judge.Jaccard(lines[0].URL, URL(small.Documents)); err == nil {
		t.Error("no error for a document that the corpus does not have")
	}
}

func number(t *testing.T, url string) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(url, "https://texts.example/%d", &n); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return n
}

// TestWholeCorpus checks that every document is there once, and that lshclust and peers see the same tokens.
func TestWholeCorpus(t *testing.T) {
	path, _ := files(t, small)
	lines := readLines(t, path)
	seen := map[string]bool{}
	for _, line := range lines {
		seen[line.URL] = true
		text := []byte(line.Text)
		var ours []string
		for _, w := range shingles.Words(text, false) {
			ours = append(ours, string(w))
		}
		var tokens []string
		for from, to := range Tokens(text) {
			tokens = append(tokens, strings.ToLower(line.Text[from:to]))
		}
		if !slices.Equal(tokens, ours) {
			t.Errorf("%s: lshclust has other tokens", line.URL)
		}
		if brute := word.FindAllString(strings.ToLower(line.Text), -1); !slices.Equal(tokens, brute) {
			t.Errorf("%s: a regular expression finds other tokens", line.URL)
		}
	}
	if len(lines) != small.Documents || len(seen) != small.Documents {
		t.Errorf("%d lines of %d documents, want %d", len(lines), len(seen), small.Documents)
	}
}

// TestDeterministic checks that a corpus depends on its configuration alone, and on all of it.
func TestDeterministic(t *testing.T) {
	write := func(c Config) string {
		var b bytes.Buffer
		if err := c.Write(&b, pool(t)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := write(small)
	if write(small) != first {
		t.Error("the same configuration made another corpus")
	}
	seeded, planted := small, small
	seeded.Seed, planted.Planted = 2, 0.5
	if write(seeded) == first || write(planted) == first {
		t.Error("another configuration made the same corpus")
	}
}

// TestSpread checks that the truth has pairs of every degree.
func TestSpread(t *testing.T) {
	_, path := files(t, Config{Documents: 3000, Planted: 1, Seed: 3})
	truth, err := ReadPairs(path)
	if err != nil {
		t.Fatal(err)
	}
	var counts [6]int // by tenths; 1 alone
	for _, p := range truth {
		counts[int((p.Jaccard-Floor)*10+1e-9)]++
	}
	for i, n := range counts {
		if share := float64(n) / float64(len(truth)); share < 0.04 {
			t.Errorf("only %.3f of %d pairs have about %.1f", share, len(truth), Floor+float64(i)/10)
		}
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a.", "a b c", " one, two;\nthree four - "} {
		for n := 1; n < 5; n++ {
			pieces := cut([]byte(text), n)
			if got := bytes.Join(pieces, nil); string(got) != text {
				t.Errorf("cut(%q, %d) put together is %q", text, n, got)
			}
			for i, piece := range pieces {
				if have := count(piece); have > n || have < n && i < len(pieces)-1 {
					t.Errorf("cut(%q, %d): piece %q has %d tokens", text, n, piece, have)
				}
			}
		}
	}
}

func TestReadPairsRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs")
	for _, content := range []string{"one\n", "a\tb\tc\n"} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if pairs, err := ReadPairs(path); err == nil {
			t.Errorf("%q: %v", content, pairs)
		}
	}
}
