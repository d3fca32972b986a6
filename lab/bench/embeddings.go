package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/lab/bench/contest"
)

// textWindows is the number of texts of a document that are embedded.
const textWindows = 5

// embeddings compares the related pages of a run with the cosine of sentence embeddings.
type embeddings struct {
	lshclust, run, scripts, peers, scratch string
	golds                                  []string
	bootstrap                              int
	sentences                              bool // embed linking sentences and not windows
}

// cost is what a method has used.
type cost struct {
	CPU  float64 `json:"cpu_seconds"`
	Peak float64 `json:"peak_anonymous_mib"`
}

// evaluated is what lshclust eval directory prints about a figure.
type evaluated struct {
	Gold     string   `json:"gold"`
	Part     string   `json:"part"`
	CoLinked string   `json:"colinked"`
	Figure   string   `json:"figure"`
	Value    *float64 `json:"value"`
	Low      *float64 `json:"list_low"`
	High     *float64 `json:"list_high"`
}

// runEmbeddings measures the models that are named and prints a table for each gold.
func runEmbeddings(args []string) error {
	var e embeddings
	flags := flag.NewFlagSet("embeddings", flag.ExitOnError)
	flags.StringVar(&e.lshclust, "lshclust", "../lshclust", "the program lshclust")
	flags.StringVar(&e.run, "run", "", "a finished run")
	flags.StringVar(&e.scripts, "scripts", "bench/embed", "folder of embed.py")
	flags.StringVar(&e.peers, "peers", "", "folder in which embed/setup.sh has installed models")
	flags.StringVar(&e.scratch, "scratch", os.TempDir(), "folder for texts and vectors")
	flags.IntVar(&e.bootstrap, "bootstrap", 1000, "number of resamples for the intervals")
	flags.Func("gold", "a gold; may be given several times", func(path string) error {
		e.golds = append(e.golds, path)
		return nil
	})
	flags.BoolVar(&e.sentences, "sentences", false, "embed the linking sentences that the run has kept, not the windows")
	report := flags.String("json", "", "file to write the results to as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	figures, costs, err := e.measure(ctx, flags.Args())
	if err != nil {
		return err
	}
	embeddingTables(os.Stdout, figures, costs, append([]string{"related", "stored", "exact", "tfidf"}, flags.Args()...))
	return writeJSON(*report, map[string]any{"figures": figures, "costs": costs})
}

// measure embeds the texts around links with each model and evaluates the run and the models.
func (e *embeddings) measure(ctx context.Context, models []string) ([]evaluated, map[string]cost, error) {
	used, err := costOfRun(filepath.Join(e.run, "run.json"))
	if err != nil {
		return nil, nil, err
	}
	costs := map[string]cost{"related": used}
	windows := filepath.Join(e.scratch, "windows.jsonl")
	texts := []string{"eval", "windows", e.run, "--most", strconv.Itoa(textWindows), "--sentences=" + strconv.FormatBool(e.sentences)}
	if err := e.save(ctx, windows, append(texts, e.goldFlags()...)); err != nil {
		return nil, nil, err
	}
	eval := append([]string{"eval", "directory", e.run, "--baselines", "stored,exact,tfidf", "--format", "jsonl", "--bootstrap", strconv.Itoa(e.bootstrap)}, e.goldFlags()...)
	for _, model := range models {
		vectors := filepath.Join(e.scratch, model+".tsv")
		command := []string{filepath.Join(e.peers, "venv/bin/python"), filepath.Join(e.scripts, "embed.py"), filepath.Join(e.peers, "models", model), windows, vectors}
		u, err := contest.Measure(ctx, command, []string{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"})
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintf(os.Stderr, "%s: %.0f s of processor time, %.0f s wall, %d MiB\n", model, u.CPU.Seconds(), u.Wall.Seconds(), u.Peak>>20)
		costs[model] = cost{CPU: u.CPU.Seconds(), Peak: float64(u.Peak) / (1 << 20)}
		eval = append(eval, "--vectors", model+"="+vectors)
	}
	out := filepath.Join(e.scratch, "figures.jsonl")
	if err := e.save(ctx, out, eval); err != nil {
		return nil, nil, err
	}
	figures, err := readFigures(out)
	return figures, costs, err
}

func (e *embeddings) goldFlags() (flags []string) {
	for _, path := range e.golds {
		flags = append(flags, "--gold", path)
	}
	return flags
}

// save runs lshclust and saves what it prints in a file.
func (e *embeddings) save(ctx context.Context, path string, args []string) error {
	return create(path, func(f *os.File) error {
		cmd := exec.CommandContext(ctx, e.lshclust, args...)
		cmd.Stdout, cmd.Stderr = f, os.Stderr
		return cmd.Run()
	})
}

// costOfRun returns what all stages of a run have used, from its manifest.
func costOfRun(manifest string) (total cost, err error) {
	content, err := os.ReadFile(manifest)
	if err != nil {
		return total, err
	}
	var m struct {
		Stages []struct {
			CPU  float64 `json:"cpu_seconds"`
			Peak float64 `json:"peak_anon_bytes"`
		} `json:"stages"`
	}
	if err := json.Unmarshal(content, &m); err != nil {
		return total, fmt.Errorf("%s: %w", manifest, err)
	}
	for _, s := range m.Stages {
		total.CPU += s.CPU
		total.Peak = max(total.Peak, s.Peak/(1<<20))
	}
	return total, nil
}

// readFigures reads what lshclust eval directory has printed.
func readFigures(path string) (figures []evaluated, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := json.NewDecoder(f); ; {
		var x evaluated
		if err := lines.Decode(&x); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return figures, err
		}
		x.Part = strings.TrimPrefix(x.Part, "baseline ")
		figures = append(figures, x)
	}
}

// embeddingTables writes a table in Markdown for each gold: the share of the queries whose nearest target is in the same
// category, with and without co-linked pairs, and what it cost.
func embeddingTables(w io.Writer, figures []evaluated, costs map[string]cost, methods []string) {
	type key struct{ gold, part, colinked, figure string }
	cells := map[key]string{}
	var golds []string
	for _, x := range figures {
		if len(golds) == 0 || golds[len(golds)-1] != x.Gold {
			golds = append(golds, x.Gold)
		}
		cells[key{x.Gold, x.Part, x.CoLinked, x.Figure}] = x.String()
	}
	for _, gold := range golds {
		fmt.Fprintf(w, "\n`%s`:\n\n", gold)
		fmt.Fprintln(w, "| | same category: level 1 | level 2 | level 3 | no page links to both: level 1 | level 2 | level 3 | CPU s | peak MiB |")
		fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
		row := func(name, part, figure string) {
			fmt.Fprintf(w, "| %s |", name)
			for _, colinked := range []string{"kept", "excluded"} {
				for _, level := range []string{"_1", "_2", "_3"} {
					fmt.Fprintf(w, " %s |", cells[key{gold, part, colinked, figure + level}])
				}
			}
			if c, ok := costs[part]; ok && figure != "chance" {
				fmt.Fprintf(w, " %.0f | %.0f |\n", c.CPU, c.Peak)
			} else {
				fmt.Fprintln(w, " | |")
			}
		}
		for _, method := range methods {
			row("`"+method+"`", method, "same_category")
		}
		row("chance", "related", "chance")
	}
}

// String returns a figure with its interval over lists, such as ".597 [.554 .642]".
func (x evaluated) String() string {
	short := func(v float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", v), "0") }
	switch {
	case x.Value == nil:
		return ""
	case x.Low == nil || x.High == nil || strings.HasPrefix(x.Figure, "chance"):
		return short(*x.Value)
	}
	return fmt.Sprintf("%s [%s %s]", short(*x.Value), short(*x.Low), short(*x.High))
}
