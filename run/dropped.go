package run

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
)

// DroppedList is the file with a line of JSON, a DroppedRow, for every part of the input that was left out, and for every
// page that was kept in part, ordered by file and place. Links that do not count are in the manifest alone, as counts.
const DroppedList = "dropped.jsonl.gz"

// DroppedRow is one line of it.
type DroppedRow struct {
	Reason string `json:"reason"`           // as in Dropped
	Damage bool   `json:"damage,omitempty"` // the input was unreadable there
	Kept   bool   `json:"kept,omitempty"`   // what was read all the same: a page that was cut, an archive in one member
	File   string `json:"file"`
	Offset int64  `json:"offset"` // bytes from the start: of the file, or of its uncompressed stream where its lines are the records
	Inner  int64  `json:"inner,omitempty"`
	Record int64  `json:"record,omitempty"` // number in the file, from 1
	URL    string `json:"url,omitempty"`    // its first 200 bytes
	Detail string `json:"detail,omitempty"`
}

// ReasonCommonShingle is that of shingles in too many pages: they have examples in the manifest and no line in the list.
const ReasonCommonShingle = "common-shingle"

// maxDroppedLine bounds a line that is read: the name of a file, of 4 KiB in most systems, may be six times as long in JSON.
const maxDroppedLine = 256 << 10

// ReadDropped gives the rows of the list at path in order; an error is the last that it gives.
func ReadDropped(path string) iter.Seq2[DroppedRow, error] {
	return func(yield func(DroppedRow, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(DroppedRow{}, err)
			return
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReader(f))
		if err != nil {
			yield(DroppedRow{}, fmt.Errorf("%s: %w", path, err))
			return
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, maxDroppedLine)
		for n := 1; lines.Scan(); n++ {
			var row DroppedRow
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				yield(row, fmt.Errorf("%s: line %d: %w", path, n, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(DroppedRow{}, fmt.Errorf("%s: %w", path, err))
		}
	}
}

// checkDropped holds the list to the counts of the manifest. Reasons without an example are counted and not listed.
func (r *Run) checkDropped(ctx context.Context) (what string, err error) {
	counts, rows := map[string]int64{}, int64(0)
	var last DroppedRow
	for row, err := range ReadDropped(r.Path(DroppedList)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", err
		}
		if rows++; row.File == last.File && row.Record < last.Record {
			return "", fmt.Errorf("line %d: record %d of %s stands behind record %d", rows, row.Record, row.File, last.Record)
		}
		counts[row.Reason]++
		last = row
	}
	for _, d := range r.Manifest.Dropped {
		if n := counts[d.Reason]; n != d.Count && (n > 0 || len(d.Examples) > 0 && d.Reason != ReasonCommonShingle) {
			return "", fmt.Errorf("%d lines for %s, the manifest counts %d", n, d.Reason, d.Count)
		}
		delete(counts, d.Reason)
	}
	for reason := range counts {
		return "", fmt.Errorf("lines for %q, of which the manifest knows nothing", reason)
	}
	return fmt.Sprintf("%d lines, as the manifest counts", rows), nil
}
