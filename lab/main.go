// Command lab holds the experiments on lshclust: programs that try to break it, inputs of any size, comparisons with other
// programs. Nobody needs it to use lshclust. README.md lists the verbs, and
//
//	cd lab && go run . VERB -h
//
// lists the flags of one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/lshclust/lshclust/lab/bench"
	"github.com/lshclust/lshclust/lab/bench/latency"
	"github.com/lshclust/lshclust/lab/bench/load"
	"github.com/lshclust/lshclust/lab/debian"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/golds"
	"github.com/lshclust/lshclust/lab/labels"
	"github.com/lshclust/lshclust/lab/links"
	"github.com/lshclust/lshclust/lab/moves"
	"github.com/lshclust/lshclust/lab/names"
	"github.com/lshclust/lshclust/lab/pairs"
	"github.com/lshclust/lshclust/lab/report"
	"github.com/lshclust/lshclust/lab/sample"
	"github.com/lshclust/lshclust/lab/skew"
	"github.com/lshclust/lshclust/lab/topics"
	"github.com/lshclust/lshclust/lab/torture"
	"github.com/lshclust/lshclust/lab/vectors"
	"github.com/lshclust/lshclust/lab/workload"
)

// verbs are the experiments in the order of the usage. Each reads its own flags.
var verbs = []struct {
	name, about string
	run         func(args []string) error
}{
	{"torture", "kill runs, fill disks, flip bits, change inputs, measure memory", torture.Command},
	{"workload", "generate a crawl of any size, or a run from bags", workload.Command},
	{"skew", "write an input that is designed to need much memory", skew.Command},
	{"bench", "compare with other programs that find near-duplicates", bench.Command},
	{"debian", "assemble a crawl from the documentation packages of Debian", debian.Command},
	{"load", "ask a server a mix of questions at a fixed rate", load.Command},
	{"names", "measure whether search finds the home pages of a gold by their names", names.Command},
	{"labels", "measure whether labels of clusters name the categories of a gold", labels.Command},
	{"golds", "write golds from dumps of DMOZ and Curlie and from breadcrumbs", golds.Command},
	{"sample", "make the sample that lshclust demo clusters", sample.Command},
	{"topics", "measure how clusters and topics agree with the categories of a gold", topics.Command},
	{"evaluate", "compare related pages and clusters with categories that people chose", evaluate.Command},
	{"recall", "measure how many of the similar pairs the index found", evaluate.RecallCommand},
	{"report", "write an evaluation as a page for people, with tf-idf as a baseline", report.Command},
	{"pairs", "compare near-duplicates or containment with known pairs", pairs.Command},
	{"moves", "measure the verdicts on pages that moved", moves.Command},
	{"latency", "time the answers of a server, with a cold and a warm cache", latency.Command},
	{"links", "measure whether the missing links that it suggests are links of the site", links.Command},
	{"vectors", "write the bags and links of a run as arrays, for trials of similarities", vectors.Command},
}

func main() {
	if len(os.Args) > 1 {
		for _, v := range verbs {
			if v.name == os.Args[1] {
				end(v.name, v.run(os.Args[2:]))
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, "usage: lab VERB [FLAG...]")
	for _, v := range verbs {
		fmt.Fprintf(os.Stderr, "  %-10s %s\n", v.name, v.about)
	}
	os.Exit(2)
}

// end exits with 1 after an error. The flag package has printed what -h asks for.
func end(verb string, err error) {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintf(os.Stderr, "lab %s: %v\n", verb, err)
	os.Exit(1)
}
