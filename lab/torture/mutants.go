package torture

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/run"
)

const (
	promiseMutants = "changed inputs: no panic, no hang, exit codes as documented, less than 256 MiB with --memory 64MiB"
	promiseSound   = "pages that a change of the input leaves intact are read"
	promiseDoctor  = "doctor and cluster agree on which changed inputs are damaged"
)

const (
	mutantsAtOnce = 8 // that one trial puts into a run
	mutantMemory  = 256 << 20
)

var mutating = suite{name: "mutants", promises: []string{promiseMutants, promiseSound, promiseDoctor}, trials: 10_000 / mutantsAtOnce, try: func(t *trial) error {
	mutants := t.mutants()
	for _, m := range mutants {
		if err := os.WriteFile(filepath.Join(t.dir, m.name), m.data, 0o666); err != nil {
			return err
		}
		t.tell("%s: %s", m.name, m.how)
	}
	t.trials = len(mutants)
	err := t.together(mutants)
	if err == nil {
		return nil
	}
	var errs []error
	for _, m := range mutants { // find the one that did it
		if err := t.together([]mutant{m}); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		}
	}
	if errs == nil {
		return fmt.Errorf("they fail together, but none of them alone: %w", err)
	}
	t.failures = len(errs)
	return errors.Join(errs...)
}}

// together gives mutants to doctor and cluster. Wrong answers are counted for promises of their own.
func (t *trial) together(mutants []mutant) error {
	damaged, err := t.examine(mutants)
	if err != nil {
		return err
	}
	made, err := t.clusterMutants(mutants)
	if err != nil || !made {
		return err
	}
	out := filepath.Join(t.dir, "run")
	return errors.Join(t.agree(mutants, damaged, out), t.found(mutants, out))
}

// mutants draws the inputs of a trial.
func (t *trial) mutants() (list []mutant) {
	for i := range mutantsAtOnce {
		host := fmt.Sprintf("m%d-%d.example", t.number, i)
		s := formats[(t.number*mutantsAtOnce+i)%len(formats)](t.Rand, host)
		var m mutant
		if t.IntN(2) == 0 {
			m = structural(t.Rand, s)
		} else {
			other := pick(t.Rand, formats...)(t.Rand, "other.example")
			m = bytewise(t.Rand, s, other.file())
		}
		if len(m.data) == 0 {
			m.data = []byte{'\n'}
		}
		m.name = fmt.Sprintf("%d.%s", i, s.kind)
		list = append(list, m)
	}
	return list
}

// bounded checks that a command on mutants keeps its bounds.
func bounded(r result, codes ...int) error {
	switch {
	case !slices.Contains(codes, r.code):
		return r.unexpected(fmt.Sprint(codes))
	case r.rss > mutantMemory:
		return fmt.Errorf("%s: %d MiB", r.command(), r.rss>>20)
	}
	return nil
}

// examine returns the files that doctor calls damaged.
func (t *trial) examine(mutants []mutant) (map[string]bool, error) {
	r, err := t.run(append([]string{"doctor", "--format", "json"}, names(mutants)...)...)
	if err == nil {
		err = bounded(r, exitDone, exitCondition, exitSkipped)
	}
	if err != nil {
		return nil, err
	}
	var reports []struct{ File, Verdict string }
	if err := json.Unmarshal([]byte(r.out), &reports); err != nil {
		return nil, fmt.Errorf("%s: %w", r.command(), err)
	}
	damaged := map[string]bool{}
	for _, report := range reports {
		damaged[report.File] = report.Verdict == "damaged"
	}
	return damaged, nil
}

func names(mutants []mutant) (list []string) {
	for _, m := range mutants {
		list = append(list, m.name)
	}
	return list
}

// clusterMutants makes a run of mutants. There is no run if none of them can be read at all.
func (t *trial) clusterMutants(mutants []mutant) (made bool, err error) {
	out := filepath.Join(t.dir, "run")
	if err := os.RemoveAll(out); err != nil {
		return false, err
	}
	workers := pick(t.Rand, "1", "2", "5")
	if workers == "5" && slices.ContainsFunc(mutants, func(m mutant) bool { return strings.HasSuffix(m.name, ".lz4") }) {
		workers = "2" // each needs 24 MiB
	}
	args := []string{"cluster", "-q", "-o", "run", "--memory", "64MiB", "--workers", workers}
	r, err := t.run(append(args, names(mutants)...)...)
	if err == nil {
		err = bounded(r, exitDone, exitCondition, exitSkipped)
	}
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(filepath.Join(out, run.ManifestName)); err != nil {
		if len(mutants) == 1 && r.code == exitCondition && strings.HasPrefix(r.said, "lshclust: ") {
			return false, nil
		}
		return false, fmt.Errorf("no run: %w", r.unexpected("0 or 3"))
	}
	return true, nil
}

// agree compares doctor's findings with those of the run.
func (t *trial) agree(mutants []mutant, damaged map[string]bool, out string) error {
	dropped, err := damagedFiles(filepath.Join(out, run.DroppedList))
	if err != nil {
		return err
	}
	for _, m := range mutants {
		is := slices.ContainsFunc(dropped, func(name string) bool { return name == m.name || strings.HasPrefix(name, m.name+"!") })
		var wrong error
		if damaged[m.name] != is {
			wrong = fmt.Errorf("%s (%s): damaged according to doctor: %v, to cluster: %v", m.name, m.how, damaged[m.name], is)
		}
		t.also(promiseDoctor, 1, failed(wrong), wrong)
	}
	return nil
}

// damagedFiles reads the list of what was dropped.
func damagedFiles(path string) (list []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(z); ; {
		var row struct {
			File   string
			Damage bool
		}
		if err := d.Decode(&row); err != nil {
			if errors.Is(err, io.EOF) {
				return list, nil
			}
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if row.Damage {
			list = append(list, row.File)
		}
	}
}

// found looks for the pages that the run must have.
func (t *trial) found(mutants []mutant, out string) error {
	there := map[string]bool{} // by URL; true if it was crawled
	for row, err := range run.ReadTable[run.PageRow](filepath.Join(out, run.PagesTable)) {
		if err != nil {
			return err
		}
		there[row.URL] = row.Crawled
	}
	for _, m := range mutants {
		lost := 0
		for _, url := range m.sound {
			if crawled, ok := there[url]; !ok || m.crawled && !crawled {
				lost++
			}
		}
		var wrong error
		if lost > 0 {
			wrong = fmt.Errorf("%s (%s): %d of %d sound pages are lost", m.name, m.how, lost, len(m.sound))
		}
		t.also(promiseSound, len(m.sound), lost, wrong)
	}
	return nil
}
