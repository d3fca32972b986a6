package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/tables"
)

// supersededCounts counts captures that another capture of their URL supersedes.
type supersededCounts struct {
	all      int64 // number of captures
	rendered int64 // number of captures that are a rendered text of a page
	several  int64 // number of URLs with several captures
	byOrder  int64 // number of URLs for which the order of inputs and records decided
	other    map[string]int64
}

// otherText begins the names of the counts of superseded captures with another text, by rule.
const otherText = "other_text_superseded_by_"

// writeSuperseded writes the set of superseded captures, from the notes of all captures. It also has the rendered texts of
// the winners; see capture.Number.OfText.
func (b readStage) writeSuperseded(ctx context.Context, captures int64, notes eachRecordFunc) (n supersededCounts, err error) {
	var contest capture.Contest
	err = sortOne(ctx, b.sorting(8, captures, b.memory/16), func(to *extsort.Appender) error {
		var buf [8]byte
		add := func(number capture.Number) error {
			binary.BigEndian.PutUint64(buf[:], uint64(number))
			return to.Append(buf[:])
		}
		if err := notes(func(note []byte) error { return contest.Add(note, add) }); err != nil {
			return err
		}
		return contest.End(add)
	}, func(each eachRecordFunc) (err error) {
		n.all, err = tables.WriteCaptureSet(b.dir.Temp(supersededFile), each)
		return err
	})
	n.several, n.byOrder, n.other, n.rendered = contest.Several, contest.ByOrder, contest.Other, contest.Rendered
	return n, err
}

// checkInputs refuses more inputs than can be numbered.
func checkInputs(inputs []string) error {
	if len(inputs) > capture.MaxInputs {
		return fmt.Errorf("%d inputs are too many, the maximum is %d; combine them into larger files", len(inputs), capture.MaxInputs)
	}
	return nil
}

// otherTexts says which pages may have been lost because a rule, or an id, made one of several.
func (b publishStage) otherTexts() (out []string) {
	read, _ := b.dir.Stats("read")
	for _, rule := range capture.Joiners() {
		if n := read.Counts[otherText+rule]; n > 0 {
			out = append(out, capture.OtherText(rule, n, "were"))
		}
	}
	return out
}
