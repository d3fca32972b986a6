package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// A good file consists of pieces: bytes that hold a number of pages, and that a reader can distinguish from the pieces
// around them. In a copy, bytes are changed, moved or removed. The pages of all pieces that are still complete in the
// copy must be read, and whatever the bytes are, reading must end within bounds of time and memory and without a panic.

// piece is a part of a file that is read or lost as a whole.
type piece struct {
	data  []byte
	pages []uint64 // hashes of the pages in it
}

// specimen is a good file.
type specimen struct {
	name   string
	pieces []piece
	head   int  // number of pieces at the start that are needed to read the others, such as column names
	lines  bool // the line ending belongs to the preceding piece
	whole  bool // in this format, damage may affect more than the piece
	beside map[string][]byte
}

func (s *specimen) bytes() (b []byte) {
	for _, p := range s.pieces {
		b = append(b, p.data...)
	}
	return b
}

// write writes a copy of the file and its companion files, and returns its path.
func (s *specimen) write(t *testing.T, dir string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, s.name)
	err := os.WriteFile(path, data, 0o666)
	for name, b := range s.beside {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// mutated is a copy with the parts of the good file that it contains, in order.
type mutated struct {
	kind  string
	data  []byte
	parts [][2]int
}

// change appends parts of the good file, and bytes that are not from the file.
type change struct {
	good []byte
	mutated
}

func (c *change) keep(from, to int) {
	if from < to {
		c.data = append(c.data, c.good[from:to]...)
		c.parts = append(c.parts, [2]int{from, to})
	}
}

func (c *change) put(b []byte) { c.data = append(c.data, b...) }

// mutate makes one copy. other is another good file.
func mutate(rnd *rand.Rand, good, other []byte) mutated {
	c := change{good: good}
	n := len(good)
	at := rnd.IntN(n)
	length := min(1+rnd.IntN(1<<rnd.IntN(12)), n-at)
	switch c.kind = []string{"bits", "hole", "cut", "end", "splice", "insert", "twice", "length"}[rnd.IntN(8)]; c.kind {
	case "bits":
		var places []int
		for range 1 + rnd.IntN(8) {
			places = append(places, rnd.IntN(n))
		}
		slices.Sort(places)
		from := 0
		for _, p := range slices.Compact(places) {
			c.keep(from, p)
			c.put([]byte{good[p] ^ 1<<rnd.IntN(8)})
			from = p + 1
		}
		c.keep(from, n)
	case "hole":
		hole := bytes.Repeat([]byte{byte(rnd.Uint32())}, length)
		for i := range hole {
			if at%2 == 0 {
				hole[i] = byte(rnd.Uint32())
			}
		}
		c.keep(0, at)
		c.put(hole)
		c.keep(at+length, n)
	case "cut":
		c.keep(0, at)
		c.keep(at+length, n)
	case "end":
		c.keep(0, at)
	case "splice":
		c.keep(0, at)
		c.put(other[rnd.IntN(len(other)):])
	case "insert":
		from := rnd.IntN(len(other))
		c.keep(0, at)
		c.put(other[from:min(len(other), from+length)])
		c.keep(at, n)
	case "twice":
		c.keep(0, at+length)
		c.keep(at, n)
	case "length":
		lie(rnd, &c)
	}
	return c.mutated
}

// lie changes a number in the file: the digits of a length, or four bytes that may be a stored length.
func lie(rnd *rand.Rand, c *change) {
	n := len(c.good)
	at := rnd.IntN(n)
	if i := bytes.Index(c.good[at:], []byte("ength: ")); i >= 0 {
		from := at + i + len("ength: ")
		to := from
		for to < n && c.good[to] >= '0' && c.good[to] <= '9' {
			to++
		}
		c.keep(0, from)
		c.put([]byte([]string{"0", "1", "-1", "7", "99", "5000", "2147483648", "9223372036854775807", "99999999999999999999", "x", ""}[rnd.IntN(11)]))
		c.keep(to, n)
		return
	}
	to := min(at+4, n)
	c.keep(0, at)
	c.put([][]byte{{0xff, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0}, {0, 0, 0, 0x80}, {1, 0, 0, 0}}[rnd.IntN(5)][:to-at])
	c.keep(to, n)
}

// intact returns the pages of the pieces that the copy contains completely.
func (s *specimen) intact(m *mutated) (pages []uint64) {
	at := 0
	for i, p := range s.pieces {
		from, to := at, at+len(p.data)
		at = to
		first := from
		if s.lines && from > 0 {
			first--
		}
		whole := slices.ContainsFunc(m.parts, func(part [2]int) bool { return part[0] <= first && to <= part[1] })
		if i < s.head && (!whole || m.parts[0][0] > 0) {
			return nil
		}
		if whole {
			pages = append(pages, p.pages...)
		}
	}
	return pages
}

// hashOf returns a hash of a page.
func hashOf(p *record.Page) uint64 {
	h := xxh3.HashString(p.Canonical) ^ xxh3.Hash(p.HTML) + 3*xxh3.Hash(p.Text)
	for _, l := range p.Links {
		h = xxh3.HashStringSeed(l.Target+"\x00"+l.Anchor, h)
	}
	return h
}

// outcome is the result of reading one file.
type outcome struct {
	pages map[uint64]bool
	err   error // a panic, or an error that is not a *Skip with a position
}

// survive reads a file and recovers from a panic.
func survive(ctx context.Context, path string, o record.Options) (out outcome) {
	out.pages = map[uint64]bool{}
	defer func() {
		if p := recover(); p != nil {
			out.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	check := func(err error) {
		var s *record.Skip
		if !errors.As(err, &s) || s.Pos.File == "" || s.Reason == "" {
			out.err = fmt.Errorf("%w is no located *Skip", err)
		}
	}
	src, err := crawl.Open(path, o)
	if err != nil {
		check(err)
		return out
	}
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if err != nil {
			check(err)
			continue
		}
		p, err := rec.Page()
		if err != nil {
			check(err)
			continue
		}
		out.pages[hashOf(&p)] = true
	}
	return out
}

// watermark measures the maximum size of the heap without garbage, because the amount of garbage also depends on how
// busy the machine is.
type watermark struct {
	most atomic.Uint64
	stop chan struct{}
}

func newWatermark() *watermark {
	w := &watermark{stop: make(chan struct{})}
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
				metrics.Read(s)
				w.most.Store(max(w.most.Load(), s[0].Value.Uint64()))
			}
		}
	}()
	return w
}

func (w *watermark) end() uint64 { close(w.stop); return w.most.Load() }

// Limits for one file of a few kilobytes.
const (
	mutationMemory = 512 << 20
	recovery       = 0.999
)

func TestMutations(t *testing.T) { mutations(t, 0, 300) }

func TestLongMutations(t *testing.T) { mutations(t, 300, 10_000) }

// mutations reads mutated copies of good files of every format. A copy that fails is reported by its number, from which
// it can be made again.
func mutations(t *testing.T, from, to int) {
	specimens := specimensOf(t)
	var goods [][]byte
	for i := range specimens {
		goods = append(goods, specimens[i].bytes())
		checkSpecimen(t, &specimens[i], goods[i])
	}
	whole, read := 0, 0 // pages of pieces that are complete, and how many of them were read
	memory := newWatermark()
	dir := t.TempDir()
	for n := from; n < to; n++ {
		rnd := rand.New(rand.NewPCG(7, uint64(n)))
		which := n % len(specimens)
		s := &specimens[which]
		m := mutate(rnd, goods[which], goods[rnd.IntN(len(goods))])
		if len(m.data) == 0 {
			continue
		}
		o := record.Options{}
		if rnd.IntN(2) == 0 {
			o.Workers, o.Range = 3, 700
		}
		out := survive(t.Context(), s.write(t, dir, m.data), o)
		if out.err != nil {
			t.Errorf("copy %d of %s (%s): %v", n, s.name, m.kind, out.err)
		}
		want := s.intact(&m)
		missing := 0
		for _, p := range want {
			if !out.pages[p] {
				missing++
			}
		}
		if missing > 0 && !s.whole {
			t.Logf("copy %d of %s (%s): %d of %d pages that are whole were not read", n, s.name, m.kind, missing, len(want))
		}
		if !s.whole {
			whole, read = whole+len(want), read+len(want)-missing
		}
	}
	most := memory.end()
	t.Logf("%d of %d whole pages read; heap: at most %d MiB", read, whole, most>>20)
	if float64(read) < recovery*float64(whole) {
		t.Errorf("%d of %d whole pages read", read, whole)
	}
	if most > mutationMemory {
		t.Errorf("the heap held %d MiB", most>>20)
	}
}

// checkSpecimen checks that all pages of all pieces of a good file are read.
func checkSpecimen(t *testing.T, s *specimen, good []byte) {
	t.Helper()
	out := survive(t.Context(), s.write(t, t.TempDir(), good), record.Options{})
	want := s.intact(&mutated{parts: [][2]int{{0, len(good)}}})
	if len(want) == 0 || len(out.pages) != len(want) || out.err != nil {
		t.Fatalf("%s: %d pages read, %d expected; %v", s.name, len(out.pages), len(want), out.err)
	}
	for _, p := range want {
		if !out.pages[p] {
			t.Fatalf("%s: a page is not as expected", s.name)
		}
	}
}
