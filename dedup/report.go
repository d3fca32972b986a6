package dedup

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/sets"
)

// Report says what was kept and removed.
type Report struct {
	Plan      *plan             `json:"plan"`
	Total     Counts            `json:"total"`
	Files     []Share           `json:"files"`
	By        []Share           `json:"by,omitempty"` // by the values of Options.By
	Relations map[string]int64  `json:"relations"`
	Copies    []Copies          `json:"copies,omitempty"` // which value of Options.By, or which file, copies which
	Groups    []Group           `json:"groups,omitempty"` // the largest
	Many      int64             `json:"many,omitempty"`   // records that stand for more than 1,000 others
	Closest   []Removed         `json:"closest,omitempty"`
	Short     int64             `json:"short,omitempty"`     // kept records that are too short to resemble any
	Unordered int64             `json:"unordered,omitempty"` // records without the value that Options.Keep goes by: any other is preferred
	Common    int               `json:"common,omitempty"`    // shingles that do not count, by Options.IgnoreCommon
	Unread    map[string]int64  `json:"unread,omitempty"`
	Examples  map[string]string `json:"examples,omitempty"` // of what was not read, by reason
	Against   []EvalSet         `json:"against,omitempty"`
	Damage    []string          `json:"damage,omitempty"`
	Repacked  []string          `json:"repacked,omitempty"` // files whose compression is not written, under their new names
	Lost      []string          `json:"lost,omitempty"`     // what lost more than Options.MostLost
	Written   bool              `json:"written"`            // the files, and not only the reports
	Before    bool              `json:"-"`                  // an earlier call finished it
}

// Near returns the threshold of the resemblance.
func (r *Report) Near() float64 { return r.Plan.Options.Near }

// Counts counts records. Records = Kept + Removed + Unread.
type Counts struct {
	Records      int64 `json:"records"`
	Kept         int64 `json:"kept"`
	Removed      int64 `json:"removed"`
	Unread       int64 `json:"unread"` // kept as they are
	Empty        int64 `json:"empty"`  // of the kept, those without text
	Words        int64 `json:"words"`
	RemovedWords int64 `json:"removed_words"`
	Bytes        int64 `json:"bytes"`         // of the records with text
	RemovedBytes int64 `json:"removed_bytes"` // of the records that go
}

// Share is what a file or a value has.
type Share struct {
	Name string `json:"name"`
	Counts
}

// Copies says how many records of one are removed for those of another.
type Copies struct {
	Of      string `json:"of"`
	Kept    string `json:"kept"`
	Records int64  `json:"records"`
}

// Group is a record that stands for others.
type Group struct {
	File    string `json:"file"`
	Record  int64  `json:"record"`
	ID      string `json:"id,omitempty"`
	Removed int64  `json:"removed"`
	Begins  string `json:"begins,omitempty"`
}

// Bounds of the report.
const (
	mostGroups = 10
	mostValues = 10_000 // of By
	mostCopies = 100
	mostPairs  = 100_000 // of values, that are counted
	manyCopies = 1000
)

// books counts what stays and goes.
type books struct {
	*job
	*Report
	list      *removals
	next      int // removal
	by        map[string]*Counts
	copies    map[[2]string]int64
	standsFor map[uint32]int64
}

// tell writes the lists and makes the report.
func (j *job) tell(e *engine, i int) error {
	_, err := j.matches()
	list, errList := j.removed()
	if err = cmp.Or(err, errList, j.openAll()); err != nil {
		return err
	}
	b := &books{job: j, Report: &Report{Plan: &j.plan, Relations: map[string]int64{}, Unread: map[string]int64{}, Examples: map[string]string{}},
		list: list, by: map[string]*Counts{}, copies: map[[2]string]int64{}, standsFor: map[uint32]int64{}}
	if j.exam != nil {
		if b.Against, err = j.tellLeaks(); err != nil {
			return err
		}
	}
	for _, f := range j.files {
		if f.Name != "" {
			if err := b.file(f); err != nil {
				return err
			}
		}
	}
	b.sum()
	for _, frame := range e.frames {
		b.Common += len(frame)
	}
	if err := b.examples(e); err != nil {
		return err
	}
	if err := j.writeRemoved(list); err != nil {
		return err
	}
	return j.writeJSON(j.file("tell", i), b.Report) // last, since the step is done then
}

// told returns the report, with what this call is to write.
func (j *job) told() (*Report, error) {
	r := &Report{}
	if err := readJSON(j.file("tell", 0), r); err != nil {
		return nil, err
	}
	r.Plan = &j.plan
	for _, s := range slices.Concat(r.Files, r.By) {
		if read := s.Kept + s.Removed; read > 0 && float64(s.Removed) > j.MostLost*float64(read) {
			r.Lost = append(r.Lost, fmt.Sprintf("%s loses %d of %d records", cmp.Or(s.Name, "(no value)"), s.Removed, read))
		}
	}
	r.Written = !j.DryRun && len(r.Lost) == 0
	return r, nil
}

// file counts a file.
func (b *books) file(f *file) error {
	name, err := f.output()
	if err != nil {
		return err
	}
	if name != f.Name {
		b.Repacked = append(b.Repacked, name)
	}
	share := Share{Name: name}
	for _, s := range f.stretches {
		for i := range s.Records {
			b.record(s.part, s.first-s.part.first+i, &share.Counts)
		}
		for reason, n := range s.Unread {
			b.Unread[reason] += n
			b.Examples[reason] = cmp.Or(b.Examples[reason], s.First[reason])
			for _, c := range []*Counts{&share.Counts, &b.Total} {
				c.Unread += n
				c.Records += n
			}
		}
		b.Damage = append(b.Damage, s.Damage[:min(len(s.Damage), max(0, maxDamage-len(b.Damage)))]...)
	}
	b.Files = append(b.Files, share)
	return nil
}

// record counts a record of a part.
func (b *books) record(p *part, i int, share *Counts) {
	var gone *removal
	if b.next < b.list.len() {
		if r := b.list.at(b.next); int(r.doc) == p.first+i {
			gone = &r
			b.next++
			b.Relations[r.relation.String()]++
		}
	}
	row := p.row(i)
	b.Unordered += int64(sets.One(row[rowOrder] == unordered))
	counts := []*Counts{share, &b.Total}
	if gone == nil && words(row) > 0 && counted(row) < shortText {
		b.Short++
	}
	if b.job.By != "" {
		name := p.by.At(i)
		if b.by[name] == nil && len(b.by) >= mostValues {
			name = "(other values)"
		}
		if b.by[name] == nil {
			b.by[strings.Clone(name)] = &Counts{}
		}
		counts = append(counts, b.by[name])
	}
	for _, c := range counts {
		c.add(row, gone != nil)
	}
	if gone == nil || gone.relation == Leaks {
		return
	}
	q, k := b.at(gone.kept)
	pair := [2]string{b.value(p, i), b.value(q, k)}
	if _, known := b.copies[pair]; !known && len(b.copies) >= mostPairs {
		pair = [2]string{"(others)", "(others)"}
	}
	b.copies[pair]++
	b.standsFor[gone.kept]++
}

// value returns the value of Options.By of a record, or its file.
func (b *books) value(p *part, i int) string {
	if b.job.By == "" {
		return p.stretchOf(i).file.title()
	}
	return strings.Clone(p.by.At(i))
}

// sum adds the counts by value and by pairs of values, the largest first.
func (b *books) sum() {
	for _, name := range slices.Sorted(maps.Keys(b.by)) {
		b.Report.By = append(b.Report.By, Share{name, *b.by[name]})
	}
	for pair, n := range b.copies {
		b.Copies = append(b.Copies, Copies{pair[0], pair[1], n})
	}
	slices.SortFunc(b.Copies, func(x, y Copies) int {
		return cmp.Or(cmp.Compare(y.Records, x.Records), cmp.Compare(x.Of, y.Of), cmp.Compare(x.Kept, y.Kept))
	})
	b.Copies = b.Copies[:min(len(b.Copies), mostCopies)]
}

// add counts a record.
func (c *Counts) add(row []uint64, gone bool) {
	c.Records++
	c.Words += int64(words(row))
	c.Bytes += int64(row[rowLength])
	switch {
	case gone:
		c.Removed++
		c.RemovedWords += int64(words(row))
		c.RemovedBytes += int64(row[rowLength])
		return
	case words(row) == 0:
		c.Empty++
	}
	c.Kept++
}

// examples adds the largest groups and the pairs nearest to the threshold.
func (b *books) examples(e *engine) error {
	docs := slices.Collect(maps.Keys(b.standsFor))
	slices.SortFunc(docs, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(b.standsFor[y], b.standsFor[x]), cmp.Compare(x, y))
	})
	for i, doc := range docs {
		n := b.standsFor[doc]
		if n > manyCopies {
			b.Many++
		} else if i >= mostGroups {
			break
		}
		if i < mostGroups {
			p, at := b.at(doc)
			g := Group{ID: strings.Clone(p.names.At(at)), Removed: n}
			g.File, g.Record = p.place(at)
			err := b.again(p, []uint32{uint32(at)}, func(_ uint32, r *shard.Record) error {
				g.Begins = begin(e.text(r))
				return nil
			})
			if err != nil {
				return err
			}
			b.Groups = append(b.Groups, g)
		}
	}
	for _, r := range b.list.closest {
		b.Closest = append(b.Closest, b.describe(r))
	}
	return nil
}

// mostBegins is the number of bytes of the words by which a text is shown.
const mostBegins = 80

// begin returns the first words of a text.
func begin(text []byte) string {
	words := strings.ToValidUTF8(strings.Join(strings.Fields(string(text[:min(len(text), 4*mostBegins)])), " "), "")
	if len(words) > mostBegins {
		words = strings.ToValidUTF8(words[:mostBegins], "") + "…"
	}
	return words
}
