package torture

import (
	"fmt"
	"path/filepath"
	"strings"
)

const (
	promiseChecked = "check finds a flipped bit in any file of a finished run"
	promiseQueried = "a query on a damaged run gives the same answer as on the undamaged one, or fails with a message"
)

var spoiling = suite{name: "finished", promises: []string{promiseChecked, promiseQueried}, trials: 500, prepare: needWorld, try: func(t *trial) error {
	run := filepath.Join(t.dir, "run")
	sound, err := t.world.answers(t.bench)
	if err == nil {
		err = copyTree(t.world.run, run)
	}
	if err != nil {
		return err
	}
	path, _, err := victim(t.Rand, run)
	if err != nil {
		return err
	}
	at, err := flip(t.Rand, path)
	if err != nil {
		return err
	}
	t.tell("flipped a bit at byte %d of %s", at, strings.TrimPrefix(path, run+"/"))
	for i, q := range queries {
		wrong := t.ask(q, sound[i])
		t.also(promiseQueried, 1, failed(wrong), wrong)
	}
	r, err := t.run("info", "run", "--check")
	if err != nil {
		return err
	}
	if r.code == exitDone {
		return fmt.Errorf("check finds nothing wrong with %s", filepath.Base(path))
	}
	return nil
}}

func failed(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// queries are commands that read a run, each with its standard input.
var queries = []struct {
	in   string
	args []string
}{
	{args: []string{"related", "run", "https://one.example/p/6", "--limit", "20"}},
	{args: []string{"related", "run", "--all", "--limit", "10", "--format", "tsv"}},
	{args: []string{"explain", "run", "https://one.example/p/6", "https://one.example/p/7"}},
	{args: []string{"clusters", "run"}},
	{args: []string{"clusters", "run", "--view", "syntactic"}},
	{args: []string{"duplicates", "run", "https://one.example/p/6"}},
	{args: []string{"duplicates", "run", "https://three.example/1"}},
	{args: []string{"compare", "run"}},
	{args: []string{"query", "run", "-"}, in: sentence(2)},
	{args: []string{"explain", "--texts", "run", "https://one.example/p/6", "https://one.example/p/7"}},
	{args: []string{"clusters", "run", "--resemblance", "0.8"}},
	{args: []string{"export", "run", "pages", "--format", "jsonl"}},
	{args: []string{"export", "run", "topical_pairs", "--format", "csv"}},
	{args: []string{"export", "run", "syntactic_clusters", "--format", "tsv"}},
}

// answers are the answers of the undamaged run.
func (w *world) answers(b *bench) ([]result, error) {
	w.asking.Lock()
	defer w.asking.Unlock()
	if w.sound != nil {
		return w.sound, nil
	}
	t, list := &trial{bench: b, dir: filepath.Dir(w.run)}, []result(nil)
	for _, q := range queries {
		r, err := t.feed(q.in, q.args...)
		if err != nil {
			return nil, err
		}
		if r.code != exitDone || r.out == "" {
			return nil, r.unexpected("0, and an answer")
		}
		list = append(list, r)
	}
	w.sound = list
	return list, nil
}

// ask asks a damaged run a query and compares the answer with that of the undamaged run.
func (t *trial) ask(q struct {
	in   string
	args []string
}, sound result) error {
	r, err := t.feed(q.in, q.args...)
	switch {
	case err != nil:
		return err
	case r.code == exitDone && r.out != sound.out:
		return fmt.Errorf("%s: exit code 0, but another answer: %s", r.command(), difference(sound.out, r.out))
	case r.code != exitDone && strings.TrimSpace(r.said) == "":
		return fmt.Errorf("%s: exit code %d without a message", r.command(), r.code)
	}
	return nil
}
