// Package torture tries to break lshclust, to see whether the promises of the documents hold: it kills runs at random
// moments, fills disks, flips bits in every kind of file, changes inputs, and measures memory from outside. It does all
// of this to the real command. The suite, the seed and the number of a trial decide what the trial does.
//
//	lab torture                        everything but memory and resumes; about twenty minutes on two cores
//	lab torture -only memory           memory by stage
//	lab torture -only resumes          work that is done twice after a kill
//	lab torture -only flips -trial 37  one trial again
//
// At the end it prints what was promised, how often that was tried and how often it failed. If anything failed, the
// exit code is 1, and the folder of the trial is kept. When a process is killed also depends on the clock, so repeating
// such a trial may end differently.
package torture

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Command runs the suites that the arguments select and prints the table.
func Command(args []string) error { return command(args, os.Stdout, os.Stderr) }

// options are the flags.
type options struct {
	binary string
	dir    string
	only   string
	share  float64
	trials int
	trial  int
	seed   uint64
	jobs   int
	json   bool
	inputs string
	size   float64
	limits string
	crawl  string
}

func (o *options) bind(f *flag.FlagSet) {
	f.StringVar(&o.binary, "binary", "", "the lshclust `FILE` to torture; without it, one is built from this module")
	f.StringVar(&o.dir, "dir", os.TempDir(), "`FOLDER` for temporary files")
	f.StringVar(&o.only, "only", "", "`SUITES` to run, separated by commas: "+strings.Join(suiteNames(), ", ")+" (default all but memory)")
	f.Float64Var(&o.share, "share", 1, "run this `SHARE` of the trials of each suite")
	f.IntVar(&o.trials, "trials", 0, "run `N` trials of each suite; 0: the usual number")
	f.IntVar(&o.trial, "trial", -1, "run only trial number `N`")
	f.Uint64Var(&o.seed, "seed", 1, "start the random choices from `SEED`")
	f.IntVar(&o.jobs, "j", runtime.GOMAXPROCS(0), "run `N` trials at a time")
	f.BoolVar(&o.json, "json", false, "print the table as JSON")
	f.StringVar(&o.limits, "limits", "64MiB,256MiB", "`LIMITS` of the suite memory: values of --memory, separated by commas")
	f.Float64Var(&o.size, "size", 1, "`SHARE` of their usual size that the inputs of the suite memory have")
	f.StringVar(&o.crawl, "crawl", "", "the `INPUT` of the suite resumes; without it, the directory set")
	f.StringVar(&o.inputs, "inputs", "", "`INPUTS` of the suite memory, separated by commas; all if empty")
}

func command(args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("torture", flag.ContinueOnError)
	f.SetOutput(stderr)
	o.bind(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: see -help", f.Arg(0))
	}
	b, err := newBench(&o, stderr)
	if err != nil {
		return err
	}
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	began := time.Now()
	for _, s := range chosen {
		b.suite(s)
	}
	fmt.Fprintf(stderr, "%v in all\n", time.Since(began).Round(time.Second))
	return errors.Join(b.print(stdout), b.close())
}

// bench holds what all suites share.
type bench struct {
	options
	home  string // the folder of all other folders
	log   io.Writer
	table table
	world *world // nil until a suite needs it
	whole *whole // the same for the suite resumes

	making sync.Mutex // guards what follows, and the inputs in the suite memory
	peaks  []stagePeak
}

func newBench(o *options, log io.Writer) (*bench, error) {
	dir, err := filepath.Abs(o.dir) // commands run in other folders
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "torture-")
	if err != nil {
		return nil, err
	}
	b := &bench{options: *o, home: home, log: log}
	b.binary, err = builtAs(b.binary, filepath.Join(home, "lshclust"))
	return b, err
}

// builtAs returns the path of a binary that was given, or builds one.
func builtAs(given, path string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	dir, err := moduleDir()
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-ldflags=-w", "-o", path, "./cmd/lshclust")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
}

// print prints the tables.
func (b *bench) print(to io.Writer) error {
	if b.whole != nil {
		b.judgeTwice()
	}
	if b.json {
		return json.NewEncoder(to).Encode(map[string]any{"promises": b.table.rows, "memory": b.peaks, "resumes": b.whole})
	}
	if b.whole != nil {
		if err := b.printTwice(to); err != nil {
			return err
		}
	}
	if len(b.peaks) > 0 {
		if err := printPeaks(to, b.peaks); err != nil {
			return err
		}
	}
	return b.table.print(to)
}

// close removes everything that no failed trial needs.
func (b *bench) close() error {
	if n := b.table.failures(); n > 0 {
		return fmt.Errorf("%d failures; the folders of the trials that failed are in %s", n, b.home)
	}
	return os.RemoveAll(b.home)
}
