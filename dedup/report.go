package dedup

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
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
	Short     int64             `json:"short,omitempty"` // kept records that are too short to resemble any
	Unread    map[string]int64  `json:"unread,omitempty"`
	Examples  map[string]string `json:"examples,omitempty"` // of what was not read, by reason
	Against   []EvalSet         `json:"against,omitempty"`
	Damage    []string          `json:"damage,omitempty"`
	Repacked  []string          `json:"repacked,omitempty"` // files whose compression is not written, under their new names
	Lost      []string          `json:"lost,omitempty"`     // what lost more than Options.MostLost
	Written   bool              `json:"written"`            // the files, and not only the reports
	Seconds   float64           `json:"seconds"`
	Before    bool              `json:"-"` // an earlier call finished it
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
	manyCopies = 1000
)

// count makes the report.
func (j *job) count(list *removals) error {
	r := &j.report
	r.Relations, r.Unread, r.Examples = map[string]int64{}, map[string]int64{}, map[string]string{}
	if j.exam != nil {
		r.Against = j.exam.sets
	}
	by := map[string]*Counts{}
	value := func(p *part, i int) string {
		if j.By == "" {
			return p.file.title()
		}
		return strings.Clone(p.by.At(i))
	}
	copies, standsFor := map[[2]string]int64{}, map[uint32]int64{}
	next := list.from(j.seen)
	for _, f := range j.files {
		if f.name == "" {
			continue
		}
		share := Share{Name: f.output()}
		if f.output() != f.name {
			r.Repacked = append(r.Repacked, f.output())
		}
		for _, p := range f.parts {
			for i := range p.count() {
				var gone *removal
				if next < list.len() && int(list.list.At(next*removalFields)) == p.first+i {
					x := list.at(next)
					gone = &x
					next++
					r.Relations[x.relation.String()]++
					if x.relation != Leaks {
						q, k := j.at(x.kept)
						copies[[2]string{value(p, i), value(q, k)}]++
						standsFor[x.kept]++
					}
				}
				row := p.row(i)
				share.add(row, gone)
				if gone == nil && row[rowWords] > 0 && row[rowWords] < shortText {
					r.Short++
				}
				if j.By != "" {
					name := value(p, i)
					if by[name] == nil && len(by) >= mostValues {
						name = "(other values)"
					}
					if by[name] == nil {
						by[name] = &Counts{}
					}
					by[name].add(row, gone)
				}
			}
			for reason, n := range p.Unread {
				r.Unread[reason] += n
				r.Examples[reason] = cmp.Or(r.Examples[reason], p.First[reason])
				share.Unread += n
				share.Records += n
			}
			r.Damage = append(r.Damage, p.Damage[:min(len(p.Damage), max(0, maxDamage-len(r.Damage)))]...)
		}
		r.Files = append(r.Files, share)
		r.Total.sum(share.Counts)
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		r.By = append(r.By, Share{name, *by[name]})
	}
	for pair, n := range copies {
		r.Copies = append(r.Copies, Copies{pair[0], pair[1], n})
	}
	slices.SortFunc(r.Copies, func(a, b Copies) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Of, b.Of), cmp.Compare(a.Kept, b.Kept))
	})
	r.Copies = r.Copies[:min(len(r.Copies), mostCopies)]
	for _, s := range slices.Concat(r.Files, r.By) {
		if read := s.Kept + s.Removed; read > 0 && float64(s.Removed) > j.MostLost*float64(read) {
			r.Lost = append(r.Lost, fmt.Sprintf("%s loses %d of %d records", cmp.Or(s.Name, "(no value)"), s.Removed, read))
		}
	}
	return j.examples(list, standsFor)
}

// add counts a record.
func (c *Counts) add(row []uint64, gone *removal) {
	c.Records++
	c.Words += int64(row[rowWords])
	c.Bytes += int64(row[rowLength])
	switch {
	case gone != nil:
		c.Removed++
		c.RemovedWords += int64(row[rowWords])
		c.RemovedBytes += int64(row[rowLength])
		return
	case row[rowWords] == 0:
		c.Empty++
	}
	c.Kept++
}

func (c *Counts) sum(d Counts) {
	c.Records += d.Records
	c.Kept += d.Kept
	c.Removed += d.Removed
	c.Unread += d.Unread
	c.Empty += d.Empty
	c.Words += d.Words
	c.RemovedWords += d.RemovedWords
	c.Bytes += d.Bytes
	c.RemovedBytes += d.RemovedBytes
}

// examples adds the largest groups and the pairs nearest to the threshold.
func (j *job) examples(list *removals, standsFor map[uint32]int64) error {
	r := &j.report
	docs := slices.Collect(maps.Keys(standsFor))
	slices.SortFunc(docs, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(standsFor[b], standsFor[a]), cmp.Compare(a, b))
	})
	for i, doc := range docs {
		n := standsFor[doc]
		if n > manyCopies {
			r.Many++
		} else if i >= mostGroups {
			break
		}
		if i < mostGroups {
			p, at := j.at(doc)
			begins, err := j.begins(p, at)
			if err != nil {
				return err
			}
			r.Groups = append(r.Groups, Group{p.file.title(), p.number(at), strings.Clone(p.names.At(at)), n, begins})
		}
	}
	closest, err := mapped.View[uint32](list.file, "closest")
	if err != nil {
		return err
	}
	for at := 0; at < closest.Len(); at += removalFields {
		r.Closest = append(r.Closest, j.describe(removalOf(closest.Slice(at, at+removalFields))))
	}
	return nil
}

// mostBegins is the number of bytes of the words by which a text is shown.
const mostBegins = 80

// begins returns the first words of a record.
func (j *job) begins(p *part, i int) (words string, err error) {
	e, err := newEngine()
	if err != nil {
		return "", err
	}
	err = p.again(j, []uint32{uint32(i)}, func(_ uint32, r *shard.Record) error {
		t := e.text(r)
		words = strings.ToValidUTF8(strings.Join(strings.Fields(string(t[:min(len(t), 4*mostBegins)])), " "), "")
		if len(words) > mostBegins {
			words = strings.ToValidUTF8(words[:mostBegins], "") + "…"
		}
		return nil
	})
	return words, err
}
