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
}

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
	n.several, n.byOrder = contest.Several, contest.ByOrder
	return n, err
}

// checkInputs refuses more inputs than can be numbered.
func checkInputs(inputs []string) error {
	if len(inputs) > capture.MaxInputs {
		return fmt.Errorf("%d inputs are too many, the maximum is %d; combine them into larger files", len(inputs), capture.MaxInputs)
	}
	return nil
}
