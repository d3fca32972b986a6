package dedup

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// Audit says how removals compare with the texts.
type Audit struct {
	Removals int64 // in the list, without records that leak items
	Checked  int   // of these, evenly spread over the list
	Wrong    []string
}

// spot is a record by its file and number.
type spot struct {
	file   string
	record int64
}

// audited is what the text of a record says.
type audited struct {
	scanned shingles.Scanned
	hash    uint64
	counted int
	set     []uint64
	gone    bool // it is in the list
}

// Check computes the figures of a sample of the removals of a finished output again from the texts in the inputs, and with
// none of the tables by which they were found. It also checks that the records that stand for them stay. Of the options,
// only Memory counts.
func Check(ctx context.Context, out string, sample int64, o Options) (*Audit, error) {
	r := &Report{Plan: &plan{}}
	if err := readJSON(filepath.Join(out, ReportName), r); err != nil {
		return nil, fmt.Errorf("%s is no output of dedup: %w", out, err)
	}
	j := newJob(ctx, out, r.Plan.Options)
	j.plan, j.Memory, j.Workers = *r.Plan, cmp.Or(o.Memory, defaultMemory), 1
	j.layout()
	a, list, found := &Audit{}, []Removed{}, map[spot]*audited{}
	every := max(1, (r.Total.Removed+sample-1)/sample)
	err := j.eachRemoved(func(x Removed) {
		if a.Removals++; a.Removals%every == 0 {
			list = append(list, x)
			found[spot{x.File, x.Record}], found[spot{x.KeptFile, x.KeptRecord}] = &audited{}, &audited{}
		}
	})
	if err == nil {
		err = j.eachRemoved(func(x Removed) {
			if t := found[spot{x.File, x.Record}]; t != nil {
				t.gone = true
			}
		})
	}
	if err == nil {
		err = j.readAudited(found)
	}
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		a.compare(j, x, found[spot{x.File, x.Record}], found[spot{x.KeptFile, x.KeptRecord}])
	}
	return a, nil
}

// readAudited reads the texts of records.
func (j *job) readAudited(found map[spot]*audited) error {
	e, err := j.newEngine()
	if err == nil && j.IgnoreCommon {
		e.frames, err = j.countFrames(e)
	}
	e.set = shingles.NewSet()
	for i, size := 0, int64(0); i < len(j.files) && err == nil; i++ {
		err = j.files[i].each(j, func(r *shard.Record) error {
			t := found[spot{j.files[i].title(), r.Number}]
			if t == nil || r.Skip != nil {
				return nil
			}
			e.set.Reset()
			t.scanned, t.hash, t.counted, _ = e.signature(r)
			t.set = slices.Clone(e.set.Values())
			if size += int64(8 * len(t.set)); size > j.Memory/2 {
				return fmt.Errorf("the texts are too large to check so many: give more --memory")
			}
			return nil
		})
	}
	return err
}

// compare compares a removal with the texts of its records.
func (a *Audit) compare(j *job, have Removed, t, kept *audited) {
	a.Checked++
	r, enough := j.relate(removal{}, t.set, kept.set)
	want := have
	switch want.figures(r); {
	case t.scanned == kept.scanned:
		want.figures(removal{relation: SameWords - Relation(sets.One(t.hash == kept.hash))})
	case !enough || t.counted < shortText:
		want.Relation = "none"
	}
	if want != have {
		a.Wrong = append(a.Wrong, fmt.Sprintf("%s: record %d: %s, resemblance %.4f, %d of %d and %d shingles; the texts say: %s, %.4f, %d of %d and %d", have.File, have.Record,
			have.Relation, have.Resemblance, have.Shared, have.Shingles, have.KeptOf, want.Relation, want.Resemblance, want.Shared, want.Shingles, want.KeptOf))
	}
	if kept.gone {
		a.Wrong = append(a.Wrong, fmt.Sprintf("%s: record %d is removed, but stands for record %d of %s", have.KeptFile, have.KeptRecord, have.Record, have.File))
	}
}
