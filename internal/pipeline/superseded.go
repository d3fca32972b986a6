package pipeline

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/tables"
)

// supersededCounts counts captures that another capture of their URL supersedes.
type supersededCounts struct {
	all      int64 // number of captures
	rendered int64 // number of captures that are the rendered text of a page
	several  int64 // number of URLs with several captures
	byOrder  int64 // number of URLs for which the order of inputs and records decided
	other    map[string]int64
}

// otherText begins the names of the counts of superseded captures with another text, by rule.
const otherText = "other_text_superseded_by_"

// writeSuperseded writes the set of superseded captures, from the notes of all captures.
func (b readStage) writeSuperseded(ctx context.Context, captures int64, notes eachRecordFunc) (n supersededCounts, err error) {
	var contest capture.Contest
	err = sortOne(ctx, b.sorting(8, captures, b.memory/16), func(to *extsort.Appender) error {
		return notes(func(note []byte) error {
			number, superseded, rendered := contest.Add(note)
			if !superseded {
				return nil
			}
			if rendered {
				n.rendered++
			}
			return to.Append(number)
		})
	}, func(each eachRecordFunc) (err error) {
		n.all, err = tables.WriteCaptureSet(b.dir.Temp(supersededFile), each)
		return err
	})
	contest.End()
	n.several, n.byOrder, n.other = contest.Several, contest.ByOrder, contest.Other
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
