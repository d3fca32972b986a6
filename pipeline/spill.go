package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/text"
)

// spill holds the sorters to which all workers of the read stage append: the words behind the terms, and captures.
type spill struct {
	dir             string
	words, captures *extsort.Sorter
	shorts          *extsort.Sorter // pages that may be repeated
	revisits        revisits
	redirects       redirects
	dropped         *dropList
}

// wordSize is the size of a word record: term (8, big-endian), word (text.MaxWord, padded with zeros), count (8).
const wordSize = 8 + text.MaxWord + 8

func newSpill(b *build) (*spill, error) {
	dir, err := b.dir.TempDir("sort-read")
	if err != nil {
		return nil, err
	}
	s := &spill{dir: dir}
	s.words, err = extsort.New(extsort.Config{Size: wordSize, Memory: b.memory / 8, Dir: dir, Workers: b.workers})
	if err == nil {
		s.captures, err = extsort.New(extsort.Config{Size: captureSize, Memory: b.memory / 16, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.shorts, err = extsort.New(extsort.Config{Size: shortSize, Memory: b.memory / 32, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.revisits.sorter, err = extsort.New(extsort.Config{Size: placeSize, Memory: b.memory / 32, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.redirects.dir = dir
		err = s.redirects.create()
	}
	if err == nil {
		s.dropped, err = newDropList(b, dir)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *spill) close() {
	for _, x := range []*extsort.Sorter{s.words, s.captures, s.shorts, s.revisits.sorter} {
		if x != nil {
			x.Close()
		}
	}
	if s.redirects.partitions != nil {
		s.redirects.partitions.close()
	}
	if s.dropped != nil {
		s.dropped.close()
	}
	os.RemoveAll(s.dir)
}

// wordSpill is the way of one worker's vocabulary to the sorter.
type wordSpill struct {
	to  *extsort.Appender
	rec [wordSize]byte
}

func (s *spill) wordSpill() *wordSpill { return &wordSpill{to: s.words.Appender()} }

func (w *wordSpill) drain(v *text.Vocabulary) error {
	return v.Drain(func(t bags.Term, word string, count uint64) error {
		binary.BigEndian.PutUint64(w.rec[:], uint64(t))
		clear(w.rec[8+copy(w.rec[8:8+text.MaxWord], word) : 8+text.MaxWord])
		binary.BigEndian.PutUint64(w.rec[8+text.MaxWord:], count)
		return w.to.Append(w.rec[:])
	})
}

// collect ends the read stage: what workers still hold, the words in order, the captures that lost, the ledger.
func (b *build) collect(ctx context.Context, readers []*pageReader, s *spill, c *cutter) (run.StageStats, error) {
	stats := run.StageStats{In: int64(c.captures.Load()), Counts: map[string]int64{"revisits": s.revisits.resolved}}
	all := crawl.Ledger{}
	all.Merge(&c.dropped)
	for _, r := range readers {
		if err := errors.Join(r.finish(), r.words.to.Close()); err != nil {
			return stats, err
		}
		all.Merge(&r.dropped.Ledger)
		stats.Out += r.pages
		stats.Counts["links"] += r.links
		stats.Counts["links_to_other_languages"] += r.alternates
		stats.Counts["content_bytes"] += r.bytes
		stats.Counts["links_given_with_words_around"] += r.surrounded
		stats.Counts["links_given_as_anchors_alone"] += r.bare
	}
	if err := b.writeDropped(ctx, s.dropped); err != nil {
		return stats, err
	}
	words, err := b.writeWords(ctx, s.words)
	if err != nil {
		return stats, err
	}
	lost, err := b.writeSuperseded(ctx, s.captures)
	if err != nil {
		return stats, err
	}
	if err := b.writeRepeated(ctx, s.shorts); err != nil {
		return stats, err
	}
	if stats.Counts["redirects"], err = b.writeRedirects(ctx, &s.redirects); err != nil {
		return stats, err
	}
	stats.Counts["distinct_words"], stats.Counts["captures_replaced"], stats.Counts["captures_superseded"] = words, lost.replaced, lost.superseded
	stats.Counts["urls_with_several_captures"], stats.Counts["urls_decided_by_order"] = lost.several, lost.byOrder
	stats.Dropped = map[string]int64{}
	for _, t := range all.Tallies() {
		stats.Dropped[string(t.Reason)] = t.Count
	}
	ledger, err := json.Marshal(all.Tallies())
	if err != nil {
		return stats, err
	}
	return stats, framed.WriteFile(b.dir.Temp(ledgerFile), ledger)
}

// records iterates over a sorter.
func records(ctx context.Context, s *extsort.Sorter, record func([]byte) error) error {
	it, err := s.Sort(ctx)
	if err != nil {
		return err
	}
	defer it.Close()
	for it.Next() {
		if err := record(it.Record()); err != nil {
			return err
		}
	}
	return it.Err()
}

// create opens a work file for buffered writing and runs write on it.
func create(path string, write func(w io.Writer) error) error {
	f, err := framed.Create(path)
	if err != nil {
		return err
	}
	w := framed.NewWriter(f)
	return cmp.Or(write(w), w.Close())
}

// writeWords writes each distinct word once, in the order of (term, word), as the records that came in, counts added up.
func (b *build) writeWords(ctx context.Context, s *extsort.Sorter) (n int64, err error) {
	err = create(b.dir.Temp(wordsFile), func(w io.Writer) error {
		var last []byte
		count := uint64(0)
		put := func() error {
			if last == nil {
				return nil
			}
			n++
			binary.BigEndian.PutUint64(last[8+text.MaxWord:], count)
			_, err := w.Write(last)
			return err
		}
		err := records(ctx, s, func(r []byte) error {
			if last == nil || !bytes.Equal(r[:8+text.MaxWord], last[:8+text.MaxWord]) {
				if err := put(); err != nil {
					return err
				}
				last, count = append(last[:0], r...), 0
			}
			count += binary.BigEndian.Uint64(r[8+text.MaxWord:])
			return nil
		})
		return cmp.Or(err, put())
	})
	return n, err
}

// wordReader walks through the words in the order of their terms.
type wordReader struct {
	r   io.Reader
	rec [wordSize]byte
	err error
}

// best returns the most frequent word of a term, the first of several in the order of the words. Terms must be asked
// for in ascending order.
func (w *wordReader) best(term uint64) (word string, err error) {
	most := uint64(0)
	for w.err == nil && w.term() <= term {
		if n := binary.BigEndian.Uint64(w.rec[8+text.MaxWord:]); w.term() == term && n > most {
			most, word = n, string(bytes.TrimRight(w.rec[8:8+text.MaxWord], "\x00"))
		}
		w.next()
	}
	if w.err != nil && !errors.Is(w.err, io.EOF) {
		return "", w.err
	}
	return word, nil
}

func (w *wordReader) term() uint64 { return binary.BigEndian.Uint64(w.rec[:]) }

func (w *wordReader) next() { _, w.err = io.ReadFull(w.r, w.rec[:]) }
