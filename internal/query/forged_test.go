package query

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// copies adds pages with the text of others, or most of it.
func copies(pages []string) []string {
	for i, line := range pages[:10] {
		line = strings.Replace(line, "https://", "https://copy.", 1)
		if i%2 == 1 {
			line = strings.Replace(line, "<p>", "<p>A word more, and two, and three.", 1)
		}
		pages = append(pages, line)
	}
	return pages
}

// TestForgedRun asks runs in which one table has an impossible number, with correct checksums. They may answer anything
// but must not panic.
func TestForgedRun(t *testing.T) { forgedRuns(t, 1, 1) }

// forgedRuns is TestForgedRun with most forged runs for each table.
func forgedRuns(t *testing.T, seed uint64, most int) {
	dir := copyRun(t, build(t, preset(t, "web"), copies(samplePages(t, 40))))
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
		must(t, err)
		sound := filepath.Join(t.TempDir(), "sound")
		must(t, os.WriteFile(sound, whole, 0o666))
		names, lengths, err := mappedtest.Sections(sound)
		must(t, err)
		for i := range most {
			n := random.IntN(len(names))
			at, change, ones := random.IntN(lengths[n]), byte(1)<<random.IntN(8), (nth+i)%3 == 0
			must(t, mappedtest.Forge(sound, path, func(section string, b []byte) {
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
				broken(t, dir)
				if err := askEverything(t.Context(), dir); err != nil {
					refused++
				} else {
					told++
				}
			}()
		}
		must(t, os.WriteFile(path, whole, 0o666))
	}
	if refused == 0 || told == 0 {
		t.Errorf("%d refused, %d answered", refused, told)
	}
}

// askEverything asks a run for everything.
func askEverything(ctx context.Context, dir string) error {
	r, err := Open(dir)
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
		r.Captures(d.URL)
		_, _ = strings.Clone(r.Input(id)), r.RedirectTarget(d.URL)
		r.Quotes(id)
		r.Anchors(id, 3)
	}
	r.Suggest([]string{"https://example.org/none"}, 3)
	if dictionary, err := r.Dictionary(bags.Weighting{Scheme: "none"}); err == nil {
		dictionary.Lookup(5)
	}
	return r.Err()
}

func askTopical(ctx context.Context, r *Run) {
	_ = r.EachRelated(ctx, Lookup{Top: 10}, func(uint32, []Neighbour) error { return nil })
	var ids []uint32
	for id := range uint32(r.Len()) {
		ids = append(ids, id)
		r.TopicalMembership(id)
		r.Bag(id)
		_, _ = r.TopicalCluster(id)
		r.TopicalPath(id)
	}
	some := ids[:min(40, len(ids))]
	_, _ = r.Exact(ctx, some, 10, ByBoth, nil)
	for _, a := range some[:10] {
		for _, b := range some[:20] {
			r.Explain(a, b)
			r.Shared(a, b, ByBoth, 5)
			r.Fields(a, b)
		}
	}
	clusters, _ := r.TopicalClusters()
	for _, order := range TopicalSorts {
		r.SortTopicalClusters(clusters, order)
	}
	for _, c := range clusters {
		r.TopicalMembers(c, 0, c.Size)
	}
	for _, root := range r.TopicalRoots() {
		r.TopicalChildren(root)
		_, _ = r.TopicalBranch(root.ID)
	}
	reclustered, _ := r.ReclusterTopical(0.5, "similarity")
	_ = r.LabelTopicalClusters(ctx, reclustered)
	_, _ = r.Exact(ctx, some, 10, ByContent, nil)
}

func askSyntactic(ctx context.Context, r *Run) {
	groups, _ := r.SyntacticClusters()
	_ = len(groups)
	var ids []uint32
	for id := range uint32(r.Len()) {
		if _, _, err := r.Duplicates(id, math.MaxInt); err != nil {
			continue
		}
		ids = append(ids, id)
		_, _ = r.SyntacticCluster(id)
		_, _ = r.SameSyntacticCluster(ids[0], id)
		_, _ = r.Overlap(ids[0], id)
		_, _, _ = r.Boilerplate(id)
		_, _ = r.DuplicateProbability(id)
		if set, err := r.Shingles(id); err == nil {
			_, _ = r.holders(r.document(set), nil, tables.None, defaultWho)
		}
	}
	some := ids[:min(10, len(ids))]
	_, _ = r.Resembling(ctx, some, 5)
	for _, method := range SyntacticMethods {
		_, _ = r.ReclusterSyntactic(ctx, method, resemble.Policy{Threshold: 0.6})
	}
	_, _ = r.Compare(ctx, r.CompareDefaults())
}
