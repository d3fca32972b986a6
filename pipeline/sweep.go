package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/sweep"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// A run that keeps what a later one can build upon has, for each part of the stage read, a segment with the records of
// the pages that were new to it (see package sweep), and an index. A run that comes after another one links the segments
// of that run whose records it needs, so that each run is whole by itself, and a run of an unchanged crawl adds nothing
// but an index. The entries of the pages of a part are a stream of the file of the part, from which the index is made
// when all parts have been read.

// readerVersion is the version of the records. It must grow whenever a run makes other fragments, shingles or words of
// the same page under the same settings (TestReaderVersion fails then), or another page of the same record: a page whose
// record has not changed is not decoded again.
const readerVersion = 2

// segmentFile returns the name of the segment of a part.
func (b *build) segmentFile(number int) string {
	generation := uint32(0)
	if b.earlier != nil {
		generation = b.earlier.Generation + 1
	}
	return fmt.Sprintf("%s%03d-%06d%s%s", sweep.SegmentPrefix, generation, number, b.dir.Attempt(), run.MappedSuffix)
}

// createSegment begins the segment of a part, nil in a run that no later one builds upon.
func (b *build) createSegment(number int) (*sweep.Segment, error) {
	if !b.config.Sweep {
		return nil, nil
	}
	return sweep.CreateSegment(b.dir.Temp(b.segmentFile(number)))
}

// filesOfPart returns the names of the files of a part that was just read.
func (b *build) filesOfPart(number int) []string {
	out := []string{b.partFile(number)}
	if b.config.Sweep {
		if segment := b.segmentFile(number); sizeOf(b.dir.Temp(segment)) > 0 {
			out = append(out, segment)
		}
	}
	return out
}

// segments returns the names of the segments that this run wrote, by the numbers of their parts.
func (b *build) segments() map[uint32]string {
	out := map[uint32]string{}
	for _, p := range b.dir.Parts("read") {
		for _, name := range p.Files {
			if strings.HasPrefix(name, sweep.SegmentPrefix) {
				out[uint32(p.Number)] = name
			}
		}
	}
	return out
}

// sweepOutputs returns the outputs of the stage read for a later run.
func (b *build) sweepOutputs() (out []string) {
	if !b.config.Sweep {
		return nil
	}
	for _, name := range b.segments() {
		out = append(out, name)
	}
	out = append(out, b.linked...)
	slices.Sort(out)
	if out = append(out, sweep.IndexFile); b.config.After != "" {
		out = append(out, run.GoneTable, tables.GoneFile)
	}
	return out
}

// openEarlier opens what the run of an earlier crawl keeps. The caller calls closeEarlier.
func (b *build) openEarlier() (err error) {
	if b.config.After == "" || b.earlier != nil {
		return nil
	}
	if err := b.checkEarlier(); err != nil {
		return err
	}
	b.earlier, err = sweep.Open(b.config.After)
	return err
}

func (b *build) closeEarlier() {
	if b.earlier != nil {
		b.earlier.Close()
		b.earlier = nil
	}
}

// keepSweep writes the index for a later run and the table of the URLs that are gone, and links the segments of the
// earlier run that are still needed.
func (b *build) keepSweep(ctx context.Context, stats *run.StageStats) error {
	bytes, err := sizeOfPieces(b.pieces(b.moreStream(sweepStream)))
	if err != nil {
		return err
	}
	known := int64(0)
	if b.earlier != nil {
		known = int64(b.earlier.Len())
	}
	entries := bytes/sweep.EntrySize + known
	gone, err := b.readSorter(goneSize, entries, b.memory/16)
	if err != nil {
		return err
	}
	defer gone.Close()
	k, err := b.newSweepKeeper(gone, entries)
	if err != nil {
		return err
	}
	defer k.close()
	err = b.sortedAnd(ctx, sweepStream, sweep.EntrySize, known, k.earlier, func(s *extsort.Sorter) error {
		return cmp.Or(records(ctx, s, k.add), k.end(ctx))
	})
	if err != nil {
		return err
	}
	if err := cmp.Or(b.inOrder(&k.dates), b.checkEarlier()); err != nil {
		return err
	}
	about := sweep.About{Reader: readerVersion, Late: k.dates.Late()}
	if b.earlier != nil {
		about.Generation, about.Late = b.earlier.Generation+1, cmp.Or(about.Late, b.earlier.Late)
	}
	stats.Counts["pages_from_earlier_run"], stats.Counts["pages_forgotten"] = k.again, k.forgotten
	if err := cmp.Or(k.index.Close(about), b.linkSegments(k.old)); err != nil || b.earlier == nil {
		return err
	}
	stats.Counts["urls_gone"], err = b.writeGone(ctx, gone)
	return err
}

// inOrder checks whether the captures of this run were made after those of the earlier one.
func (b *build) inOrder(dates *sweep.Dates) error {
	now := time.Now()
	if last := dates.Last(now); b.earlier != nil && sweep.Reversed(b.earlier.Late, last, now) {
		return fmt.Errorf("%w: the last pages of this crawl are of %s, and a tenth of those of %s are of %s or later; give the run of the older crawl to --after",
			sweep.ErrOrder, date(last), b.config.After, date(b.earlier.Late))
	}
	return nil
}

func date(millis int64) string { return time.UnixMilli(millis).UTC().Format(time.RFC3339) }

// sweepKeeper makes the index from all entries in the order of their keys.
type sweepKeeper struct {
	b         *build
	index     *sweep.IndexWriter
	gone      *extsort.Appender
	raws      *extsort.Sorter // raw keys with the numbers of their entries
	raw       *extsort.Appender
	entries   uint32            // in the index
	forget    int64             // pages that are gone and were last captured before this time are left out
	segments  map[uint32]string // of this run
	old, new  map[uint32]uint32 // numbers in the index of segments of the earlier run and of this one
	at        sweep.Entry       // the last entry
	any       bool
	dates     sweep.Dates // of the pages of this run
	again     int64       // pages that were taken from the earlier run
	forgotten int64       // pages
	buf       []byte
}

func (b *build) newSweepKeeper(gone *extsort.Sorter, entries int64) (*sweepKeeper, error) {
	forget, err := crawl.ParseSelection(b.config.Forget, "", nil, nil)
	if err != nil {
		return nil, err
	}
	raws, err := b.readSorter(rawSize, entries, b.memory/16)
	if err != nil {
		return nil, err
	}
	k := &sweepKeeper{b: b, gone: gone.Appender(), raws: raws, raw: raws.Appender(), segments: b.segments(), old: map[uint32]uint32{}, new: map[uint32]uint32{}, forget: math.MinInt64}
	if !forget.From.IsZero() {
		k.forget = forget.From.UnixMilli()
	}
	if k.index, err = sweep.CreateIndex(b.dir.Temp(sweep.IndexFile)); err != nil {
		raws.Close()
	}
	return k, err
}

// close removes what was written, unless the index was closed.
func (k *sweepKeeper) close() {
	k.index.Abort()
	k.raws.Close()
}

// rawSize is the size of a record of a raw key and the number of its entry.
const rawSize = 16 + 4

// earlier appends the entries of the earlier run.
func (k *sweepKeeper) earlier(to *extsort.Appender) error {
	s := k.b.earlier
	if s == nil {
		return nil
	}
	for i := range s.Len() {
		k.buf = s.At(i).Append(k.buf[:0])
		if err := to.Append(k.buf); err != nil {
			return err
		}
	}
	return s.Err()
}

// add adds an entry. The first one of a key has the place of the record, the last one tells whether the page is alive,
// and the last one with a raw key has the raw key.
func (k *sweepKeeper) add(b []byte) error {
	e := sweep.DecodeEntry(b)
	if e.State != sweep.Known {
		k.dates.Add(e.Millis)
	}
	if e.State == sweep.Again {
		k.again++
	}
	if k.any && e.Key == k.at.Key {
		k.at.Millis = max(k.at.Millis, e.Millis)
		if e.Raw != (sweep.Key{}) {
			k.at.Raw = e.Raw
		}
		if k.at.State == sweep.Known {
			k.at.State = e.State // Again: New is of pages that the earlier run does not know
		}
		return nil
	}
	if err := k.put(); err != nil {
		return err
	}
	k.at, k.any = e, true
	return nil
}

// put writes the last entry.
func (k *sweepKeeper) put() error {
	e := k.at
	switch {
	case !k.any:
		return nil
	case e.State == sweep.Known && e.Millis < k.forget:
		k.forgotten++
		return nil
	}
	k.buf = goneEntry(k.buf[:0], e)
	if err := k.gone.Append(k.buf); err != nil {
		return err
	}
	numbers := k.old
	if e.State == sweep.New {
		numbers = k.new
	}
	number, ok := numbers[e.Segment]
	if !ok {
		name := k.segments[e.Segment]
		if e.State != sweep.New {
			_, name = k.b.earlier.Segment(e.Segment)
		}
		number = k.index.Segment(name)
		numbers[e.Segment] = number
	}
	e.Segment = number
	k.index.Add(e)
	k.entries++
	if e.Raw == (sweep.Key{}) {
		return nil
	}
	k.buf = binary.BigEndian.AppendUint32(append(k.buf[:0], e.Raw[:]...), k.entries-1)
	return k.raw.Append(k.buf)
}

// end writes what follows the last entry.
func (k *sweepKeeper) end(ctx context.Context) error {
	if err := cmp.Or(k.put(), k.gone.Close(), k.raw.Close()); err != nil {
		return err
	}
	return records(ctx, k.raws, func(r []byte) error {
		k.index.AddRaw(binary.BigEndian.Uint32(r[16:]))
		return nil
	})
}

// linkSegments links the segments of the earlier run with these numbers, or copies them to another file system.
func (b *build) linkSegments(numbers map[uint32]uint32) error {
	b.linked = nil
	for number := range numbers {
		path, name := b.earlier.Segment(number)
		to := b.dir.Temp(name)
		if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if os.Link(path, to) != nil {
			if err := copyFile(path, to); err != nil {
				return err
			}
		}
		b.linked = append(b.linked, name)
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// goneSize is the size of a record about the page of a URL: hash of the URL, 0 if the page is in this run and otherwise
// 1, time of the last capture with its bits inverted, segment, offset and place in the block. So the first record of a
// URL tells whether it is gone, and its last capture.
const goneSize = 8 + 1 + 8 + 4 + 8 + 4

func goneEntry(dst []byte, e sweep.Entry) []byte {
	dst = binary.BigEndian.AppendUint64(dst, e.Hash)
	gone := byte(0)
	if e.State == sweep.Known {
		gone = 1
	}
	dst = binary.BigEndian.AppendUint64(append(dst, gone), ^uint64(e.Millis))
	dst = binary.BigEndian.AppendUint32(dst, e.Segment)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(dst, e.Offset), e.Inside)
}

// writeGone writes the tables of the URLs that only earlier runs had pages of, in the order of their hashes.
func (b *build) writeGone(ctx context.Context, gone *extsort.Sorter) (n int64, err error) {
	fetch := b.earlier.Fetcher()
	w, err := run.CreateTable(b.dir.Temp(run.GoneTable), run.Workers[run.GoneRow](1))
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	index, err := tables.CreateGone(b.dir.Temp(tables.GoneFile))
	if err != nil {
		return 0, err
	}
	defer index.Abort()
	last, begun := uint64(0), false
	err = records(ctx, gone, func(r []byte) error {
		hash := binary.BigEndian.Uint64(r)
		if begun && hash == last {
			return nil
		}
		if last, begun = hash, true; r[8] == 0 {
			return nil
		}
		e := sweep.Entry{Segment: binary.BigEndian.Uint32(r[17:]), Offset: binary.BigEndian.Uint64(r[21:]), Inside: binary.BigEndian.Uint32(r[29:])}
		record, _, err := fetch.Record(e)
		if err != nil {
			return err
		}
		d := codec.Decoder{B: record}
		row := run.GoneRow{URL: string(d.Bytes()), LastSeen: int64(^binary.BigEndian.Uint64(r[9:]))}
		index.Add(tables.Gone{URL: row.URL, Last: row.LastSeen})
		n++
		return cmp.Or(d.Err, w.Write(row))
	})
	return n, cmp.Or(err, w.Close(), index.Close())
}
