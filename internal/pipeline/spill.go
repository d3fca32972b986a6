package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/run"
)

// collect ends the read stage. From all parts it writes the words in order, the superseded captures, the redirects,
// the list of what was dropped and the ledger. left counts what was left out and is in no part.
func (b readStage) collect(ctx context.Context, parts []readPart, dropped *run.DropList, left *crawl.Ledger) (stats run.StageStats, err error) {
	n := counts{}
	for _, p := range parts {
		n.add(p.Counts)
	}
	stats = run.StageStats{In: n["records"], Out: n["pages"], Dropped: map[string]int64{}, Counts: map[string]int64{
		"revisits": n["resolved"], "links": n["links"], "links_to_other_languages": n["alternates"], "content_bytes": n["bytes"],
		"links_given_with_words_around": n["surrounded"], "links_given_as_anchors_alone": n["bare"],
	}}
	if err := b.writeDropped(ctx, dropped); err != nil {
		return stats, err
	}
	if stats.Counts["distinct_words"], err = b.sumWords(ctx); err != nil {
		return stats, err
	}
	err = b.sorted(ctx, captureStream, capture.NoteSize, func(n int64, each eachRecordFunc) error {
		superseded, err := b.writeSuperseded(ctx, n, each)
		stats.Counts["captures_replaced"], stats.Counts["captures_superseded"] = superseded.all, superseded.all-superseded.rendered
		stats.Counts["urls_with_several_captures"], stats.Counts["urls_decided_by_order"] = superseded.several, superseded.byOrder
		for rule, n := range superseded.other {
			stats.Counts[otherText+rule] = n
		}
		return err
	})
	if err != nil {
		return stats, err
	}
	err = b.sorted(ctx, shortStream, shortSize, func(_ int64, each eachRecordFunc) error { return b.writeRepeated(ctx, each) })
	if err != nil {
		return stats, err
	}
	err = b.sorted(ctx, hostStream, hostSize, func(_ int64, each eachRecordFunc) error { return b.writeHosts(each) })
	if err != nil {
		return stats, err
	}
	if stats.Counts["redirects"], err = b.writeRedirects(ctx, n["redirects"] > 0); err != nil {
		return stats, err
	}
	return stats, b.writeLedger(ctx, left, stats.Dropped)
}

// sorted sorts the records of a stream of all parts, and calls use with their number to read them.
func (b readStage) sorted(ctx context.Context, stream, size int, use func(n int64, each eachRecordFunc) error) error {
	pieces := b.fromRead().more(stream)
	bytes, err := sizeOfPieces(pieces)
	if err != nil {
		return err
	}
	n := bytes / int64(size)
	return sortOne(ctx, b.sorting(size, n, b.memory/8), func(to *extsort.Appender) error {
		return eachBlock(ctx, pieces, to.AppendAll)
	}, func(each eachRecordFunc) error { return use(n, each) })
}

// sorting returns how at most n records of a size are sorted at the end of the read stage. It takes no more memory
// than these need, because the system must clear it.
func (b readStage) sorting(size int, n, most int64) extsort.Config {
	memory := min(most, extsort.MemoryFor(size, n, b.workers))
	return extsort.Config{Size: size, Memory: memory, Dir: b.dir.Temp("sort-read"), Workers: b.workers}
}

// writeDropped writes the list of what was left out.
func (b readStage) writeDropped(ctx context.Context, list *run.DropList) error {
	err := eachBlock(ctx, b.fromRead().more(dropStream), func(block []byte) error {
		if len(block) < 4 || uint64(len(block)-4) < uint64(binary.LittleEndian.Uint32(block)) {
			return codec.ErrMalformed
		}
		keys, rest := binary.LittleEndian.Uint32(block), block[4:]
		return list.Append(rest[:keys], rest[keys:])
	})
	if err != nil {
		return err
	}
	return list.Write(ctx, b.dir.Temp(run.DroppedList))
}

// writeLedger adds up the ledgers of all parts, and counts in dropped.
func (b readStage) writeLedger(ctx context.Context, all *crawl.Ledger, dropped map[string]int64) error {
	err := b.facts(ctx, func(f partFacts) {
		var of crawl.Ledger
		of.SetTallies(f.Tallies)
		all.Merge(&of)
	})
	if err != nil {
		return err
	}
	for _, t := range all.Tallies() {
		dropped[string(t.Reason)] = t.Count
	}
	return writeJSON(b.dir.Temp(ledgerFile), all.Tallies())
}

// facts calls do with the facts of each part.
func (b readStage) facts(ctx context.Context, do func(f partFacts)) error {
	return eachBlock(ctx, b.fromRead().more(factStream), func(block []byte) error {
		var f partFacts
		err := json.Unmarshal(block, &f)
		do(f)
		return err
	})
}
