package dedup_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lshclust/lshclust/dedup"
)

// TestFailed lets steps fail, then takes the reason away and checks that the next call ends with the same bytes: a step that
// failed is not taken for done.
func TestFailed(t *testing.T) {
	var lines []string
	texts := newTexts(8)
	frame := strings.Join(texts.text(100), " ") + " "
	for range 60 {
		lines = append(lines, fmt.Sprintf(`{"text":%q}`, frame+strings.Join(texts.text(40), " ")))
	}
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines), "b.jsonl": join(lines[:20])})
	o := dedup.Options{IgnoreCommon: true, Near: 0.5}
	want, r := run(t, o, paths...)
	if r.Common == 0 {
		t.Fatal("nothing is common")
	}
	check := func(name, out string) {
		t.Helper()
		_, err := dedup.Finish(t.Context(), out, o)
		must(t, err)
		if !maps.Equal(read(t, out), read(t, want)) {
			t.Errorf("%s: the output differs", name)
		}
	}
	begin := func() (out string) {
		out = filepath.Join(t.TempDir(), "out")
		_, err := dedup.Begin(t.Context(), out, paths, o)
		must(t, err)
		return out
	}
	for left := range int64(40) {
		out, ctx := begin(), &ending{Context: t.Context()}
		ctx.left.Store(left)
		if _, err := dedup.Finish(ctx, out, o); err != nil {
			check(fmt.Sprintf("interrupted after %d questions", left), out)
		} else if left < 10 {
			t.Errorf("interrupted after %d questions: no error", left)
		}
	}
	out := begin()
	list := filepath.Join(out, dedup.RemovedName)
	must(t, os.MkdirAll(filepath.Join(list, "in the way"), 0o777))
	if _, err := dedup.Finish(t.Context(), out, o); err == nil {
		t.Error("the list cannot be written: no error")
	}
	must(t, os.RemoveAll(list))
	check("the list could not be written", out)
}

// ending is a context that ends after somebody has asked a number of times whether it has.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return e.Context.Err()
}
