package crawl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// TestLedgerMerge checks that the tallies do not depend on how the skips are distributed over ledgers, nor on the
// order.
func TestLedgerMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all crawl.Ledger
		parts := make([]crawl.Ledger, 3)
		for i := range rapid.IntRange(0, 60).Draw(t, "skips") {
			s := &record.Skip{
				Pos:    record.Position{File: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "file"), Record: int64(rapid.IntRange(1, 9).Draw(t, "record"))},
				Reason: rapid.SampledFrom([]record.Reason{record.ReasonBadJSON, record.ReasonNotHTML}).Draw(t, "reason"),
				URL:    fmt.Sprint(i),
			}
			all.Add(s)
			parts[rapid.IntRange(0, 2).Draw(t, "part")].Add(fmt.Errorf("wrapped: %w", s))
		}
		var merged crawl.Ledger
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			merged.Merge(&parts[i])
		}
		if d := cmp.Diff(all.Tallies(), merged.Tallies()); d != "" {
			t.Fatal(d)
		}
		var saved []crawl.Tally
		b, _ := json.Marshal(all.Tallies())
		_ = json.Unmarshal(b, &saved)
		var loaded crawl.Ledger
		loaded.SetTallies(saved)
		if d := cmp.Diff(all.Tallies(), loaded.Tallies()); d != "" {
			t.Fatal("through JSON: " + d)
		}
	})
}

func TestLedgerCounts(t *testing.T) {
	var l crawl.Ledger
	if l.Add(errors.New("other")) || l.Total() != 0 || len(l.Tallies()) != 0 {
		t.Error("counted an error that is no skip")
	}
	l.Add(&record.Skip{Reason: record.ReasonNotHTML})
	l.Add(&record.Skip{Reason: record.ReasonBadGzip})
	l.AddReason(record.ReasonMailTo, 7)
	l.AddPage(&record.Page{Warnings: []*record.Skip{{Reason: record.ReasonPageTooBig}}})
	if l.Total() != 10 || l.Damaged() != 1 || l.Count(record.ReasonMailTo) != 7 || l.Tallies()[0].Reason != record.ReasonBadGzip {
		t.Errorf("%+v", l.Tallies())
	}
}

func TestSkipIsError(t *testing.T) {
	cause := errors.New("cause")
	var err error = &record.Skip{Pos: record.Position{File: "f", Offset: 3, Record: 2}, Reason: record.ReasonBadJSON, URL: "u", Err: cause}
	var r record.Reason
	if !errors.Is(err, cause) || !errors.Is(err, record.ReasonBadJSON) || !errors.As(err, &r) || r != record.ReasonBadJSON || !r.Damage() {
		t.Error("a skip is neither its reason nor its cause")
	}
	if got := err.Error(); got != "f at byte 3 (record 2): bad-json: u: cause" {
		t.Error(got)
	}
}
