package table

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Column is one column of a table: its path, and whether it holds lists.
type Column struct {
	Path string
	List bool
}

// Layout maps the fields to the columns of a table.
type Layout struct {
	Rows meaning
	At   [NumFields]int
	rank [NumFields]uint8

	Columns []Column
	Inside  []Inside // columns of JSON
}

// newLayout returns a layout without fields.
func newLayout(rows meaning, columns []Column) Layout {
	l := Layout{Rows: rows, Columns: columns}
	for f := range l.At {
		l.At[f] = -1
	}
	return l
}

// Index returns the index of the column with a name, -1 if there is none.
func (l *Layout) Index(name string) int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Path == name || plainName(c.Path) == plainName(name) })
}

// Inside is a column that may hold JSON objects with members that have a meaning, such as metadata.
type Inside struct {
	At    int
	names *names
}

// Add adds the members of an object to the values of a row. It ignores a value that is not an object.
func (in Inside) Add(v *Values, value []byte, room *payload.Room) {
	if value = bytes.TrimSpace(value); len(value) > 0 && value[0] == '{' {
		r := readerOf(value, room)
		defer r.done()
		_ = r.object(v, in.names)
	}
}

// Recognise finds the layout of a table.
func Recognise(columns []Column, m record.Map) (Layout, error) {
	l := newLayout(nothing, columns)
	n := knownNames
	if len(m) > 0 {
		n = namesFor(m)
		if err := checkMap(m, columns); err != nil {
			return l, err
		}
	}
	for i, c := range columns {
		for _, u := range n.of([]byte(c.Path)) {
			if l.At[u.field] < 0 || u.rank < l.rank[u.field] {
				l.At[u.field], l.rank[u.field] = i, u.rank
			}
		}
		if group := n.group([]byte(c.Path)); group != nil && !c.List {
			l.Inside = append(l.Inside, Inside{i, group})
		}
	}
	has := func(f Field) bool { return l.At[f] >= 0 }
	single := func(f Field) bool { return has(f) && !columns[l.At[f]].List }
	if has(fieldURL) && !single(fieldURL) && !single(fieldID) && !single(FieldSource) {
		return l, fmt.Errorf("%s %w", columns[l.At[fieldURL]].Path, errNotRows)
	}
	l.Rows = means(has)
	if l.Rows == nothing && len(l.Inside) > 0 {
		l.Rows = means(func(f Field) bool { return has(f) || f == fieldID }) // the URL may be inside
	}
	if l.Rows == nothing {
		return l, errUnknownColumns(columns, nil)
	}
	return l, nil
}

// RecogniseTexts is Recognise for a table that may also hold texts without a column for their names. A column that seems
// to hold addresses must be mapped first.
func RecogniseTexts(columns []Column, m record.Map) (Layout, error) {
	l, err := Recognise(columns, m)
	if l.At[fieldText] < 0 || l.At[fieldURL] >= 0 || l.At[fieldID] >= 0 || l.At[FieldSource] >= 0 || l.At[fieldHTML] >= 0 {
		return l, err
	}
	for _, c := range columns {
		if name := plainName(c.Path); strings.Contains(name, "url") || strings.Contains(name, "uri") || strings.Contains(name, "link") {
			return l, err
		}
	}
	l.Rows = textRows
	return l, nil
}

// checkMap returns an error if a mapped column does not exist.
func checkMap(m record.Map, columns []Column) error {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if path := m[name]; !slices.ContainsFunc(columns, func(c Column) bool { return c.Path == path || plainName(c.Path) == path }) {
			return fmt.Errorf("there is no column %q to map to %s; %s", record.Clip(path, 80), name, listColumns(columns))
		}
	}
	return nil
}

// maxListed is the maximum number of columns that an error lists.
const maxListed = 40

func listColumns(columns []Column) string {
	var list []string
	for _, c := range columns[:min(len(columns), maxListed)] {
		list = append(list, record.Clip(c.Path, 40))
	}
	if len(columns) > maxListed {
		list = append(list, fmt.Sprintf("and %d more", len(columns)-maxListed))
	}
	return "the columns are " + strings.Join(list, ", ")
}
