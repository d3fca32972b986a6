package dedup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/shingles"
)

// A record leaks an item of an evaluation set if it contains a run of leastRun words of one of its fields, or the whole
// field if that has at least leastWhole words. The scan suspects records that have enough shingles of the fields in a row;
// these are read again and their words compared.

const (
	leastRun       = 13 // as in "Language Models are Few-Shot Learners" (Brown et al. 2020), appendix C
	leastWhole     = 8
	leastDifferent = 5  // words of a run: "0 0 0 …" is in many records
	mostFields     = 10 // what more fields have is a phrase, such as an instruction
	wordBytes      = 256
)

// AgainstName is the name of the list of leaks in the output.
const AgainstName = "against.jsonl"

// Leak is a line of the list: the longest run of words of an item in a record.
type Leak struct {
	File    string `json:"file"`
	Record  int64  `json:"record"`
	ID      string `json:"id,omitempty"`
	Set     string `json:"set"`
	Item    int64  `json:"item"`
	ItemID  string `json:"item_id,omitempty"`
	Field   string `json:"field,omitempty"`
	Whole   bool   `json:"whole"` // the whole field
	Words   int    `json:"words"`
	Passage string `json:"passage"` // as it stands in the record; at most mostPassage bytes
}

const mostPassage = 1000

// EvalSet says what was found of an evaluation set.
type EvalSet struct {
	Name    string `json:"name"`
	Items   int64  `json:"items"`
	Short   int64  `json:"short"` // items without a field of enough words: they cannot be found
	Found   int64  `json:"found"` // items that records contain
	Records int64  `json:"records"`
}

// exam is what the evaluation sets hold.
type exam struct {
	sets   []EvalSet
	items  []evalItem
	fields []evalField
	ids    map[string]uint32 // of words, from 1
	places map[uint64][]place
	watch  watch
	seen   shingles.Set // all shingles, while the sets are read
	words  int
}

type evalItem struct {
	set    int
	number int64
	id     string
}

type evalField struct {
	item  uint32
	name  string
	words []uint32
}

// place is where leastWhole words of a field begin.
type place struct{ field, at uint32 }

// watch is a sink that notices when shingles of fields come in a row.
type watch struct {
	bits  bitmap
	shift int
	row   int
	hit   bool
}

// AddAll implements shingles.Sink.
func (w *watch) AddAll(values []uint64) {
	for _, v := range values {
		if !w.bits.has(uint32(v >> w.shift)) {
			w.row = 0
		} else if w.row++; w.row > leastWhole-shingleWords {
			w.hit = true
		}
	}
}

// readExam reads the evaluation sets.
func (j *job) readExam() error {
	if len(j.plan.Against) == 0 {
		return nil
	}
	x := &exam{ids: map[string]uint32{}, places: map[uint64][]place{}}
	scanner, err := shingles.NewScanner(shingleWords)
	if err != nil {
		return err
	}
	for i, in := range j.plan.Against {
		f, err := shard.Open(in.Path, j.reading(j.work))
		if err != nil {
			return err
		}
		x.sets = append(x.sets, EvalSet{Name: in.Path})
		err = f.Items(func(number int64, id string, fields []shard.Field) error {
			return x.add(evalItem{i, number, id}, fields, scanner, int(j.Memory/wordBytes))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", in.Path, err)
		}
	}
	values := x.seen.Values()
	size := min(bits.Len(uint(len(values)))+6, 32)
	x.watch.bits, x.watch.shift = newBitmap(1<<size), 64-size
	for _, v := range values {
		x.watch.bits.set(uint32(v >> x.watch.shift))
	}
	x.seen = shingles.Set{}
	j.exam = x
	return nil
}

// add adds an item.
func (x *exam) add(item evalItem, fields []shard.Field, s *shingles.Scanner, most int) error {
	x.sets[item.set].Items++
	long := false
	for _, f := range fields {
		words, _ := x.wordsOf(nil, f.Text, true)
		if len(words) < leastWhole {
			continue
		}
		if x.words += len(words); x.words > most {
			return fmt.Errorf("more than %d words: divide the evaluation sets, or give more --memory", most)
		}
		long = true
		s.Scan(&x.seen, f.Text)
		n := uint32(len(x.fields))
		x.fields = append(x.fields, evalField{uint32(len(x.items)), f.Name, words})
		for at := range len(words) - leastWhole + 1 {
			key := keyOf(words[at:])
			if list := x.places[key]; len(list) <= mostFields && (len(list) == 0 || list[len(list)-1].field != n) {
				x.places[key] = append(list, place{n, uint32(at)})
			}
		}
	}
	if !long {
		x.sets[item.set].Short++
	}
	x.items = append(x.items, item)
	return nil
}

// wordsOf appends the numbers of the words of a text and returns their places. Unless they are added, unknown words have 0.
func (x *exam) wordsOf(words []uint32, text []byte, add bool) ([]uint32, []shingles.Span) {
	var spans []shingles.Span
	for span, word := range shingles.Words(text, false) {
		id := x.ids[string(word)]
		if id == 0 && add {
			id = uint32(len(x.ids)) + 1
			x.ids[string(word)] = id
		}
		words, spans = append(words, id), append(spans, span)
	}
	return words, spans
}

// keyOf returns a hash of the first words.
func keyOf(words []uint32) (key uint64) {
	for _, w := range words[:leastWhole] {
		key = (key ^ uint64(w)) * 0x9e3779b97f4a7c15
		key ^= key >> 29
	}
	return key
}

// run is a run of words of a field in a record.
type run struct {
	field    uint32
	from, to int
}

// find returns the longest run of each item in a record, in the order of the items.
func (x *exam) find(words []uint32) (runs []run) {
	covered, best := map[uint32]int{}, map[uint32]run{}
	for i := 0; i+leastWhole <= len(words); i++ {
		list := x.places[keyOf(words[i:])]
		if len(list) > mostFields {
			continue
		}
		for _, p := range list {
			f := &x.fields[p.field]
			if i+leastWhole <= covered[p.field] || !slices.Equal(f.words[p.at:p.at+leastWhole], words[i:i+leastWhole]) {
				continue
			}
			from, to, begin, end := i, i+leastWhole, int(p.at), int(p.at)+leastWhole
			for from > 0 && begin > 0 && words[from-1] == f.words[begin-1] {
				from, begin = from-1, begin-1
			}
			for to < len(words) && end < len(f.words) && words[to] == f.words[end] {
				to, end = to+1, end+1
			}
			covered[p.field] = to
			if different(words[from:to]) < leastDifferent {
				continue
			}
			if have, ok := best[f.item]; (to-from >= leastRun || to-from == len(f.words)) && (!ok || to-from > have.to-have.from) {
				best[f.item] = run{p.field, from, to}
			}
		}
	}
	for _, r := range best {
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(x.fields[a.field].item, x.fields[b.field].item) })
	return runs
}

// different returns the number of different words.
func different(words []uint32) int {
	words = slices.Clone(words)
	slices.Sort(words)
	return len(slices.Compact(words))
}

// leaked is a record that contains an item.
type leaked struct{ doc, item, words uint32 }

// examine writes the list of leaks.
func (j *job) examine() error {
	if j.exam == nil {
		return nil
	}
	engines := make([]*engine, j.Workers)
	found := map[uint32]bool{}
	type leaks struct {
		lines []byte
		docs  []leaked
	}
	work := func(worker, i int, emit func(leaks, int) error) (err error) {
		if p := j.parts[i]; p.suspects.Len() > 0 {
			if engines[worker] == nil {
				if engines[worker], err = newEngine(); err != nil {
					return err
				}
			}
			return p.again(j, p.suspects.All(), func(at uint32, r *shard.Record) error {
				lines, docs, err := j.leaksOf(p, int(at), engines[worker].text(r))
				if err != nil || len(docs) == 0 {
					return err
				}
				return emit(leaks{lines, docs}, len(lines)+12*len(docs))
			})
		}
		return nil
	}
	return j.writeFile(filepath.Join(j.out, AgainstName), func(w *os.File) error {
		return parallel.Ordered(j.ctx, len(j.parts), j.Workers, j.Memory/8, work, func(_ int, l leaks) error {
			sets := map[int]bool{}
			for _, d := range l.docs {
				set := j.exam.items[d.item].set
				if s := &j.exam.sets[set]; !found[d.item] {
					found[d.item] = true
					s.Found++
				}
				sets[set] = true
			}
			for set := range sets {
				j.exam.sets[set].Records++
			}
			j.leaked = append(j.leaked, slices.MaxFunc(l.docs, func(a, b leaked) int { return cmp.Compare(a.words, b.words) }))
			_, err := w.Write(l.lines)
			return err
		})
	})
}

// leaksOf returns the lines of the list for a record.
func (j *job) leaksOf(p *part, at int, text []byte) (lines []byte, docs []leaked, err error) {
	words, spans := j.exam.wordsOf(nil, text, false)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range j.exam.find(words) {
		f := &j.exam.fields[r.field]
		item := &j.exam.items[f.item]
		passage := bytes.ToValidUTF8(text[spans[r.from].Start:spans[r.to-1].End], nil)
		docs = append(docs, leaked{uint32(p.first + at), f.item, uint32(r.to - r.from)})
		err = cmp.Or(err, e.Encode(Leak{p.file.title(), p.number(at), p.names.At(at), j.exam.sets[item.set].Name, item.number, item.id, f.name,
			r.to-r.from == len(f.words), r.to - r.from, record.Clip(string(passage), mostPassage)}))
	}
	return b.Bytes(), docs, err
}
