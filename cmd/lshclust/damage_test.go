package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/sample"
)

// TestDamagedRun flips bits in the files of a finished run, one at a time. After each flip, check must report damage,
// and every question must get the answer of the sound run or an exit code other than 0, without panic or hang.
func TestDamagedRun(t *testing.T) { damageRun(t, 4, 1) }

func TestLongDamagedRun(t *testing.T) { damageRun(t, 60, 2) }

func damageRun(t *testing.T, flips int, seed uint64) {
	a := newAttack(t)
	random := rand.New(rand.NewPCG(seed, 11))
	for range flips {
		a.flip(t, random)
	}
	t.Logf("%d bits flipped: check missed %d; of %d questions %d were answered as before, %d wrongly with exit code 0, %d with an error",
		flips, a.missed, a.asked, a.right, a.wrong, a.asked-a.right-a.wrong)
	if a.right == 0 || flips > 50 && a.asked == a.right+a.wrong {
		t.Error("the test looks at one side only")
	}
}

// attack holds a sound run and its answers.
type attack struct {
	dir       string
	files     []string
	questions [][]string
	answers   []string

	missed, asked, right, wrong int
}

// each is the number of questions to each damaged run.
const each = 6

func newAttack(t *testing.T) *attack {
	t.Helper()
	a := &attack{dir: t.TempDir()}
	t.Chdir(a.dir)
	pages := filepath.Join(a.dir, "pages.jsonl")
	var b bytes.Buffer
	if _, err := b.ReadFrom(sample.Open()); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	for i, line := range lines[:10] { // pages with a text that another page has, in whole or for the most part
		line = bytes.Replace(line, []byte(`https://`), []byte(`https://copy.`), 1)
		if i%2 == 1 {
			line = bytes.Replace(line, []byte(`<p>`), []byte(`<p>A word more, and two, and three.`), 1)
		}
		lines[i+90] = line
	}
	damaged := []byte("{\"url\":\n") // so that something was left out
	if err := os.WriteFile(pages, append(bytes.Join(lines[:100], nil), damaged...), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, said, code := a.ask(t, "cluster", "-q", "-o", "run", "--set", "neighbours=3", "pages.jsonl"); code != exitSkipped {
		t.Fatalf("exit code %d: %s", code, said)
	}
	list, err := os.ReadDir(filepath.Join(a.dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		a.files = append(a.files, e.Name())
	}
	a.prepare(t)
	return a
}

// prepare records the answers of the sound run.
func (a *attack) prepare(t *testing.T) {
	t.Helper()
	pair, alike := a.firstPair(t, run.TopicalPairsTable), a.firstPair(t, run.SyntacticPairsTable)

	a.questions = [][]string{
		{"info", "run", "--check"}, {"info", "run"}, {"info", "run", "--format", "json"},
		{"related", "run", pair[0]}, {"related", "run", pair[1], "--exact", "--format", "jsonl"}, {"related", "run", "--all"},
		{"explain", "run", pair[0], pair[1]}, {"explain", "run", pair[0], alike[1], "--format", "json"},
		{"duplicates", "run", alike[0]}, {"duplicates", "run", alike[1], "--format", "jsonl"},
		{"query", "run", alike[0]}, {"explain", "run", alike[0], alike[1], "--texts"},
		{"clusters", "run"}, {"clusters", "run", "--members", "--format", "jsonl"}, {"clusters", "run", "--view", "topical", "--members"},
		{"clusters", "run", "--members", "--limit", "1000", "--resemblance", "0.9", "--format", "tsv"}, {"clusters", "run", "--members", "--limit", "1000", "--method", "greedy", "--format", "tsv"},
		{"clusters", "run", "--members", "--limit", "1000", "--view", "topical", "--threshold", "0.3", "--format", "tsv"},
		{"topics", "run", "--format", "json"}, {"topics", "run", "--label", "index"}, {"topics", "run", "--documents"},
		{"compare", "run"},
	}
	a.questions = append(a.questions, []string{"export", "run", pairsName, "--format", "jsonl"})
	for _, table := range exports {
		if !slices.Contains(a.files, table.name+".parquet") {
			continue // of a run that comes after another one
		}
		a.questions = append(a.questions, []string{"export", "run", table.name, "--format", "jsonl"})
	}
	for _, q := range a.questions {
		out, said, code := a.ask(t, q...)
		if code != exitDone || len(out) == 0 && q[1] != "run" {
			t.Fatalf("%q of the sound run: exit code %d: %s", q, code, said)
		}
		a.answers = append(a.answers, out)
	}
}

// firstPair returns the first pair of a table.
func (a *attack) firstPair(t *testing.T, table string) []string {
	t.Helper()
	out, said, code := a.ask(t, "export", "run", strings.TrimSuffix(table, ".parquet"), "--format", "tsv", "--no-header")
	if fields := strings.Split(out, "\t"); code == exitDone && len(fields) > 1 {
		return fields[:2]
	}
	t.Fatalf("%s has no pair: %s", table, said)
	return nil
}

// ask runs a command on the run. A panic and a command that hangs fail the test.
func (a *attack) ask(t *testing.T, args ...string) (out, said string, code int) {
	t.Helper()
	r := inProcess(t, "", args...)
	return r.stdout, r.stderr, r.code
}

// flip flips a bit, asks, and flips it back.
func (a *attack) flip(t *testing.T, random *rand.Rand) {
	name := a.files[random.IntN(len(a.files))]
	path := filepath.Join(a.dir, "run", name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at, bit := random.IntN(len(b)), byte(1)<<random.IntN(8)
	what := fmt.Sprintf("%s, byte %d of %d ^ %#x", name, at, len(b), bit)
	put := func() {
		b[at] ^= bit
		if err := os.WriteFile(path, b, fs.FileMode(0o666)); err != nil {
			t.Fatal(err)
		}
	}
	put()
	defer put()
	for i, n := range random.Perm(len(a.questions)) {
		if i < each || n == 0 {
			a.question(t, what, n)
		}
	}
}

func (a *attack) question(t *testing.T, what string, n int) {
	q := a.questions[n]
	out, said, code := a.ask(t, q...)
	checks := slices.Contains(q, "--check")
	if !checks {
		a.asked++
	}
	switch {
	case strings.Contains(said, "panic:") || strings.Contains(said, "goroutine "):
		t.Errorf("%s: %q ended with %d: %s", what, q, code, said)
	case checks && code == exitDone:
		a.missed++
		t.Errorf("%s: check finds nothing", what)
	case checks || code != exitDone:
	case out == a.answers[n]:
		a.right++
	default:
		a.wrong++
		t.Errorf("%s: %q is answered otherwise, with exit code 0", what, q)
	}
}
