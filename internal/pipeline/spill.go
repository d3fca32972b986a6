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
	"github.com/lshclust/lshclust/internal/tables"
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
	for _, of := range []struct {
		stream, size int
		write        func(n int64, each eachRecordFunc) error
	}{
		{captureStream, capture.NoteSize, func(n int64, each eachRecordFunc) error { return b.writeSuperseded(ctx, n, each, stats.Counts) }},
		{shortStream, shortSize, func(_ int64, each eachRecordFunc) error { return b.writeRepeated(ctx, each) }},
		{hostStream, hostSize, func(_ int64, each eachRecordFunc) error { return b.writeHosts(each) }},
	} {
		if err := b.sorted(ctx, of.stream, of.size, of.write); err != nil {
			return stats, err
		}
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

// otherText begins the names of the counts of superseded captures with another text, by rule.
const otherText = "other_text_superseded_by_"

// writeSuperseded writes the set of superseded captures, from the notes of all captures, and counts them. The set also
// has the rendered texts of the winners; see capture.Number.OfText.
func (b readStage) writeSuperseded(ctx context.Context, captures int64, notes eachRecordFunc, n map[string]int64) error {
	var contest capture.Contest
	return sortOne(ctx, b.sorting(8, captures, b.memory/16), func(to *extsort.Appender) error {
		var buf [8]byte
		add := func(number capture.Number) error {
			binary.BigEndian.PutUint64(buf[:], uint64(number))
			return to.Append(buf[:])
		}
		if err := notes(func(note []byte) error { return contest.Add(note, add) }); err != nil {
			return err
		}
		return contest.End(add)
	}, func(each eachRecordFunc) error {
		all, err := tables.WriteCaptureSet(b.dir.Temp(supersededFile), each)
		n["captures_replaced"], n["captures_superseded"] = all, all-contest.Rendered
		n["urls_with_several_captures"], n["urls_decided_by_order"] = contest.Several, contest.ByOrder
		for rule, captures := range contest.Other {
			n[otherText+rule] = captures
		}
		return err
	})
}
