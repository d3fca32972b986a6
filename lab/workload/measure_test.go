package workload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// measures are the figures of a crawl by which a generated one is compared with a real one.
type measures struct {
	pages, links float64
	pageLinks    []float64 // distinct targets of each page that has any
	pageWords    []float64 // words of each page
	inLinks      []float64 // pages that link to each target
	hostTargets  []float64 // targets of each host
	anchorWords  []float64 // of each link
	sideWords    []float64 // words of the block of each link outside its anchor, at most sideMost on either side
	words        []float64 // number of occurrences of each word
	growth       []float64 // distinct words after each power of two of words
	shared       float64   // of two pages that link to the same target, the share that have another target in common
}

// measuring collects the figures of pages.
type measuring struct {
	measures
	parser  text.Parser
	rules   *urls.Rules
	sources map[uint64][]uint32 // pages that link to a target
	targets [][]uint64          // targets of a page
	hosts   map[uint64]float64
	word    map[uint64]float64
	total   int
}

func newMeasuring(t testing.TB) *measuring {
	v, err := text.NewVocabulary(text.Analysis{Language: text.Auto, Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	return &measuring{parser: text.Parser{Vocabulary: v}, rules: urls.DefaultRules(), sources: map[uint64][]uint32{}, hosts: map[uint64]float64{}, word: map[uint64]float64{}}
}

// page adds a page.
func (m *measuring) page(url string, html []byte) error {
	base, err := urls.Base(url, "")
	if err != nil {
		return nil //nolint:nilerr // not a page of the web
	}
	doc := m.parser.HTML(html)
	number := uint32(len(m.targets))
	var targets []uint64
	for i := range doc.Links {
		l := &doc.Links[i]
		to, err := m.rules.Resolve(base, l.Href)
		if err != nil || to == url {
			continue
		}
		h := xxh3.HashString(to)
		m.window(doc, l)
		if slices.Contains(targets, h) {
			continue
		}
		targets = append(targets, h)
		if m.sources[h] = append(m.sources[h], number); len(m.sources[h]) == 1 {
			m.hosts[xxh3.HashString(urls.Host(to))]++
		}
	}
	m.targets = append(m.targets, targets)
	m.pageWords = append(m.pageWords, float64(len(doc.Words)))
	if len(targets) > 0 {
		m.pageLinks = append(m.pageLinks, float64(len(targets)))
	}
	for _, w := range doc.Words {
		m.word[xxh3.Hash(bytes.ToLower(doc.Text[w.From:w.To]))]++
		if m.total++; m.total&(m.total-1) == 0 {
			m.growth = append(m.growth, float64(len(m.word)))
		}
	}
	return nil
}

func (m *measuring) window(doc *text.Doc, l *text.Link) {
	m.anchorWords = append(m.anchorWords, float64(l.To-l.From))
	n := 0
	for w := int(l.From) - 1; w >= max(0, int(l.From)-sideMost) && doc.Words[w].Block == l.Block; w-- {
		n++
	}
	for w := int(l.To); w < min(len(doc.Words), int(l.To)+sideMost) && doc.Words[w].Block == l.Block; w++ {
		n++
	}
	m.sideWords = append(m.sideWords, float64(n))
}

// done returns the figures, each list sorted.
func (m *measuring) done() *measures {
	m.pages = float64(len(m.targets))
	pairs, shared := 0.0, 0.0
	for _, from := range m.sources {
		m.inLinks = append(m.inLinks, float64(len(from)))
		m.links += float64(len(from))
		for i := range min(len(from)-1, 8) {
			pairs++
			if common(m.targets[from[i]], m.targets[from[i+1]]) > 1 {
				shared++
			}
		}
	}
	m.shared = shared / pairs
	for _, n := range m.hosts {
		m.hostTargets = append(m.hostTargets, n)
	}
	for _, n := range m.word {
		m.words = append(m.words, n)
	}
	for _, list := range [][]float64{m.pageLinks, m.pageWords, m.inLinks, m.hostTargets, m.anchorWords, m.sideWords, m.words} {
		slices.Sort(list)
	}
	return &m.measures
}

// common returns the number of values that are in both lists, at most 2.
func common(a, b []uint64) (n int) {
	in := map[uint64]bool{}
	for _, x := range a {
		in[x] = true
	}
	for _, x := range b {
		if in[x] {
			if n++; n == 2 {
				return n
			}
		}
	}
	return n
}

// measureFile measures JSON Lines of pages.
func measureFile(t testing.TB, in io.Reader) *measures {
	t.Helper()
	m := newMeasuring(t)
	d := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for {
		var p struct{ URL, HTML string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return m.done()
		} else if err != nil {
			t.Fatal(err)
		}
		if err := m.page(p.URL, []byte(p.HTML)); err != nil {
			t.Fatal(err)
		}
	}
}

// measured is what realMeasures has measured.
var measured *measures

// realMeasures measures the directory set, once for all tests.
func realMeasures(t testing.TB) *measures {
	t.Helper()
	if measured != nil {
		return measured
	}
	f, err := os.Open(filepath.Join(shareddata.Dir(t, "directory"), "pages.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	measured = measureFile(t, z)
	return measured
}

// quantile returns the value below which a share of a sorted list lies.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
