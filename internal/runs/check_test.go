package runs_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// planted is a kind of damage that checksums cannot find: an intact table with wrong content.
type planted struct {
	name  string
	plant func(r *runs.Run, dir string)
	want  string // part of the expected errors, "" for none
}

// plantAll plants each kind of damage in a copy of a run and compares the errors of the checks.
func plantAll(t *testing.T, whole string, cases []planted) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := runtest.CopyRun(t, whole)
			r, err := runs.Open(dir)
			runtest.Must(t, err)
			defer r.Close()
			c.plant(r, dir)
			if b := runtest.Broken(t, dir); !strings.Contains(b, c.want) || (b == "") != (c.want == "") {
				t.Errorf("the rules say %q, want %q", b, c.want)
			}
		})
	}
}

// TestPlantedDamage checks that the checks find planted damage.
func TestPlantedDamage(t *testing.T) {
	whole := runtest.Build(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	if b := runtest.Broken(t, whole); b != "" {
		t.Fatalf("a run without damage breaks %s", b)
	}
	plantAll(t, whole, []planted{
		{"documents out of order", func(r *runs.Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[3], g[4] = g[4], g[3]; return g })
		}, "documents in order: document "}, // 3 or 4, whichever a search misses
		{"a document twice", func(r *runs.Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[4] = g[3]; return g })
		}, "documents in order: document 4"},
		{"a document under another's hash", func(r *runs.Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[0].Hash--; return g })
		}, "documents in order: document 0"},
		{"a document less", func(r *runs.Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { return g[1:] })
		}, "do not belong together"},
		{"a page of an input that there is not", func(r *runs.Run, dir string) {
			plantCaptures(t, r, dir, func(id uint32) uint32 {
				if in := r.Captures.Input(id); in == tables.NoInput {
					return in
				}
				return 1
			}, func(*tables.CapturesWriter) {})
		}, "is of input 1 of 1"},
		{"a page of no input", func(r *runs.Run, dir string) {
			plantCaptures(t, r, dir, func(uint32) uint32 { return tables.NoInput }, func(*tables.CapturesWriter) {})
		}, "captures in order: document"},
		{"a capture that is none", func(r *runs.Run, dir string) {
			plantCaptures(t, r, dir, r.Captures.Input, func(w *tables.CapturesWriter) { w.AddCapture(1, 0) })
		}, "captures in order: capture 0"},
		{"captures of fewer documents", func(r *runs.Run, dir string) {
			w := tables.CreateCaptures(filepath.Join(dir, tables.CapturesFile))
			runtest.Must(t, w.Close())
		}, "do not belong together"},
		{"a bag with a count more", func(r *runs.Run, dir string) {
			plantBag(t, r, dir, func(b *bags.Bag) { b.Counts[0]++ })
		}, "a field has the sum 101, not 100"},
		{"a bag with a field for the other", func(r *runs.Run, dir string) {
			plantBag(t, r, dir, func(b *bags.Bag) {
				b.Counts[0]++         // of links
				b.Counts[b.Len()-1]-- // of content
			})
		}, "a field has the sum 101, not 100"},
		{"a bag with a term twice", func(r *runs.Run, dir string) {
			plantBag(t, r, dir, func(b *bags.Bag) { b.Terms[1] = b.Terms[0] })
		}, "not a member of its node"},
		{"a bag with a term that there is not", func(r *runs.Run, dir string) {
			plantBag(t, r, dir, func(b *bags.Bag) { b.Terms[len(b.Terms)-1] = uint32(r.Terms.Len()) })
		}, "out of order or range"},
		{"a bag emptied", func(r *runs.Run, dir string) {
			plantBag(t, r, dir, func(b *bags.Bag) { *b = bags.Bag{} })
		}, "not a member of its node"},
		{"a pair one way only", func(r *runs.Run, dir string) {
			last := 2*r.Pairs.Count() - 1
			plantPairs(t, r, dir, func(i int, _ *center.Edge) bool { return i != last })
		}, "pairs both ways: pair of nodes"},
		{"the other way only", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(i int, _ *center.Edge) bool { return i != 0 })
		}, "pairs both ways: "},
		{"a pair of other similarity", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(_ int, e *center.Edge) bool { e.Similarity = 0.99; return true })
		}, "that of the bags is"},
		{"a pair of other similarity one way", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(i int, e *center.Edge) bool { e.Similarity += float32(min(i, 1)^1) / 8; return true })
		}, "not the same both ways"},
		{"a pair with itself", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(i int, e *center.Edge) bool {
				for u := uint32(0); i == 0; u++ {
					if len(r.Pairs.Neighbours(u)) > 0 {
						e.To, i = u, 1
					}
				}
				return true
			})
		}, "out of order or range"},
		{"a pair with no node", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(i int, e *center.Edge) bool {
				if i == 2*r.Pairs.Count()-1 {
					e.To = 1 << 30
				}
				return true
			})
		}, "pairs both ways: "},
		{"no pairs", func(r *runs.Run, dir string) {
			plantPairs(t, r, dir, func(int, *center.Edge) bool { return false })
		}, "clusters are stars"},
		{"a center that is none", func(r *runs.Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, _ []float32) {
				i := slices.IndexFunc(centers, func(c uint32) bool { return c != centers[0] })
				centers[centers[0]] = centers[i]
			})
		}, "clusters are stars: document"},
		{"a member without an edge", func(r *runs.Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, similarity []float32) {
				id, of := strangers(r)
				centers[id], similarity[id] = of, 0.5
			})
		}, "has no edge to its center"},
		{"a member of other similarity", func(r *runs.Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, similarity []float32) {
				i := slices.IndexFunc(similarity, func(s float32) bool { return s < 1 })
				similarity[i] += 0.01
			})
		}, "has no edge to its center"},
		{"an index without a posting", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, r.Pages.Len(), func(i int, _ *uint64, _ *uint32) bool { return i != 7 })
		}, "postings in form: "},
		{"a posting of another page", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, r.Pages.Len(), func(i int, value *uint64, page *uint32) bool {
				if i == 7 {
					*page = (*page + 1) % uint32(r.Pages.Len())
				}
				return true
			})
		}, "are not those of the pages' shingles"},
		{"a posting of no page", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, 60_001, func(i int, value *uint64, page *uint32) bool {
				if i == 7 {
					*page = 60_000
				}
				return true
			})
		}, "postings in form: posting 7: page 60000 of"},
		{"a posting of another shingle", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, r.Pages.Len(), func(i int, value *uint64, page *uint32) bool {
				if i == 7 {
					*value = 1<<40 - 1
				}
				return true
			})
		}, "postings in form: "},
		{"an index with pages in 4 bytes is whole", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, 1<<20, func(int, *uint64, *uint32) bool { return true })
		}, ""},
		{"a manifest that counts wrongly", func(_ *runs.Run, dir string) {
			path := filepath.Join(dir, run.ManifestName)
			b, err := os.ReadFile(path)
			runtest.Must(t, err, os.WriteFile(path, sealed(bytes.ReplaceAll(b, []byte(`"topical_pairs": `), []byte(`"topical_pairs": 1`))), 0o666))
		}, "the manifest says"},
		{"linking pages out of order", func(r *runs.Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 { slices.Reverse(list); return list })
		}, "linking pages in order: document"},
		{"a linking page less", func(r *runs.Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 { return list[:max(0, len(list)-1)] })
		}, "linking pages, but its row says"},
		{"a linking page that is no document", func(r *runs.Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 {
				if len(list) > 0 {
					list[len(list)-1]++
				}
				return list
			})
		}, "is not a document"},
		{"linking pages that another document has", func(r *runs.Run, dir string) {
			strange := tables.Hash(r.Document(0).URL)
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 {
				if len(list) == 1 {
					list[0] = strange
				}
				return list
			})
		}, "which does not link to it"},
		{"linking pages of fewer documents", func(r *runs.Run, dir string) {
			w := tables.CreateSources(filepath.Join(dir, tables.SourcesFile))
			runtest.Must(t, w.Close())
		}, "do not belong together"},
	})
}

// sealed corrects the digest at the end of a manifest.
func sealed(b []byte) []byte {
	digits := b[len(b)-len("\"\n}\n")-32:][:32]
	copy(digits, strings.Repeat("0", 32))
	h := xxh3.Hash128(b).Bytes()
	hex.Encode(digits, h[:])
	return b
}

// strangers returns a document that is not a center, and a center to which it has no edge.
func strangers(r *runs.Run) (id, of uint32) {
	for id := range uint32(r.Len()) {
		own, _ := r.Clusters.Center(id)
		hasMembers := slices.ContainsFunc(r.Clusters.Centers(), func(c uint32) bool { return c == id }) && own == id
		for of := range uint32(r.Len()) {
			c, _ := r.Clusters.Center(of)
			if own != id && !hasMembers && c == of && of != own && !runs.HasEdge(r, r.Nodes.Of(id), r.Nodes.Of(of), 0.5) {
				return id, of
			}
		}
	}
	return 0, 0
}

// otherBags provides the bags of nodes, but another one for the first node.
type otherBags struct {
	tables.NodeBags
	first bags.Bag
}

func (b otherBags) At(node uint32) bags.Bag {
	if node == 0 {
		return b.first
	}
	return b.NodeBags.At(node)
}

// TestCheckInverted checks that every list is compared with the bags, and the segments with those made from the bags.
func TestCheckInverted(t *testing.T) {
	whole := runtest.Build(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	r, err := runs.Open(whole)
	runtest.Must(t, err)
	defer r.Close()
	of := tables.NodeBags{Bags: r.Bags, Nodes: r.Nodes}
	n := uint32(of.Len())
	more := bags.Bag{Terms: slices.Clone(of.At(0).Terms), Counts: slices.Clone(of.At(0).Counts)}
	more.Counts[0]++
	fewer := bags.Bag{Terms: more.Terms[1:], Counts: more.Counts[1:]}
	lists := func(of inverted.Bags, ends ...uint32) func(r *runs.Run, dir string) {
		return func(_ *runs.Run, dir string) {
			w := tables.CreateInverted(filepath.Join(dir, tables.InvertedFile))
			var builder inverted.Builder
			from := uint32(0)
			for _, end := range ends {
				runtest.Must(t, w.Add(builder.Build(of, from, end)))
				from = end
			}
			runtest.Must(t, w.Close())
		}
	}
	plantAll(t, whole, []planted{
		{"the lists of the bags", lists(of, n), ""},
		{"a count more", lists(otherBags{of, more}, n), "is not that of the bags"},
		{"a term less", lists(otherBags{of, fewer}, n), "inverted lists in form: segment 0: "},
		{"two segments", lists(of, n/2, n), "2 segments of inverted lists, but the bags give 1"},
		{"a node less", lists(of, n-1), "do not belong together"},
		{"no segment", lists(of), "do not belong together"},
	})
}

// TestCheckSampledIndex checks that a sampled index passes the checks, and that every shingle in it is compared with
// the pages.
func TestCheckSampledIndex(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.Views, c.IndexOneIn = []string{"syntactic"}, 3
	whole := runtest.Build(t, c, runtest.SamplePages(t, 40))
	plantAll(t, whole, []planted{
		{"the index of the run", func(r *runs.Run, _ string) {
			if r.Posts.Modulus() != 3 {
				t.Errorf("modulus %d", r.Posts.Modulus())
			}
		}, ""},
		{"shingles that are not sampled", func(r *runs.Run, dir string) {
			plantPostings(t, r, dir, r.Pages.Len(), func(int, *uint64, *uint32) bool { return true })
		}, "for an index of modulus 3"},
	})
}
