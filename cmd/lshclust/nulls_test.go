package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestNulls exports every table in every format. Exactly the values that are null in Parquet must be null in JSON and
// empty in CSV and TSV. Every optional column is null somewhere.
func TestNulls(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	pages := numberPages + `{"url":"https://c.example/","time":"2020-01-02T03:04:05Z","html":"<link rel=canonical href=/x><p>no title here, and a <a href=https://x.example/>page that was not crawled</a>"}
{"url":"https://d.example/","html":"<title>404 Not Found</title><p>page not found"}
{"url":"https://e.example/","time":"2021-01-02T03:04:05Z","status":301,"location":"https://c.example/","html":"<meta http-equiv=refresh content='0; url=https://c.example/'>"}
{"url":"https://f.example/","html":"<meta http-equiv=refresh content='0; url=https://c.example/'>"}
`
	if err := os.WriteFile(in, []byte(pages), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{} // optional columns, and whether they were null somewhere
	for _, views := range []string{"topical,syntactic", "syntactic"} {
		dir := filepath.Join(out, views)
		if r := inProcess(t, "", "cluster", "-q", "--set", "shingle=3", "--views", views, "-o", dir, in); r.code != 0 {
			t.Fatal(r.stderr)
		}
		for _, x := range exports {
			table := filepath.Join(dir, x.name+".parquet")
			if _, err := os.Stat(table); err != nil {
				continue // of the other view
			}
			columns, optional, null := parquetNulls(t, table)
			for c := range optional {
				seen[c] = seen[c] || slices.ContainsFunc(null, func(row map[string]bool) bool { return row[c] })
			}
			for _, format := range everyFormat[1:] {
				got := exported(t, dir, x.name, format)
				if len(got) != len(null) {
					t.Fatalf("%s as %s: %d rows, Parquet has %d", x.name, format, len(got), len(null))
				}
				for i, row := range got {
					for _, c := range columns {
						v, there := row[c]
						blank := v == nil && strings.HasPrefix(format, formatJSON) || v == nil && optional[c]
						if !there || blank != null[i][c] {
							t.Errorf("%s as %s, row %d: %s is %#v; null in Parquet: %t", x.name, format, i, c, v, null[i][c])
						}
					}
				}
			}
		}
	}
	for c, ever := range seen {
		if !ever {
			t.Errorf("%s is never null: nothing is tested", c)
		}
	}
}

// parquetNulls returns the columns of a table, which of them may be null, and the rows in which they are.
func parquetNulls(t *testing.T, path string) (columns []string, optional map[string]bool, null []map[string]bool) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	table, err := parquet.OpenFile(f, st.Size())
	if err != nil {
		t.Fatal(err)
	}
	optional = map[string]bool{}
	leaves := table.Schema().Columns()
	for _, path := range leaves {
		columns = append(columns, path[0])
		if leaf, _ := table.Schema().Lookup(path...); leaf.MaxDefinitionLevel > 0 && leaf.MaxRepetitionLevel == 0 {
			optional[path[0]] = true
		}
	}
	for _, group := range table.RowGroups() {
		rows := group.Rows()
		defer rows.Close()
		buffer := make([]parquet.Row, 1)
		for {
			n, err := rows.ReadRows(buffer)
			if n == 1 {
				row := map[string]bool{}
				for _, v := range buffer[0] {
					name := leaves[v.Column()][0]
					row[name] = v.IsNull() && optional[name]
				}
				null = append(null, row)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return columns, optional, null
}

// exported returns the rows that export writes, with nil for null and for an empty cell.
func exported(t *testing.T, dir, table, format string) (rows []map[string]any) {
	r := inProcess(t, "", "export", dir, table, "--format", format)
	if r.code != 0 {
		t.Fatal(r.stderr)
	}
	switch format {
	case formatJSON:
		if err := json.Unmarshal([]byte(r.stdout), &rows); err != nil {
			t.Fatal(err)
		}
	case formatJSONL:
		for line := range strings.Lines(r.stdout) {
			row := map[string]any{}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	default:
		in := csv.NewReader(strings.NewReader(r.stdout))
		if format == formatTSV {
			in.Comma, in.LazyQuotes = '\t', true
		}
		lines, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			row := map[string]any{}
			for i, cell := range line {
				if row[lines[0][i]] = cell; cell == "" {
					row[lines[0][i]] = nil
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}
