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

// DroppedList is the name of a compressed file of JSON lines. It has a DroppedRow for each part of the input that was
// left out and for each page of which only a part was kept, in order of file and position. It does not list dropped
// links; the manifest counts them.
const DroppedList = "dropped.jsonl.gz"

// DroppedRow is one line of DroppedList.
type DroppedRow struct {
	Reason string `json:"reason"`           // as in Dropped
	Damage bool   `json:"damage,omitempty"` // whether the input was unreadable there
	Kept   bool   `json:"kept,omitempty"`   // whether something was read anyway: a page that was cut, an archive in one member
	File   string `json:"file"`
	Offset int64  `json:"offset"` // bytes from the start of the file, or of its uncompressed stream if its records are lines
	Inner  int64  `json:"inner,omitempty"`
	Record int64  `json:"record,omitempty"` // number in the file, starting at 1
	URL    string `json:"url,omitempty"`    // the first 200 bytes
	Detail string `json:"detail,omitempty"`
}

// ReasonCommonShingle is the reason for shingles that occur in too many pages. The manifest has examples of them, but
// DroppedList has no lines.
const ReasonCommonShingle = "common-shingle"

// maxDroppedLine limits the length of a line that is read. Most systems limit file names to 4 KiB, which JSON may make
// six times as long.
const maxDroppedLine = 256 << 10

// ReadDropped returns the rows of the list at path in order. An error ends the iteration.
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

// checkDropped compares the list with the counts of the manifest. Reasons without an example are not listed.
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
		rows++
		if row.File == last.File && row.Record < last.Record {
			return "", fmt.Errorf("line %d: record %d of %s comes after record %d", rows, row.Record, row.File, last.Record)
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
		return "", fmt.Errorf("lines for %q, which the manifest does not list", reason)
	}
	return fmt.Sprintf("%d lines, as the manifest counts", rows), nil
}
