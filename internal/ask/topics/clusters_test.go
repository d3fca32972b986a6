package topics

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// TestTopicalClusters checks that the topical clusters contain every document with company exactly once, in the given
// order.
func TestTopicalClusters(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	clusters, err := Clusters(r)
	if err != nil || len(clusters) < 5 {
		t.Fatalf("%d clusters, %v", len(clusters), err)
	}
	seen := map[string]bool{}
	alone := r.Len()
	for i, c := range clusters {
		members := Members(r, c, 0, r.Len())
		if c.Size < 2 || c.Size != len(members) || i > 0 && c.Size > clusters[i-1].Size {
			t.Fatalf("cluster %d of %d has %d members, the one before %d", i, c.Size, len(members), clusters[max(i-1, 0)].Size)
		}
		alone -= c.Size
		hosts, crawled := map[string]int{}, 0
		for j, m := range members {
			d := r.Document(m.ID)
			if seen[d.URL] || j == 0 && m.ID != c.Center || j > 1 && m.Similarity > members[j-1].Similarity {
				t.Fatalf("cluster %s: member %d, %s, is twice or out of order", c.ID, j, d.URL)
			}
			seen[d.URL] = true
			_, rest, _ := strings.Cut(d.URL, "://")
			rest, _, _ = strings.Cut(rest, "/")
			hosts[rest]++
			if d.Crawled {
				crawled++
			}
			if face := r.Document(c.Face); d.InHosts > face.InHosts || d.InHosts == face.InHosts && d.InLinks > face.InLinks {
				t.Errorf("cluster %s shows %s, but more hosts or pages link to %s", c.ID, face.URL, d.URL)
			}
			of, err := ClusterOf(r, m.ID)
			if err != nil || of.ID != c.ID || of.Size != c.Size || len(Members(r, of, 0, r.Len())) != c.Size {
				t.Fatalf("%s: in cluster %+v (%v), listed in %s", d.URL, of, err, c.ID)
			}
		}
		if len(hosts) != c.Hosts || hosts[c.Host] != c.OnHost || crawled != c.Crawled {
			t.Errorf("cluster %s: hosts %v, %d crawled; it says %+v", c.ID, hosts, crawled, c)
		}
		for _, n := range hosts {
			if n > c.OnHost {
				t.Errorf("cluster %s: %s is not the most common of %v", c.ID, c.Host, hosts)
			}
		}
		if len(c.Label) == 0 {
			t.Errorf("cluster %s has no label", c.ID)
		}
	}
	id := uint32(0)
	runtest.Must(t, EachClusterRow(t.Context(), r, func(row run.TopicalClusterRow) error {
		c, err := ClusterOf(r, id)
		want := run.TopicalClusterRow{
			URL: r.URL(id), ClusterID: c.ID, ClusterSize: int32(c.Size), IsCenter: c.Center == id,
			SimilarityToCenter: MembershipOf(r, id).Similarity, LabelTerms: c.Label,
		}
		if d := cmp.Diff(want, row, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
		id++
		return err
	}))
	if int(id) != r.Len() {
		t.Errorf("%d rows for %d documents", id, r.Len())
	}
	single := 0
	for id := range uint32(r.Len()) {
		if c, _ := ClusterOf(r, id); c.Size == 1 {
			single++
		}
	}
	if single != alone {
		t.Errorf("%d documents are in no cluster of two or more, %d in one of their own", alone, single)
	}

	SortClusters(r, clusters, SortByLabel)
	if !slices.IsSortedFunc(clusters, func(a, b TopicalCluster) int {
		return strings.Compare(strings.ToLower(label.Join(a.Label)), strings.ToLower(label.Join(b.Label)))
	}) {
		t.Error("not in the order of the labels")
	}
	SortClusters(r, clusters, SortByHosts)
	for i := range clusters[1:] {
		if clusters[i].HostShare() > clusters[i+1].HostShare() {
			t.Errorf("share %v stands before %v", clusters[i].HostShare(), clusters[i+1].HostShare())
		}
	}
}

// TestNameOf checks that a document has the same name in the run's tables and in answers.
func TestNameOf(t *testing.T) {
	var pages []string
	for i := range 20 {
		pages = append(pages, fmt.Sprintf(`{"url":"https://a.example/%d","html":"<p>Growing pears in box %d (<a href='https://x.example/item?id=%d'>HN</a>)"}`, i, i, i))
	}
	r, found := runtest.Opened(t, runtest.Preset(t, "web"), pages), 0
	for row, err := range run.ReadTable[run.PageRow](filepath.Join(runtest.Build(t, runtest.Preset(t, "web"), pages), run.PagesTable)) {
		if err != nil {
			t.Fatal(err)
		}
		if got := r.NameOf(uint32(row.ID)); got != row.Name || got == "" {
			t.Errorf("%s: %q in the answer, %q in the table", row.URL, got, row.Name)
		}
		if id, ok := strings.CutPrefix(row.URL, "https://x.example/item?id="); ok {
			found++
			if want := "Growing pears in box " + id; row.Name != want {
				t.Errorf("%s: %q, want %q", row.URL, row.Name, want)
			}
		}
	}
	if found != len(pages) {
		t.Errorf("%d rows of links", found)
	}
}

// TestAnchors checks that Anchors ignores case, and returns the most common text first.
func TestAnchors(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), []string{
		`{"url":"https://a.example/1","html":"<p>See <a href='https://x.example/'>The  Orchard</a> there"}`,
		`{"url":"https://b.example/2","html":"<p>See <a href='https://x.example/'>the orchard</a> here"}`,
		`{"url":"https://c.example/3","html":"<p>See <a href='https://x.example/'>apples</a> now"}`,
	})
	id, err := r.Lookup("x.example")
	if err != nil {
		t.Fatal(err)
	}
	if got := runs.Anchors(r, id, 5); !slices.Equal(got, []string{"The Orchard", "apples"}) {
		t.Errorf("anchors %q", got)
	}
	if got := runs.Anchors(r, id, 1); len(got) != 1 {
		t.Errorf("%d anchors instead of one", len(got))
	}
}

func TestLabelWords(t *testing.T) {
	for words, want := range map[string]bool{"gin": true, "index editors": true, "text index": true, "gi": false, "gin zebra": false} {
		if got := NewLabelWords(words).In("GIN Indexes, text editor"); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
