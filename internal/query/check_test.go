package query

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/zeebo/xxh3"
)

// broken runs the checks on a run directory and returns "rule: error" for each rule that it breaks.
func broken(t *testing.T, dir string) string {
	t.Helper()
	of, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range Checks() {
		if err := c.Func(context.Background(), of); err != nil {
			out = append(out, c.Name+": "+err.Error())
		}
	}
	return strings.Join(out, "\n")
}

func copyRun(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// must fails the test if damage could not be planted.
func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// plantDocuments writes the documents again in the order of put.
func plantDocuments(t *testing.T, r *Run, dir string, put func([]anchors.Group) []anchors.Group) {
	var all []anchors.Group
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		all = append(all, anchors.Group{Hash: tables.Hash(d.URL), URL: []byte(d.URL), Crawled: d.Crawled})
	}
	w := tables.CreateDocuments(filepath.Join(dir, tables.DocumentsFile), filepath.Join(t.TempDir(), "evidence"))
	for _, g := range put(all) {
		w.Add(&g)
	}
	must(t, w.Close())
}

// plantCaptures writes captures.lsh again with other inputs and with the captures of add.
func plantCaptures(t *testing.T, r *Run, dir string, input func(id uint32) uint32, add func(w *tables.CapturesWriter)) {
	w := tables.CreateCaptures(filepath.Join(dir, tables.CapturesFile))
	for id := range uint32(r.Len()) {
		w.Add(input(id))
	}
	add(w)
	must(t, w.Close())
}

// pair is one direction of a stored pair.
type pair struct {
	from, to   uint32
	similarity float32
	agreement  uint8
}

// plantPairs writes the pairs again with the changes of change, without those for which it returns false.
func plantPairs(t *testing.T, r *Run, dir string, change func(i int, p *pair) bool) {
	w := tables.CreatePairs(filepath.Join(dir, tables.PairsFile))
	block, i := tables.NewPairsBlock(2*r.pairs.Count()), 0
	for u := range uint32(r.pairs.Len()) {
		for k, e := range r.pairs.Neighbours(u) {
			p := pair{u, e.To, e.Similarity, r.pairs.Agreements(u)[k]}
			if change(i, &p) {
				block.Add(p.from, p.to, p.similarity, p.agreement)
			}
			i++
		}
	}
	w.AddBlock(block)
	must(t, w.Close(r.pairs.Len()))
}

// plantClusters writes the clusters again with the changes of change.
func plantClusters(t *testing.T, r *Run, dir string, change func(centers []uint32, similarity []float32)) {
	centers, similarity := slices.Clone(r.clusters.Centers()), make([]float32, r.Len())
	for id := range similarity {
		_, similarity[id] = r.clusters.Center(uint32(id))
	}
	change(centers, similarity)
	w := tables.CreateClusters(filepath.Join(dir, tables.ClustersFile), centers, similarity)
	must(t, w.Close())
}

// The checks find damage that checksums cannot find: intact tables with wrong content.
func TestPlantedDamage(t *testing.T) {
	whole := build(t, preset(t, "web"), samplePages(t, 60))
	if b := broken(t, whole); b != "" {
		t.Fatalf("a run without damage breaks %s", b)
	}
	full := func(r *Run) uint32 { // a document with a bag of two terms or more
		for id := range uint32(r.Len()) {
			if r.bags.At(id).Len() > 1 {
				return id
			}
		}
		return 0
	}
	for _, c := range []struct {
		name  string
		plant func(r *Run, dir string)
		want  string // part of what is said
	}{
		{"documents out of order", func(r *Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[3], g[4] = g[4], g[3]; return g })
		}, "documents in order: document "}, // 3 or 4, whichever a search misses
		{"a document twice", func(r *Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[4] = g[3]; return g })
		}, "documents in order: document 4"},
		{"a document under another's hash", func(r *Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { g[0].Hash--; return g })
		}, "documents in order: document 0"},
		{"a document less", func(r *Run, dir string) {
			plantDocuments(t, r, dir, func(g []anchors.Group) []anchors.Group { return g[1:] })
		}, "do not belong together"},
		{"a page of an input that there is not", func(r *Run, dir string) {
			plantCaptures(t, r, dir, func(id uint32) uint32 {
				if in := r.captures.Input(id); in == tables.NoInput {
					return in
				}
				return 1
			}, func(*tables.CapturesWriter) {})
		}, "is of input 1 of 1"},
		{"a page of no input", func(r *Run, dir string) {
			plantCaptures(t, r, dir, func(uint32) uint32 { return tables.NoInput }, func(*tables.CapturesWriter) {})
		}, "captures in order: document"},
		{"a capture that is none", func(r *Run, dir string) {
			plantCaptures(t, r, dir, r.captures.Input, func(w *tables.CapturesWriter) { w.AddCapture(1, 0) })
		}, "captures in order: capture 0"},
		{"captures of fewer documents", func(r *Run, dir string) {
			w := tables.CreateCaptures(filepath.Join(dir, tables.CapturesFile))
			must(t, w.Close())
		}, "do not belong together"},
		{"a bag with a count more", func(r *Run, dir string) {
			plantBags(t, r, dir, func(id uint32, b *bags.Bag) {
				if id == full(r) {
					b.Counts[0]++
				}
			})
		}, "bags in form: bag of document"},
		{"a bag with a term twice", func(r *Run, dir string) {
			plantBags(t, r, dir, func(id uint32, b *bags.Bag) {
				if id == full(r) {
					b.Terms[1] = b.Terms[0]
				}
			})
		}, "out of order or range"},
		{"a bag with a term that there is not", func(r *Run, dir string) {
			plantBags(t, r, dir, func(id uint32, b *bags.Bag) {
				if id == full(r) {
					b.Terms[len(b.Terms)-1] = uint32(r.terms.Len())
				}
			})
		}, "out of order or range"},
		{"a bag emptied", func(r *Run, dir string) {
			plantBags(t, r, dir, func(id uint32, b *bags.Bag) {
				if id == full(r) {
					*b = bags.Bag{}
				}
			})
		}, "not a member of its node"},
		{"origins of more than the count", func(r *Run, dir string) {
			plantOrigins(t, r, dir, func(id uint32, of *bags.Origins) {
				if of.Len() > 0 {
					of.Content[0] = uint16(r.Config.Sum)
				}
			})
		}, "origins in form: origins of document"},
		{"origins of a term that is not in the bag", func(r *Run, dir string) {
			plantOrigins(t, r, dir, func(id uint32, of *bags.Origins) {
				if of.Len() > 0 {
					of.Terms[0] = uint32(r.terms.Len())
				}
			})
		}, "not in its bag"},
		{"origins of a document that there is not", func(r *Run, dir string) {
			plantOrigins(t, r, dir, func(uint32, *bags.Origins) {}, uint32(r.Len()))
		}, "out of order or range"},
		{"a pair one way only", func(r *Run, dir string) {
			last := 2*r.pairs.Count() - 1
			plantPairs(t, r, dir, func(i int, _ *pair) bool { return i != last })
		}, "pairs both ways: pair of nodes"},
		{"the other way only", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(i int, _ *pair) bool { return i != 0 })
		}, "pairs both ways: "},
		{"a pair of other similarity", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(_ int, p *pair) bool { p.similarity = 0.99; return true })
		}, "that of the bags is"},
		{"a pair of other agreement one way", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(i int, p *pair) bool { p.agreement += uint8(min(i, 1) ^ 1); return true })
		}, "not the same both ways"},
		{"a pair with itself", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(i int, p *pair) bool {
				if i == 0 {
					p.to = p.from
				}
				return true
			})
		}, "out of order or range"},
		{"a pair with no node", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(i int, p *pair) bool {
				if i == 2*r.pairs.Count()-1 {
					p.to = 1 << 30
				}
				return true
			})
		}, "pairs both ways: "},
		{"no pairs", func(r *Run, dir string) {
			plantPairs(t, r, dir, func(int, *pair) bool { return false })
		}, "clusters are stars"},
		{"a center that is none", func(r *Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, _ []float32) {
				i := slices.IndexFunc(centers, func(c uint32) bool { return c != centers[0] })
				centers[centers[0]] = centers[i]
			})
		}, "clusters are stars: document"},
		{"a member without an edge", func(r *Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, similarity []float32) {
				id, of := strangers(r)
				centers[id], similarity[id] = of, 0.5
			})
		}, "has no edge to its center"},
		{"a member of other similarity", func(r *Run, dir string) {
			plantClusters(t, r, dir, func(centers []uint32, similarity []float32) {
				i := slices.IndexFunc(similarity, func(s float32) bool { return s < 1 })
				similarity[i] += 0.01
			})
		}, "has no edge to its center"},
		{"an index without a posting", func(r *Run, dir string) {
			plantPostings(t, r, dir, r.pages.Len(), func(i int, _ *uint64, _ *uint32) bool { return i != 7 })
		}, "postings in form: "},
		{"a posting of another page", func(r *Run, dir string) {
			plantPostings(t, r, dir, r.pages.Len(), func(i int, _ *uint64, page *uint32) bool {
				if i == 7 {
					*page = (*page + 1) % uint32(r.pages.Len())
				}
				return true
			})
		}, "are not those of the pages' shingles"},
		{"a posting of no page", func(r *Run, dir string) {
			plantPostings(t, r, dir, r.pages.Len(), func(i int, _ *uint64, page *uint32) bool {
				if i == 7 {
					*page = 60_000
				}
				return true
			})
		}, "postings in form: posting 7: page 60000 of"},
		{"a posting of another shingle", func(r *Run, dir string) {
			plantPostings(t, r, dir, r.pages.Len(), func(i int, value *uint64, _ *uint32) bool {
				if i == 7 {
					*value = 1<<40 - 1
				}
				return true
			})
		}, "postings in form: "},
		{"an index with pages in 4 bytes is whole", func(r *Run, dir string) {
			plantPostings(t, r, dir, 1<<20, func(int, *uint64, *uint32) bool { return true })
		}, ""},
		{"a manifest that counts wrongly", func(_ *Run, dir string) {
			path := filepath.Join(dir, run.ManifestName)
			b, err := os.ReadFile(path)
			must(t, err, os.WriteFile(path, sealed(bytes.ReplaceAll(b, []byte(`"topical_pairs": `), []byte(`"topical_pairs": 1`))), 0o666))
		}, "the manifest says"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyRun(t, whole)
			r, err := Open(dir)
			must(t, err)
			defer r.Close()
			c.plant(r, dir)
			if b := broken(t, dir); !strings.Contains(b, c.want) || (b == "") != (c.want == "") {
				t.Errorf("the rules say %q, want %q", b, c.want)
			}
		})
	}
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
func strangers(r *Run) (id, of uint32) {
	for id := range uint32(r.Len()) {
		own, _ := r.clusters.Center(id)
		hasMembers := slices.ContainsFunc(r.clusters.Centers(), func(c uint32) bool { return c == id }) && own == id
		for of := range uint32(r.Len()) {
			c, _ := r.clusters.Center(of)
			if own != id && !hasMembers && c == of && of != own && !r.hasEdge(r.nodes.Of(id), r.nodes.Of(of), 0.5) {
				return id, of
			}
		}
	}
	return 0, 0
}

// A run whose tables have arbitrary changed bytes gives errors or wrong answers, but never panics.
func TestDamagedRun(t *testing.T) { damagedRuns(t, 7, 3) }

// damagedRuns is TestDamagedRun with so many changes of each table.
func damagedRuns(t *testing.T, seed uint64, changes int) {
	t.Helper()
	whole := build(t, preset(t, "web"), samplePages(t, 12))
	files, err := filepath.Glob(filepath.Join(whole, "*.lsh"))
	must(t, err)
	if len(files) < 8 {
		t.Fatalf("tables: %v", files)
	}
	dir, r := copyRun(t, whole), rand.New(rand.NewPCG(seed, 8))
	opened := 0
	for _, path := range files {
		name := filepath.Base(path)
		b, err := os.ReadFile(path)
		must(t, err)
		for range changes {
			damaged := slices.Clone(b)
			at := r.IntN(len(b))
			for i := at; i < min(len(b), at+1+r.IntN(16)); i++ {
				damaged[i] = byte(r.Uint32())
			}
			must(t, os.WriteFile(filepath.Join(dir, name), damaged, 0o666))
			if askAll(t, fmt.Sprintf("%s changed at byte %d", name, at), dir) {
				opened++
			}
		}
		must(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	if opened < 3*changes {
		t.Errorf("%d damaged runs were opened: too few to say anything", opened)
	}
}

// askAll asks a run for everything. It returns false if the run does not open.
func askAll(t *testing.T, what, dir string) bool {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", what, p)
		}
	}()
	r, err := Open(dir)
	if err != nil {
		return false
	}
	defer r.Close()
	last := uint32(0)
	if err := r.EachRelated(t.Context(), Lookup{Top: 10}, func(id uint32, n []Neighbour) error {
		last = n[0].ID
		r.Shared(id, last, 5)
		return nil
	}); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	for id := uint32(0); id < uint32(r.Len()); id += 3 {
		r.Explain(id, last)
		_, _ = r.Lookup(strings.Clone(r.Document(id).URL))
	}
	broken(t, dir)
	return true
}
