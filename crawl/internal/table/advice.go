package table

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

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
