package dedup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/shingles"
)

// Audit says how removals compare with the texts.
type Audit struct {
	Removals  int64    `json:"removals"`  // in the list, without records that leak items
	Checked   int64    `json:"checked"`   // of these, evenly spread over the list
	Unchecked int64    `json:"unchecked"` // of the sample, because the texts do not fit in memory
	Wrong     []string `json:"wrong"`     // what does not agree, a line each
}

// spot is a record by its file and number.
type spot struct {
	file   string
	record int64
}

func (r *Removed) spots() [2]spot {
	return [2]spot{{r.File, r.Record}, {r.KeptFile, r.KeptRecord}}
}

// auditor reads the texts of a sample of removals.
type auditor struct {
	*job
	*Audit
	engine *engine
	sample []Removed
	texts  map[spot]*audited
	room   int64
}

// audited is the text of a record of the sample.
type audited struct {
	text, raw []byte // raw is the text as it is written
	frame     []uint64
	gone      bool // it is in the list
}

// Check computes the figures of a sample of the removals of a finished output again: from the texts, by the words and
// runs of words themselves, and with none of the tables by which they were found. It also checks that the records that
// stand for them stay. Of the options, only Memory counts.
func Check(ctx context.Context, out string, sample int64, o Options) (*Audit, error) {
	r := &Report{}
	if err := readJSON(filepath.Join(out, ReportName), r); err != nil || r.Plan == nil {
		return nil, errors.Join(fmt.Errorf("%s is no output of dedup", out), err)
	}
	a := &auditor{job: newJob(ctx, out, r.Plan.Options), Audit: &Audit{}, texts: map[spot]*audited{}}
	a.plan, a.Memory, a.Workers = *r.Plan, cmp.Or(o.Memory, defaultMemory), 1
	a.room = a.Memory / 8
	a.layout()
	var err error
	if a.engine, err = newEngine(); err != nil {
		return nil, err
	}
	list := filepath.Join(out, r.List())
	every := max(1, (r.Total.Removed+sample-1)/sample)
	err = eachRemoved(list, func(x *Removed) error {
		if x.Relation == Leaks.String() {
			return nil
		}
		if a.Removals++; a.Removals%every == 0 {
			a.sample = append(a.sample, *x)
			for _, at := range x.spots() {
				a.texts[at] = &audited{}
			}
		}
		return nil
	})
	err = cmp.Or(err, eachRemoved(list, func(x *Removed) error {
		if t := a.texts[x.spots()[0]]; t != nil {
			t.gone = true
		}
		return nil
	}))
	if err = cmp.Or(err, a.read()); err != nil {
		return nil, err
	}
	for i := range a.sample {
		a.compare(&a.sample[i])
	}
	return a.Audit, ctx.Err()
}

// read reads the texts of the sample.
func (a *auditor) read() error {
	all := frames{}
	if a.IgnoreCommon {
		var err error
		if all, err = a.countFrames(a.engine); err != nil {
			return err
		}
	}
	for _, f := range a.files {
		info, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		if info.Size() != f.Size || !info.ModTime().UTC().Equal(f.Modified) {
			return fmt.Errorf("%s was changed since dedup read it, so what it said cannot be checked", f.Path)
		}
		s, err := f.shard()
		if err != nil {
			return err
		}
		_, err = s.Read(a.ctx, shard.Part{}, func(r *shard.Record) error {
			t := a.texts[spot{f.title(), r.Number}]
			if t == nil || r.Skip != nil {
				return nil
			}
			text := a.engine.text(r)
			if a.room -= int64(2 * len(text)); a.room >= 0 {
				t.text, t.frame = append([]byte{}, text...), all[byOf(r)]
				if t.raw = t.text; r.Escaped {
					t.raw = bytes.Clone(r.Text)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

// compare compares a removal with the texts.
func (a *auditor) compare(have *Removed) {
	at := have.spots()
	t, kept := a.texts[at[0]], a.texts[at[1]]
	if a.room < 0 && (t.text == nil || kept.text == nil) {
		a.Unchecked++
		return
	}
	a.Checked++
	words, x, counted := a.shingles(t)
	others, y, _ := a.shingles(kept)
	r, want := removal{a: uint32(len(x)), b: uint32(len(y)), relation: Near}, *have
	for v := range x {
		r.shared += uint32(one(y[v]))
	}
	of, contains := r.of()
	switch {
	case slices.Equal(words, others):
		r = removal{relation: SameWords - Relation(one(bytes.Equal(t.raw, kept.raw)))}
		of, contains = 1, 1
	case counted < shortText || !atLeast(r.shared, r.a+r.b-r.shared, a.Near) && (a.job.Contained == 0 || of < a.job.Contained):
		want.Relation = "no reason"
	case !atLeast(r.shared, r.a+r.b-r.shared, a.Near):
		r.relation = Contained
	}
	if want.Relation == have.Relation {
		want.Relation = r.relation.String()
	}
	want.Resemblance, want.Contained, want.Contains, want.Shared, want.Shingles, want.KeptOf = r.resemblance(), of, contains, r.shared, r.a, r.b
	name := fmt.Sprintf("%s: record %d", have.File, have.Record)
	if want != *have {
		a.Wrong = append(a.Wrong, fmt.Sprintf("%s: the list says %s; the texts say %s", name, have.figures(), want.figures()))
	}
	if kept.gone {
		a.Wrong = append(a.Wrong, fmt.Sprintf("%s: %s: record %d, which stands for it, is removed too", name, have.KeptFile, have.KeptRecord))
	}
}

// figures returns what a line of the list says about two texts.
func (r *Removed) figures() string {
	return fmt.Sprintf("%s, resemblance %.4f, %.4f of it contained, %.4f of the other, %d of %d and %d shingles", r.Relation, r.Resemblance, r.Contained, r.Contains, r.Shared, r.Shingles, r.KeptOf)
}

// shingles returns the words of a text, its shingles that count, and how many words count.
func (a *auditor) shingles(t *audited) (words []string, set map[string]bool, counted int) {
	for _, w := range shingles.Words(t.text, false) {
		words = append(words, string(w))
	}
	set, counted = map[string]bool{}, len(words)
	for i := range max(min(1, len(words)), len(words)-shingleWords+1) {
		shingle := strings.Join(words[i:min(len(words), i+shingleWords)], " ")
		if a.isCommon(t.frame, shingle) {
			counted--
		} else {
			set[shingle] = true
		}
	}
	return words, set, counted
}

// isCommon reports whether a frame has a shingle.
func (a *auditor) isCommon(frame []uint64, shingle string) bool {
	if frame == nil {
		return false
	}
	set := shingles.NewSet()
	a.engine.scanner.Scan(set, []byte(shingle))
	_, common := slices.BinarySearch(frame, set.Values()[0])
	return common
}
