package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/run"
)

// spill holds the files to which all workers of the read stage append what is sorted at its end.
type spill struct {
	dir             string
	words, captures *extsort.Sorter
	shorts          *extsort.Sorter // short pages, which may be repeated
	revisits        revisits
	redirects       redirects
	dropped         *run.DropList
}

func newSpill(b *build) (*spill, error) {
	dir, err := b.dir.TempDir("sort-read")
	if err != nil {
		return nil, err
	}
	s := &spill{dir: dir}
	s.words, err = extsort.New(extsort.Config{Size: wordSize, Memory: b.memory / 8, Dir: dir, Workers: b.workers})
	if err == nil {
		s.captures, err = extsort.New(extsort.Config{Size: capture.NoteSize, Memory: b.memory / 16, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.shorts, err = extsort.New(extsort.Config{Size: shortSize, Memory: b.memory / 32, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.revisits.sorter, err = extsort.New(extsort.Config{Size: capture.PlaceSize, Memory: b.memory / 32, Dir: dir, Workers: b.workers})
	}
	if err == nil {
		s.redirects.dir = dir
		err = s.redirects.create()
	}
	if err == nil {
		s.dropped, err = run.NewDropList(dir, b.inputs, b.memory/32, b.workers)
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
		s.dropped.Close()
	}
	os.RemoveAll(s.dir)
}

// collect ends the read stage. It writes what the workers still hold, the words in order, the superseded captures, the
// redirects, the list of what was dropped and the ledger.
func (b *build) collect(ctx context.Context, readers []*pageReader, s *spill, c *cutter) (run.StageStats, error) {
	stats := run.StageStats{In: int64(c.captures.Load()), Counts: map[string]int64{"revisits": s.revisits.resolved}}
	all := crawl.Ledger{}
	all.Merge(&c.dropped)
	for _, r := range readers {
		if err := r.finish(); err != nil {
			return stats, err
		}
		all.Merge(&r.dropped.Ledger)
		stats.Out += r.pages
		stats.Counts["links"] += r.read.Links
		stats.Counts["links_to_other_languages"] += r.read.Alternates
		stats.Counts["content_bytes"] += r.bytes
		stats.Counts["links_given_with_words_around"] += r.read.Surrounded
		stats.Counts["links_given_as_anchors_alone"] += r.read.Bare
	}
	if err := s.dropped.Write(ctx, b.dir.Temp(run.DroppedList)); err != nil {
		return stats, err
	}
	words, err := b.writeWords(ctx, s.words)
	if err != nil {
		return stats, err
	}
	superseded, err := b.writeSuperseded(ctx, s.captures)
	if err != nil {
		return stats, err
	}
	if err := b.writeRepeated(ctx, s.shorts); err != nil {
		return stats, err
	}
	if stats.Counts["redirects"], err = b.writeRedirects(ctx, &s.redirects); err != nil {
		return stats, err
	}
	stats.Counts["distinct_words"], stats.Counts["captures_replaced"], stats.Counts["captures_superseded"] = words, superseded.all, superseded.all-superseded.rendered
	stats.Counts["urls_with_several_captures"], stats.Counts["urls_decided_by_order"] = superseded.several, superseded.byOrder
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

// records calls record with the records of a sorter in their order.
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
