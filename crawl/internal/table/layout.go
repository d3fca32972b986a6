package table

import (
	"bytes"
	"errors"
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

// errUnknownColumns lists the columns, and says how to name those that are needed. The first rows of the table, if
// there are any, show which columns these may be.
func errUnknownColumns(columns []Column, rows [][][]byte) error {
	return errors.New(listColumns(columns) + "; pages need url and html or text, links need source and target: say which is which, such as " + example(columns, rows))
}

// errNotRows follows the name of what holds the values of a column, and not those of a row.
var errNotRows = errors.New("holds a column, not a row: write an object for each row, with pandas to_json(orient='records', lines=True), or unnest the lists with DuckDB")

// Useless returns a *Skip for a table of rows of which none has what a page or a link needs.
func (l *Layout) Useless(pos record.Position, rows int64) error {
	err := fmt.Errorf("none of the %d rows gives a page or a link: %w", rows, errUnknownColumns(l.Columns, nil))
	return &record.Skip{Pos: pos, Reason: record.ReasonUnknownColumns, Err: err}
}

// example returns the flags for a table. Two columns of addresses are source and target, as in an export of links.
func example(columns []Column, rows [][][]byte) string {
	addresses, longest := addressColumns(len(columns), rows)
	for i, c := range columns {
		for _, u := range knownNames.of([]byte(c.Path)) {
			if len(addresses) < 2 && u.field == FieldSource && (u.rank > 0 || len(addresses) > 0) {
				return flag("source", columns, i) + " --map target=COLUMN; no column is known to hold targets"
			}
		}
	}
	switch {
	case len(addresses) >= 2:
		return flag("source", columns, addresses[0]) + " " + flag("target", columns, addresses[1])
	case len(addresses) == 1 && len(columns) > 1:
		return flag("url", columns, addresses[0]) + " " + flag("text", columns, longest)
	}
	return flag("url", columns, 0) + " " + flag("text", columns, 1)
}

// flag returns --map for column i, quoted for a shell if need be.
func flag(field string, columns []Column, i int) string {
	name := "COLUMN"
	if i < len(columns) {
		name = record.Clip(columns[i].Path, 40)
	}
	if strings.ContainsFunc(name, func(r rune) bool {
		return (r|' ' < 'a' || r|' ' > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-/", r) && r < 0x80
	}) {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return "--map " + field + "=" + name
}

// addressColumns returns the columns that hold only addresses, and the column with the most text among the others.
func addressColumns(n int, rows [][][]byte) (addresses []int, longest int) {
	most := -1
	for i := range n {
		all, size := len(rows) > 0, 0
		for _, row := range rows {
			if i < len(row) {
				all = all && isAddress(payload.Trimmed(row[i]))
				size += len(row[i])
			}
		}
		if all {
			addresses = append(addresses, i)
		} else if size > most {
			longest, most = i, size
		}
	}
	return addresses, longest
}
