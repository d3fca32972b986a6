package ask

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/resemble"
)

// defaultWho holds the options of these tests.
var defaultWho = texts.WhoOptions{By: "host", Min: 0.2, Words: 30, Limit: 20, Pages: 5, Passages: 2}

// TestForgedRun asks runs in which one table has an impossible number, with correct checksums. They may answer anything
// but must not panic.
func TestForgedRun(t *testing.T) { forgedRuns(t, 1, 1) }

// forgedRuns is TestForgedRun with most forged runs for each table.
func forgedRuns(t *testing.T, seed uint64, most int) {
	dir := runtest.CopyRun(t, runtest.Build(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40))))
	if err := askEverything(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.lsh"))
	if err != nil || len(tables) < 14 {
		t.Fatal(tables, err)
	}
	random := rand.New(rand.NewPCG(seed, 3))
	refused, told := 0, 0
	for nth, path := range tables {
		whole, err := os.ReadFile(path)
		runtest.Must(t, err)
		sound := filepath.Join(t.TempDir(), "sound")
		runtest.Must(t, os.WriteFile(sound, whole, 0o666))
		names, lengths, err := mappedtest.Sections(sound)
		runtest.Must(t, err)
		for i := range most {
			n := random.IntN(len(names))
			at, change, ones := random.IntN(lengths[n]), byte(1)<<random.IntN(8), (nth+i)%3 == 0
			runtest.Must(t, mappedtest.Forge(sound, path, func(section string, b []byte) {
				switch {
				case section != names[n]:
				case ones:
					for j := at &^ 7; j < min(at&^7+8, len(b)); j++ {
						b[j] = 0xff
					}
				default:
					b[at] ^= change
				}
			}))
			what := fmt.Sprintf("%s, section %q, byte %d, ones %v", filepath.Base(path), names[n], at, ones)
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: panic: %v", what, r)
					}
				}()
				runtest.Broken(t, dir)
				if err := askEverything(t.Context(), dir); err != nil {
					refused++
				} else {
					told++
				}
			}()
		}
		runtest.Must(t, os.WriteFile(path, whole, 0o666))
	}
	if refused == 0 || told == 0 {
		t.Errorf("%d refused, %d answered", refused, told)
	}
}

// askEverything asks a run for everything.
func askEverything(ctx context.Context, dir string) error {
	r, err := runs.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	askTopical(ctx, r)
	askSyntactic(ctx, r)
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		_, _ = r.Lookup(d.URL)
		_, _ = r.LookupPage(d.URL)
		runs.CapturesAt(r, d.URL)
		_, _ = strings.Clone(r.Input(id)), r.RedirectTarget(d.URL)
		runs.Quotes(r, id)
		runs.Anchors(r, id, 3)
	}
	runs.Suggest(r, []string{"https://example.org/none"}, 3)
	return r.Err()
}

func askTopical(ctx context.Context, r *runs.Run) {
	_ = topics.EachRelated(ctx, r, topics.Lookup{Top: 10}, func(uint32, []topics.Neighbour) error { return nil })
	var ids []uint32
	for id := range uint32(r.Len()) {
		ids = append(ids, id)
		topics.MembershipOf(r, id)
		topics.Bag(r, id)
		_, _ = topics.ClusterOf(r, id)
		topics.PathTo(r, id)
	}
	some := ids[:min(40, len(ids))]
	_, _ = topics.Exact(ctx, r, some, 10, topics.ByBoth, nil)
	for _, a := range some[:10] {
		for _, b := range some[:20] {
			topics.Explain(r, a, b)
			topics.Shared(r, a, b, topics.ByBoth, 5)
			topics.Fields(r, a, b)
		}
	}
	clusters, _ := topics.Clusters(r)
	for _, order := range []string{topics.SortBySize, topics.SortByLabel, topics.SortByHosts} {
		topics.SortClusters(r, clusters, order)
	}
	for _, c := range clusters {
		topics.Members(r, c, 0, c.Size)
	}
	for _, root := range topics.Tops(r) {
		topics.Children(r, root)
		_, _ = topics.Branch(r, root.ID)
	}
	reclustered, _ := topics.Recluster(r, 0.5, "similarity")
	_ = topics.LabelClusters(ctx, r, reclustered)
	_, _ = topics.Exact(ctx, r, some, 10, topics.ByContent, nil)
}

func askSyntactic(ctx context.Context, r *runs.Run) {
	groups, _ := texts.Clusters(r)
	_ = len(groups)
	var ids []uint32
	for id := range uint32(r.Len()) {
		if _, _, err := texts.Duplicates(r, id, math.MaxInt); err != nil {
			continue
		}
		ids = append(ids, id)
		_, _ = texts.ClusterOf(r, id)
		_, _ = texts.Overlap(r, ids[0], id)
		_, _, _ = texts.Boilerplate(r, id)
		_, _ = texts.DuplicateProbability(r, id)
		_, _ = texts.WhoHas(r, id, nil, defaultWho)
	}
	some := ids[:min(10, len(ids))]
	_, _ = texts.Resembling(ctx, r, some, 5)
	for _, method := range texts.Methods {
		_, _ = texts.Recluster(ctx, r, method, resemble.Policy{Threshold: 0.6})
	}
	_, _ = views.Compare(ctx, r, views.CompareDefaults(r))
}

func TestLongForgedRun(t *testing.T) { forgedRuns(t, 2, 3) }
