package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/lshclust/lshclust/lab/bench/contest"
)

// places are where the programs of the contestants are.
type places struct{ lshclust, scripts, peers string }

func (p *places) flags(flags *flag.FlagSet) {
	flags.StringVar(&p.lshclust, "lshclust", "../lshclust", "the program lshclust")
	flags.StringVar(&p.scripts, "scripts", "bench/peers", "folder of the runners")
	flags.StringVar(&p.peers, "peers", "", "folder in which peers/setup.sh has installed peers")
}

// python returns the interpreter that a peer is installed for.
func (p *places) python(peer string) string { return filepath.Join(p.peers, peer, "bin", "python") }

// contestants returns all contestants. The settings are those that the peer recommends for a threshold of 0.7; the
// runners hold them.
func (p *places) contestants() []contest.Contestant {
	peer := func(name, script, settings string) contest.Contestant {
		return contest.Contestant{Name: name, Settings: settings, Command: func(corpus, out string) []string {
			return []string{p.python(name), filepath.Join(p.scripts, script), corpus, out}
		}}
	}
	ours := func(name, settings string, extra ...string) contest.Contestant {
		return contest.Contestant{Name: name, Settings: settings, Command: func(corpus, out string) []string {
			return append([]string{filepath.Join(p.scripts, "run_lshclust.sh"), p.lshclust, corpus, out}, extra...)
		}}
	}
	return []contest.Contestant{
		ours("lshclust", "`--views syntactic --set shingle=5 --resemblance 0.7 --set strip=none --set index=false`, every figure exact"),
		ours("lshclust-256MiB", "the same with `--memory 256MiB`", "--memory", "256MiB"),
		peer("gaoya", "run_gaoya.py", "0.2.2, 32 bands of 4, estimate ≥ .7"),
		peer("rensa", "run_rensa.py", "0.5.0, R-MinHash of 128, 16 bands, estimate ≥ .7"),
		peer("datasketch", "run_datasketch.py", "2.0.0, 128 permutations, b=14 r=9, estimate ≥ .7"),
		peer("text-dedup", "run_text_dedup.py", "0.4.1, MinHash of its README: 240 permutations, verified; pairs of its clusters"),
		peer("datatrove", "run_datatrove.py", "0.10.1, 14 buckets of 8, unverified"),
	}
}

// runContest runs the named contestants, or all, and prints the table.
func runContest(args []string) error {
	var p places
	var o contest.Options
	flags := flag.NewFlagSet("contest", flag.ExitOnError)
	p.flags(flags)
	flags.StringVar(&o.Corpus, "corpus", "", "folder that bench corpus has written")
	flags.IntVar(&o.Rounds, "rounds", 3, "how often each contestant runs")
	flags.DurationVar(&o.Limit, "limit", time.Hour, "limit of one run of one contestant")
	flags.StringVar(&o.Scratch, "scratch", os.TempDir(), "folder for results, which are removed")
	report := flags.String("json", "", "file to write the results to as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.Progress = os.Stderr
	chosen, err := choose(p.contestants(), flags.Args())
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	results, err := contest.Run(ctx, chosen, o)
	if err != nil {
		return err
	}
	contest.Table(os.Stdout, results)
	return writeJSON(*report, results)
}

// choose returns the contestants of the given names; without names, all.
func choose(all []contest.Contestant, names []string) ([]contest.Contestant, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []contest.Contestant
	for _, name := range names {
		i := slices.IndexFunc(all, func(c contest.Contestant) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no contestant %q", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// writeJSON writes a value to a file, or does nothing without a path.
func writeJSON(path string, value any) error {
	if path == "" {
		return nil
	}
	content, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o666)
}

// scorePairs judges the results in a folder.
func scorePairs(args []string) error {
	flags := flag.NewFlagSet("score", flag.ExitOnError)
	dir := flags.String("corpus", "", "folder that bench corpus has written")
	out := flags.String("out", "", "folder with "+contest.PairsFile+" and "+contest.ClustersFile)
	if err := flags.Parse(args); err != nil {
		return err
	}
	score, err := contest.Judge(*dir, *out)
	if err != nil {
		return err
	}
	fmt.Printf("recall %.4f, precision %.4f, %d pairs, %d clusters\n",
		score.Recall, score.Precision, score.Pairs, score.Clusters)
	return nil
}
