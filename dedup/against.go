package dedup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/shingles"
)

// A record leaks an item of an evaluation set if it contains a run of leastRun words of one of its texts, or the whole text
// if that has at least leastWhole words. The scan compares shingles in a row.

const (
	leastRun       = 13 // as in "Language Models are Few-Shot Learners" (Brown et al. 2020), appendix C
	leastWhole     = 8
	leastDifferent = 4   // shingles of a run: "0 0 0 …" is in many records
	mostFields     = 10  // a shingle that more texts have is a phrase, such as of an instruction
	wordBytes      = 256 // of memory for a word of the sets
	mostPassage    = 1000
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

// EvalSet says what was found of an evaluation set.
type EvalSet struct {
	Name    string `json:"name"`
	Items   int64  `json:"items"`
	Short   int64  `json:"short"` // items without a text of enough words: they cannot be found
	Found   int64  `json:"found"` // items that records contain
	Records int64  `json:"records"`
}

// exam is what the evaluation sets hold.
type exam struct {
	sets   []EvalSet
	fields []evalField
	places map[uint64][]place // of shingles
	size   int                // shingles
	bits   bitmap             // of the shingles
	shift  int
}

// evalField is a text of an item.
type evalField struct {
	set      int
	item     int64
	id, name string
	shingles shingles.List
}

// place is where a shingle is: in a field, behind so many others.
type place struct{ field, at uint32 }

// readExam reads the evaluation sets.
func (j *job) readExam() (*exam, error) {
	x := &exam{places: map[uint64][]place{}}
	scanner, err := shingles.NewScanner(shingleWords)
	if err != nil {
		return nil, err
	}
	for i, in := range j.plan.Against {
		f, err := shard.Open(in.Path, j.reading(j.work))
		if err != nil {
			return nil, err
		}
		x.sets = append(x.sets, EvalSet{Name: in.Path})
		if err := f.Items(func(v any) error { return x.add(i, v, scanner, int(j.Memory/wordBytes)) }); err != nil {
			return nil, fmt.Errorf("%s: %w", in.Path, err)
		}
	}
	size := min(bits.Len(uint(x.size))+6, 32)
	x.bits, x.shift = newBitmap(1<<size), 64-size
	for v := range x.places {
		x.bits.set(uint32(v >> x.shift))
	}
	return x, nil
}

// add adds an item.
func (x *exam) add(set int, v any, s *shingles.Scanner, most int) error {
	x.sets[set].Items++
	f, before := evalField{set: set, item: x.sets[set].Items}, x.size
	eachText("", v, func(name string, text []byte) {
		if last := name[strings.LastIndexByte(name, '.')+1:]; f.id == "" && strings.HasSuffix(strings.ToLower(last), "id") {
			f.id = record.Clip(string(text), 100)
		}
		f.name, f.shingles = name, nil
		if s.Scan(&f.shingles, text).Words < leastWhole || x.size > most {
			return
		}
		n := uint32(len(x.fields))
		x.fields = append(x.fields, f)
		x.size += len(f.shingles)
		for at, v := range f.shingles {
			if list := x.places[v]; len(list) <= mostFields && (len(list) == 0 || list[len(list)-1].field != n) {
				x.places[v] = append(list, place{n, uint32(at)})
			}
		}
	})
	if x.size == before {
		x.sets[set].Short++
	}
	if x.size > most {
		return fmt.Errorf("more than %d words: divide the evaluation sets, or give more --memory", most)
	}
	return nil
}

// eachText yields the texts in a value, ids first.
func eachText(path string, v any, yield func(name string, text []byte)) {
	switch v := v.(type) {
	case string:
		yield(path, []byte(v))
	case []byte:
		yield(path, v)
	case []any:
		for _, e := range v {
			eachText(path, e, yield)
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		slices.SortStableFunc(names, func(a, b string) int {
			return len(strings.TrimSuffix(a, "id")) - len(a) - len(strings.TrimSuffix(b, "id")) + len(b)
		})
		for _, name := range names {
			eachText(strings.TrimPrefix(path+"."+name, "."), v[name], yield)
		}
	}
}

// run is a run of shingles of a field in a record.
type run struct{ field, from, to int }

// find returns the longest run of each item in a record, in the order of the items.
func (x *exam) find(values []uint64) []run {
	covered, best := map[uint32]int{}, map[[2]int64]run{}
	for i, v := range values {
		if !x.bits.has(uint32(v>>x.shift)) || len(x.places[v]) > mostFields {
			continue
		}
		for _, p := range x.places[v] {
			if i < covered[p.field] {
				continue
			}
			f, from, to, begin, end := &x.fields[p.field], i, i, int(p.at), int(p.at)
			for from > 0 && begin > 0 && values[from-1] == f.shingles[begin-1] {
				from, begin = from-1, begin-1
			}
			for to < len(values) && end < len(f.shingles) && values[to] == f.shingles[end] {
				to, end = to+1, end+1
			}
			covered[p.field] = to
			different := slices.Sorted(slices.Values(values[from:to]))
			item := [2]int64{int64(f.set), f.item}
			if have := best[item]; (to-from > leastRun-shingleWords || to-from == len(f.shingles)) && to-from > have.to-have.from && len(slices.Compact(different)) >= leastDifferent {
				best[item] = run{int(p.field), from, to}
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b run) int { return a.field - b.field })
}

// passage returns words of a text as they stand in it.
func passage(text []byte, from, to int) string {
	n, start := 0, 0
	for span := range shingles.Words(text, false) {
		if n == from {
			start = span.Start
		}
		if n++; n == to {
			return record.Clip(string(bytes.ToValidUTF8(text[start:span.End], nil)), mostPassage)
		}
	}
	return ""
}

// leak adds what the record leaks.
func (s *scanner) leak(r *shard.Record) error {
	for _, found := range s.exam.find(*s.engine.list) {
		f, words := &s.exam.fields[found.field], found.to-found.from+shingleWords-1
		b, err := json.Marshal(Leak{s.stretch.file.title(), r.Number, string(r.Name), s.exam.sets[f.set].Name, f.item, f.id, f.name,
			found.to-found.from == len(f.shingles), words, passage(s.engine.text(r), found.from, found.from+words)})
		if err != nil {
			return err
		}
		s.leaks.Add(string(b))
		s.leakers.Add(s.count)
	}
	return nil
}

// leak returns a leak of the part.
func (p *part) leak(i int) (l Leak, err error) {
	err = json.Unmarshal([]byte(p.leaks.At(i)), &l)
	l.Record += p.stretchOf(int(p.leakers.At(i))).line
	return l, err
}

// tellLeaks writes the list of leaks and counts them.
func (j *job) tellLeaks() ([]EvalSet, error) {
	x, err := j.exam()
	if err != nil {
		return nil, err
	}
	found, last := map[[2]any]bool{}, map[string]int{}
	return x.sets, j.writeLines(AgainstName, func(line func(any) error) error {
		for _, p := range j.parts {
			for i := range p.leakers.Len() {
				l, err := p.leak(i)
				if err == nil {
					err = line(l)
				}
				if err != nil {
					return err
				}
				set := &x.sets[slices.IndexFunc(x.sets, func(s EvalSet) bool { return s.Name == l.Set })]
				if item := [2]any{l.Set, l.Item}; !found[item] {
					found[item] = true
					set.Found++
				}
				if doc := p.first + int(p.leakers.At(i)) + 1; last[l.Set] != doc {
					last[l.Set] = doc
					set.Records++
				}
			}
		}
		return nil
	})
}

// leakers returns the removals of the records that leak items, if they go; they stand for no record.
func (j *job) leakers() (list []removal) {
	for _, p := range j.parts {
		for i := 0; j.Remove && i < p.leakers.Len(); i++ {
			if i == 0 || p.leakers.At(i) != p.leakers.At(i-1) {
				list = append(list, removal{doc: uint32(p.first) + p.leakers.At(i), kept: uint32(i), relation: Leaks})
			}
		}
	}
	return list
}
