package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// A stage that cannot open one of its tables leaves no mapping, file or temporary folder behind.
func TestFailedOpenLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	b := finishedTables(t, folder)
	dir := b.dir
	before := held(t, folder)
	for name, stage := range map[string]struct {
		open  func() error
		needs []string
	}{
		"invert": {
			open: func() error {
				s, err := b.invertStep("invert")
				if err != nil {
					return err
				}
				p, err := s.open(t.Context(), 1)
				if err == nil {
					p.close()
				}
				return err
			},
			needs: []string{tables.BagsFile, tables.NodesFile},
		},
		"pair": {
			open: func() error {
				p, err := openPairing(b, "pair")
				if err == nil {
					p.close()
				}
				return err
			},
			needs: []string{tables.BagsFile, tables.NodesFile, tables.SignaturesFile},
		},
		"cluster": {
			open: func() error {
				_, set, err := openClustering(b)
				if err == nil {
					set.Close()
				}
				return err
			},
			needs: []string{tables.BagsFile, tables.NodesFile, tables.PairsFile, tables.TermsFile, tables.DocumentsFile, tables.EvidenceFile},
		},
		"publish": {
			open: func() error {
				p, err := b.openPublishing()
				if err == nil {
					p.close()
				}
				return err
			},
			needs: []string{
				tables.DocumentsFile, tables.RedirectsFile, tables.CapturesFile, tables.NodesFile, tables.PairsFile, tables.ClustersFile, tables.TreeFile,
				tables.ShinglesFile, tables.SimilarFile, tables.UnionFile, tables.EqualFile,
			},
		},
		"union": {
			open:  func() error { _, err := b.union(t.Context()); return err },
			needs: []string{tables.EqualFile, tables.DocumentsFile, tables.ShinglesFile, tables.SimilarFile},
		},
		"resemble": {
			open:  func() error { _, err := b.resemble(t.Context()); return err },
			needs: []string{tables.ShinglesFile, tables.EqualFile, tables.DocumentsFile},
		},
	} {
		for _, missing := range append([]string{""}, stage.needs...) {
			away := filepath.Join(folder, "away")
			if missing != "" {
				if err := os.Rename(dir.Path(missing), away); err != nil {
					t.Fatal(err)
				}
			}
			if err := stage.open(); (err != nil) != (missing != "") {
				t.Errorf("%s without %q: error %v", name, missing, err)
			}
			if now := held(t, folder); !slices.Equal(now, before) {
				t.Errorf("%s without %q holds %q, held %q before", name, missing, now, before)
			}
			if left, err := filepath.Glob(dir.Path("work/*sort-*")); err != nil || len(left) > 0 {
				t.Errorf("%s without %q left %q behind, error %v", name, missing, left, err)
			}
			if missing != "" {
				if err := os.Rename(away, dir.Path(missing)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// finishedTables returns the state of a run, with no stage done, whose directory holds the tables of a finished run.
func finishedTables(t *testing.T, folder string) *build {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	in, out := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "finished")
	var lines strings.Builder
	for i := range 4 {
		fmt.Fprintf(&lines, `{"url":"https://a.example/%d","html":"<title>rivers</title>of rivers and mountains on <a href=/%d>a page of water</a>"}`+"\n", i, (i+1)%4)
	}
	if err := os.WriteFile(in, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Cluster(t.Context(), out, []string{in}, c, Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	dir, err := run.Create(filepath.Join(folder, "run"), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	finished, err := filepath.Glob(filepath.Join(out, "*.lsh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range finished {
		if err := os.Link(path, dir.Path(filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
	return newBuild(dir, c, nil, Options{Workers: 2})
}

// Steps that make labels leave no table open if their labellers, or the labels above, cannot be had.
func TestFailedLabellingLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	b := finishedTables(t, folder)
	b.config.Order = center.ByID // which needs no keys
	for _, p := range []struct {
		step string
		part parter
	}{{clusterCenters, centersParter{b}}, {treeBuild, treeParter{b}}} {
		out := &partFiles{dir: b.dir, step: p.step}
		if _, err := p.part.part(t.Context(), 0, 0, out); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(b.dir.Temp(out.names[0]), b.dir.Path(out.names[0])); err != nil {
			t.Fatal(err)
		}
	}
	opening := func(of func(string) (*step, error), name string) func() (parter, error) {
		return func() (parter, error) {
			s, err := of(name)
			if err != nil {
				t.Fatal(err)
			}
			return s.open(t.Context(), 2)
		}
	}
	open := map[string]func() (parter, error){
		"cluster": func() (parter, error) { return b.openLabelling(t.Context(), 2) },
		"above":   opening(b.aboveStep, treeAbove),
		"leaves":  opening(b.leavesStep, treeLeaves),
	}
	before, language := held(t, folder), b.config.Language
	for name, open := range open {
		for _, spoken := range []string{"no language", language} {
			b.config.Language = spoken
			p, err := open()
			if fails := spoken != language; (err != nil) != fails {
				t.Errorf("%s, language %q: error %v", name, spoken, err)
			}
			if err == nil {
				p.close()
			}
			if now := held(t, folder); !slices.Equal(now, before) {
				t.Errorf("%s, language %q: holds %q, held %q before", name, spoken, now, before)
			}
		}
	}
	if err := b.dir.FinishPart("tree", b.partNumber("tree", treeAbove, 0), nil); err != nil {
		t.Fatal(err)
	}
	before = held(t, folder)
	if p, err := open["leaves"](); err == nil {
		p.close()
		t.Error("leaves without the labels above: no error")
	}
	if now := held(t, folder); !slices.Equal(now, before) {
		t.Errorf("leaves without the labels above: holds %q, held %q before", now, before)
	}
}

// held returns the files below a folder that this process has open or mapped, sorted.
func held(t *testing.T, folder string) (files []string) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		if _, path, ok := strings.Cut(line, folder); ok {
			files = append(files, "mapped "+strings.TrimSpace(path))
		}
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range open {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, folder) {
			files = append(files, "open "+to[len(folder):])
		}
	}
	slices.Sort(files)
	return files
}
