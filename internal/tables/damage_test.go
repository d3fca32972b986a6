package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
)

var someIDs = []uint32{0, 1, 2, 3, 4, 5, 1 << 20, 1 << 31, None}

// used returns the error of a table after its use.
func used(t interface {
	Close() error
	Err() error
}, errs ...error) error {
	return errors.Join(append(errs, t.Err(), t.Close(), t.Err())...)
}

// using returns a function that opens a table and calls look, which may return errOutside.
func using[T Table](open func(path string) (T, error), look func(t T) error) func(path string) error {
	return func(path string) error {
		t, err := open(path)
		if err != nil {
			return err
		}
		return used(t, look(t))
	}
}

// uses maps each table to a function that opens it and asks for everything that it contains, and for things that it
// does not contain. It returns the damage that the table reports, or errOutside if the table returned a number out of
// range.
var uses = map[string]func(path string) error{
	DocumentsFile: using(OpenDocuments, func(t *Documents) (err error) {
		for _, id := range someIDs {
			d := t.At(id)
			_, _ = strings.Clone(t.URL(id)), strings.Clone(d.Title+d.Canonical+d.Languages+d.Opening+d.Label.String())
			t.Language(id)
			for head := range 7 {
				_ = strings.Clone(strings.Join(t.Trail(id, head), ""))
			}
		}
		t.Find("https://b.example/")
		id, ok := t.ByHash(Hash("https://b.example/"))
		if ok {
			err = inside(t.Len(), id)
		}
		return err
	}),
	EvidenceFile: using(OpenEvidence, func(t *Evidence) (err error) {
		for _, id := range someIDs {
			for _, q := range t.Of(id) {
				_, _, _ = slices.Clone(q.Before), slices.Clone(q.Anchor), slices.Clone(q.After)
			}
		}
		return nil
	}),
	SourcesFile: using(OpenSources, func(t *Sources) (err error) {
		for _, id := range someIDs {
			_ = slices.Clone(t.Of(id))
		}
		return nil
	}),
	TermsFile: using(OpenTerms, func(t *Terms) (err error) {
		for _, id := range someIDs {
			_ = strings.Clone(t.Word(id))
			t.DF(id)
		}
		id, ok := t.Find(5)
		if ok {
			err = inside(t.Len(), id)
		}
		_, _ = slices.Clone(t.Hashes()), slices.Clone(t.DFs())
		return err
	}),
	BagsFile: using(OpenBags, func(t *Bags) (err error) {
		for _, id := range someIDs {
			bags.Similarity(t.At(0), t.At(id))
			t.Hash(id)
		}
		return nil
	}),
	NodesFile: using(OpenNodes, func(t *Nodes) (err error) {
		for _, id := range someIDs {
			node := t.Of(id)
			if node != None {
				err = errors.Join(err, inside(t.Len(), node))
			}
			if first := t.First(id); first != None {
				err = errors.Join(err, inside(t.Documents(), first))
			}
			err = errors.Join(err, inside(t.Documents(), t.Members(node)...), inside(t.Documents(), t.Members(id)...))
		}
		return err
	}),
	SignaturesFile: using(OpenSignatures, func(t *Signatures) (err error) {
		for i := range t.Len() {
			if len(t.Row(i)) != 3*t.M {
				err = errOutside
			}
		}
		_ = slices.Clone(t.All().Rows)
		return err
	}),
	CapturesFile: using(OpenCaptures, func(t *Captures) (err error) {
		for _, id := range someIDs {
			t.Input(id)
		}
		for i := range t.Rows() + 1 {
			if _, id := t.At(i); id != None {
				err = errors.Join(err, inside(t.Len(), id))
			}
		}
		return errors.Join(err, inside(t.Len(), t.Of("a")...), inside(t.Len(), t.Of("b")...))
	}),
	InvertedFile: useInverted,
	PairsFile: using(OpenPairs, func(t *Pairs) (err error) {
		for _, id := range someIDs {
			for _, e := range t.Neighbours(id) {
				err = errors.Join(err, inside(t.Len(), e.To))
			}
		}
		return err
	}),
	TreeFile: using(OpenTree, func(t *Tree) (err error) {
		for _, id := range someIDs {
			if leaf := t.Leaf(id); leaf != None {
				err = errors.Join(err, inside(t.Len(), leaf))
			}
		}
		for i := range uint32(t.Len()) {
			n := t.At(i)
			if n.Parent != None && n.Parent >= i || n.End <= i || int64(n.End) > int64(t.Len()) || n.Center != None && int64(n.Center) >= int64(t.Documents()) {
				err = errors.Join(err, errOutside)
			}
		}
		return err
	}),
	ClustersFile: using(OpenClusters, func(t *Clusters) (err error) {
		for _, id := range someIDs {
			c, _ := t.Center(id)
			if c != None {
				err = errors.Join(err, inside(t.Len(), c))
			}
			t.Label(c)
			t.Label(id)
		}
		return errors.Join(err, inside(t.Len(), t.Centers()...))
	}),
	RedirectsFile: using(OpenRedirects, func(t *Redirects) (err error) {
		for i := range t.Len() + 1 {
			r := t.At(i)
			_ = strings.Clone(r.From + r.To + r.By.String())
		}
		t.Target("https://e.example/")
		t.Any(0, 1<<63)
		return nil
	}),
	ShinglesFile: using(OpenShingles, func(t *Shingles) (err error) {
		for _, id := range someIDs {
			_ = slices.Clone(t.Values(id))
			t.Bytes(id)
			t.Lexical(id)
			t.Host(id)
			t.Count(id)
			if page, ok := t.Page(t.Document(id)); ok {
				err = errors.Join(err, inside(t.Len(), page))
			}
		}
		return err
	}),
	EqualFile: useEqual,
	SimilarFile: using(OpenSimilar, func(t *Similar) (err error) {
		for p := range t.All() {
			_, _ = p.Exact.Resemblance()
		}
		for _, id := range someIDs {
			for p := range t.Of(id) {
				_, _ = p.Sample.Resemblance()
			}
			t.At(int(int32(id)))
		}
		return nil
	}),
	UnionFile: using(OpenUnion, func(t *Union) (err error) {
		for _, id := range someIDs {
			m := t.Member(id)
			if int64(id) < int64(t.Len()) {
				err = errors.Join(err, inside(t.Len(), m.Representative))
			}
			_ = m.Via.String() + m.Relation.String()
			if g, ok := t.GroupOf(id); ok {
				err = errors.Join(err, inside(t.Groups(), uint32(g)))
			}
			g, pages := t.Group(int(int32(id)))
			err = errors.Join(err, inside(t.Len(), pages...))
			if g.Documents > 0 {
				err = errors.Join(err, inside(t.Len(), g.Representative))
			}
		}
		return err
	}),
	PostingsFile: using(OpenPostings, func(t *Postings) (err error) {
		for _, v := range []uint64{0, 100, 150, 3900, 1 << 40, 1<<64 - 1} {
			t.Pages(nil, v)
			t.Digest(v, 0)
		}
		_, err = t.Check(context.Background(), 5)
		return err
	}),
}

// TestDamagedTables checks that a damaged table reports an error if the damage was read. It never panics, and is
// never wrong silently.
func TestDamagedTables(t *testing.T) { damageTables(t, func(at int) bool { return at%9 == 0 }) }

func TestLongDamagedTables(t *testing.T) { damageTables(t, func(at int) bool { return at%9 != 0 }) }

func damageTables(t *testing.T, wanted func(at int) bool) {
	dir := writeAll(t)
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			whole, err := os.ReadFile(path)
			must(t, err, use(path))
			damaged := filepath.Join(t.TempDir(), name)
			tried, refused := 0, 0
			try := func(what string, b []byte) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: panic: %v", what, r)
					}
				}()
				must(t, os.WriteFile(damaged, b, 0o666))
				tried++
				if err := use(damaged); errors.Is(err, errOutside) {
					t.Errorf("%s: %v", what, err)
				} else if err != nil {
					refused++
				}
			}
			for i := range whole {
				if !wanted(i) {
					continue
				}
				b := slices.Clone(whole)
				b[i] ^= 1 << (i % 8)
				try(fmt.Sprintf("byte %d ^ %#x", i, b[i]^whole[i]), b)
				try(fmt.Sprintf("%d bytes", i), whole[:i])
				b = slices.Clone(whole) // with a hole of ones
				for j := i; j < min(i+8, len(b)); j++ {
					b[j] = 0xff
				}
				try(fmt.Sprintf("ones at %d", i), b)
			}
			if refused < 2*tried/3 {
				t.Errorf("%d damaged files of %d were refused", refused, tried)
			}
		})
	}
}

// TestForgedTables checks that a table with correct checksums and wrong numbers yields an error or an answer, but no
// number out of range.
func TestForgedTables(t *testing.T) {
	dir := writeAll(t)
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			path, forged := filepath.Join(dir, name), filepath.Join(t.TempDir(), name)
			sections, lengths, err := mappedtest.Sections(path)
			must(t, err)
			accepted, refused := 0, 0
			try := func(section string, change func(b []byte)) {
				must(t, mappedtest.Forge(path, forged, func(s string, b []byte) {
					if s == section {
						change(b)
					}
				}))
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("section %q: panic: %v", section, r)
					}
				}()
				if err := use(forged); errors.Is(err, errOutside) {
					t.Errorf("section %q: %v", section, err)
				} else if err != nil {
					refused++
				} else {
					accepted++
				}
			}
			for i, section := range sections {
				for at := 0; at < lengths[i]; at += 2 { // an odd byte of a number does as an even one
					try(section, func(b []byte) { b[at] ^= 1 << (at / 2 % 8) })
					if at%4 == 0 {
						try(section, func(b []byte) {
							for j := at; j < min(at+4, len(b)); j++ {
								b[j] = 0xff
							}
						})
					}
				}
			}
			if name != SignaturesFile && name != SimilarFile && refused == 0 || accepted == 0 {
				t.Errorf("%d forged tables were refused, %d accepted", refused, accepted)
			}
		})
	}
}
