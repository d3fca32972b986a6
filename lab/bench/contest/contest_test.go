package contest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spin is the processor time that the test binary uses if it is told to.
const spin = 100 * time.Millisecond

func TestMain(m *testing.M) {
	if os.Getenv("BENCH_SPIN") == "" {
		os.Exit(m.Run())
	}
	for {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		if time.Duration(u.Utime.Nano()+u.Stime.Nano()) >= spin {
			return
		}
	}
}

// TestMeasureCountsChildren measures a shell that starts programs that start programs.
func TestMeasureCountsChildren(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := []string{"bash", "-c", `bash -c '"$0"; "$0"; true' "$0"; true`, self}
	u, err := Measure(t.Context(), command, []string{"BENCH_SPIN=1"})
	if err != nil || u.CPU < 2*spin || u.Wall <= 0 || u.Peak <= 0 {
		t.Errorf("%+v, %v: want at least %v of processor time", u, err, 2*spin)
	}
}

func TestMeasureTellsWhatFailed(t *testing.T) {
	_, err := Measure(t.Context(), []string{"bash", "-c", "echo no such corpus >&2; exit 3"}, nil)
	if err == nil || !strings.Contains(err.Error(), "exit status 3: no such corpus") {
		t.Error(err)
	}
}

// TestSample counts the memory of a shell of about 30 MB in a shell, and then of a copy of it, which shares its pages.
func TestSample(t *testing.T) {
	const size = 30_000_000
	command := exec.Command("bash", "-c", `bash -c '
		x=$(printf "%*s" 30000000 "")
		echo ready
		read line
		(echo ready; read line; exit ${#x})
		true'
		true`)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	one := sample(command.Process.Pid, 0)
	io.WriteString(in, "\n")
	lines.Scan()
	two, bound := sample(command.Process.Pid, 0), sample(command.Process.Pid, 1<<60)
	io.WriteString(in, "\n")
	in.Close()
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if one < size || two > one+size/2 || bound < one+size/2 {
		t.Errorf("%d bytes, with a copy %d, counted twice %d", one, two, bound)
	}
}

// corpusOf writes a corpus of four documents: b is a with one more word, c is a in capitals, d is different.
func corpusOf(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var words []string
	for i := range 20 {
		words = append(words, fmt.Sprintf("w%d", i))
	}
	a := strings.Join(words, " ")
	write(t, dir, CorpusFile, fmt.Sprintf(`{"url":"a","text":%q}
{"url":"b","text":%q}
{"url":"c","text":%q}
{"url":"d","text":"one two three four five six"}
`, a, a+" more", strings.ToUpper(a)))
	write(t, dir, TruthFile, "# url_a\turl_b\tjaccard\na\tb\t0.941176\na\tc\t1.000000\nb\tc\t0.941176\nb\td\t0.600000\n")
	return dir
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestJudge(t *testing.T) {
	dir, out := corpusOf(t), t.TempDir()
	write(t, out, PairsFile, "b\ta\nc\ta\na\tc\nc\td\n")
	write(t, out, ClustersFile, "a\t1\nb\t1\nc\t1\nd\td\n")
	got, err := Judge(dir, out)
	want := Score{Recall: 2. / 3, Precision: 2. / 3, Pairs: 3, Clusters: 1}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	write(t, out, PairsFile, "a\te\n")
	if _, err := Judge(dir, out); err == nil {
		t.Error("no error for a document that the corpus does not have")
	}
}

// script is a contestant that runs a shell script with the corpus and the folder for results.
func script(name, text string) Contestant {
	return Contestant{Name: name, Settings: "none", Command: func(corpus, out string) []string {
		return []string{"bash", "-c", "corpus=$0 out=$1; " + text, corpus, out}
	}}
}

func TestRun(t *testing.T) {
	scratch := t.TempDir()
	var progress bytes.Buffer
	o := Options{Corpus: corpusOf(t), Rounds: 3, Limit: time.Hour, Scratch: scratch, Progress: &progress}
	results, err := Run(t.Context(), []Contestant{
		script("good", `printf 'a\tb\nb\tc\na\tc\n' > $out/pairs.tsv; printf 'a\t1\nb\t1\n' > $out/clusters.tsv`),
		script("bad", "exit 1"),
		script("empty", "true"),
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	good := results[0]
	if good.Score != (Score{Recall: 1, Precision: 1, Pairs: 3, Clusters: 1}) || len(good.CPUs) != 3 || good.Failure != "" {
		t.Errorf("%+v", good)
	}
	if results[1].Failure == "" || results[2].Failure == "" {
		t.Errorf("%+v: want two failures", results[1:])
	}
	if n := strings.Count(progress.String(), "failed"); n != 2 {
		t.Errorf("%d failures reported, want each once: %s", n, progress.String())
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestRunEndsContestants checks that the limit ends a contestant with the programs that it started, and that a cancelled
// contest ends.
func TestRunEndsContestants(t *testing.T) {
	o := Options{Corpus: corpusOf(t), Rounds: 1, Limit: 50 * time.Millisecond, Scratch: t.TempDir(), Progress: io.Discard}
	contestants := []Contestant{script("slow", "sleep 1000; true")}
	results, err := Run(t.Context(), contestants, o)
	if err != nil || !strings.Contains(results[0].Failure, "killed") {
		t.Errorf("%+v, %v", results, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, contestants, o); err == nil {
		t.Error("no error from a cancelled contest")
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		figures []float64
		want    float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := median(c.figures, func(f float64) float64 { return f }); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.figures, got, c.want)
		}
	}
}

func TestTables(t *testing.T) {
	var b strings.Builder
	Table(&b, []Result{
		{Name: "x", Settings: "s", CPU: 1.25, Wall: 2, Peak: 10, Score: Score{1, 0.5, 4, 2}},
		{Name: "y", Settings: "t", Failure: "exit status 1"},
	})
	SignatureTable(&b, []Rate{{Name: "z", Settings: "u", Median: 2, Rounds: []float64{1, 2, 3}}})
	want := `| | CPU s | wall s | peak MiB | recall | precision | pairs | clusters |
| --- | --- | --- | --- | --- | --- | --- | --- |
| x: s | 1.2 | 2.0 | 10 | 1.000 | 0.500 | 4 | 2 |
| y: t | failed | | | | | | |
| | M tokens per CPU second | rounds |
| --- | --- | --- |
| z: u | 2.0 | [1.0 2.0 3.0] |
`
	if b.String() != want {
		t.Errorf("got:\n%s", b.String())
	}
}

func TestSignatures(t *testing.T) {
	shell := func(name, text string) Signer { return Signer{Name: name, Command: []string{"bash", "-c", text}} }
	rates, err := Signatures(t.Context(), []Signer{shell("a", "echo 3000000 2"), shell("b", "echo 8000000 1")}, 2)
	if err != nil || len(rates) != 2 || rates[0].Median != 1.5 || rates[1].Median != 8 || len(rates[1].Rounds) != 2 {
		t.Errorf("%+v, %v", rates, err)
	}
	for _, text := range []string{"exit 1", "echo nothing", "echo 5 0"} {
		if _, err := Signatures(t.Context(), []Signer{shell("a", text)}, 1); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
