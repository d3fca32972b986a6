package texts

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/runs"
)

// MainText is the text of a page without what its host repeats.
type MainText struct {
	URL      string
	Title    string
	Language string // of the page; "" if it is unknown
	Text     string // a block of the page on each line
	Words    int    // of the text
	LeftOut  int    // words of the page that are not in the text: menus, headers, footers
}

// Two lines in a row are repeated if so many pages of their host, and this share of them, have them.
const (
	repeatedPages = 4
	repeatedShare = 0.1
)

// lineCounts counts pairs of lines by host in a fixed space. A count is never too small.
type lineCounts struct {
	counts [2][1 << 22]uint32
	pages  map[uint64]uint32 // by host
}

func (c *lineCounts) add(pair uint64) {
	a, b := &c.counts[0][pair>>42], &c.counts[1][pair&(1<<22-1)]
	least := min(*a, *b) + 1
	*a, *b = max(*a, least), max(*b, least)
}

func (c *lineCounts) repeated(host, pair uint64) bool {
	n := min(c.counts[0][pair>>42], c.counts[1][pair&(1<<22-1)])
	return n >= repeatedPages && float64(n) >= repeatedShare*float64(c.pages[host])
}

// MainTexts reads the inputs twice and calls page with the text of every page of the run, in the order of the inputs.
func MainTexts(ctx context.Context, r *runs.Run, page func(*MainText) error) error {
	c := &lineCounts{pages: map[uint64]uint32{}}
	err := eachDocument(ctx, r, func(id uint32, doc *text.Doc) error {
		host := xxh3.HashString(urls.Host(r.Docs.URL(id)))
		c.pages[host]++
		seen := map[uint64]bool{}
		for _, pair := range pairsOf(host, linesOf(doc.Text)) {
			if !seen[pair] {
				seen[pair] = true
				c.add(pair)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return eachDocument(ctx, r, func(id uint32, doc *text.Doc) error {
		d := r.Document(id)
		kept := c.main(xxh3.HashString(urls.Host(d.URL)), doc)
		out := &MainText{URL: d.URL, Title: d.Title, Language: d.Language}
		var b bytes.Buffer
		for _, l := range kept {
			out.Words += l.words(doc)
			b.Write(bytes.TrimSpace(doc.Text[l.from:l.to]))
			b.WriteByte('\n')
		}
		out.Text, out.LeftOut = b.String(), len(doc.Words)-out.Words
		return page(out)
	})
}

// eachDocument parses every page of the run once.
func eachDocument(ctx context.Context, r *runs.Run, page func(id uint32, doc *text.Doc) error) error {
	parser, err := r.Parser()
	if err != nil {
		return err
	}
	seen := make([]bool, r.Len())
	return r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		if seen[id] || capture.Digest(p) != r.Docs.At(id).Digest {
			return nil // a superseded capture
		}
		seen[id] = true
		return page(id, capture.Parse(parser, p))
	})
}

// textLine is a line of a text, with its end.
type textLine struct {
	from, to int
	hash     uint64
}

// linesOf returns the lines of a text that are not blank.
func linesOf(s []byte) (out []textLine) {
	from := 0
	for line := range bytes.Lines(s) {
		if words := bytes.TrimSpace(line); len(words) > 0 {
			out = append(out, textLine{from, from + len(line), xxh3.Hash(words)})
		}
		from += len(line)
	}
	return out
}

// words returns the number of words of a document that begin in the line.
func (l textLine) words(doc *text.Doc) int {
	before := func(at int) int {
		n, _ := slices.BinarySearchFunc(doc.Words, at, func(w text.Word, at int) int { return cmp.Compare(int(w.From), at) })
		return n
	}
	return before(l.to) - before(l.from)
}

// pairsOf returns a hash for each line and the one after it. The first is for the first line alone, the last for the
// last.
func pairsOf(host uint64, all []textLine) []uint64 {
	pairs := make([]uint64, 0, len(all)+1)
	last := host
	for _, l := range append(all, textLine{hash: host}) {
		pairs = append(pairs, bags.Term(l.hash).AddTo(bags.Term(last).AddTo(host)))
		last = l.hash
	}
	return pairs
}

// main returns the lines of the main text: those of the sequence of lines with the most words after a subtraction of
// the words in repeated lines, without long repeated passages.
func (c *lineCounts) main(host uint64, doc *text.Doc) []textLine {
	all := linesOf(doc.Text)
	pairs := pairsOf(host, all)
	best, from, to, sum, begin := 0, 0, 0, 0, 0
	for i, l := range all {
		worth := l.words(doc)
		if c.repeated(host, pairs[i]) || c.repeated(host, pairs[i+1]) {
			worth *= -1
		}
		if sum += worth; sum > best {
			best, from, to = sum, begin, i+1
		}
		if sum <= 0 {
			sum, begin = 0, i+1
		}
	}
	if best == 0 {
		return all // there is nothing but what the host repeats
	}
	return all[from:to]
}
