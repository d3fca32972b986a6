package gold

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
)

// Mark is a person's judgement of one neighbour of one query. It holds for all methods that list the neighbour.
type Mark struct {
	Query     string   `json:"query"`
	Neighbour string   `json:"neighbour"`
	Verdict   string   `json:"verdict"` // Good, Bad, DontKnow, or empty: not marked
	Listed    []Listed `json:"listed"`  // the methods that list the neighbour
}

// Listed says that a method lists a neighbour, and at what rank.
type Listed struct {
	Method string `json:"method"`
	Rank   int    `json:"rank"` // from 1
}

// Methods returns the methods that list the neighbour, as METHOD:RANK.
func (m Mark) Methods() (out []string) {
	for _, l := range m.Listed {
		out = append(out, fmt.Sprintf("%s:%d", l.Method, l.Rank))
	}
	return out
}

// Verdicts.
const (
	Good     = "good"
	Bad      = "bad"
	DontKnow = "unknown"
)

// Marks holds the judgements in a file.
type Marks struct {
	Name    string
	Marks   []Mark
	Skipped Skips
}

// Reasons for skipping a row of marks, in addition to BadRow.
const (
	BadVerdict = "bad-mark"    // neither good, bad, unknown nor empty
	Twice      = "named-twice" // the query and the neighbour have occurred before; the first row wins
)

// MarksColumns are the columns of a file of marks.
var MarksColumns = []string{"query", "neighbour", "mark", "methods"}

// WriteMarks writes marks in the form that ReadMarks reads: a header line, then a row for each mark with query,
// neighbour, mark, and METHOD:RANK separated by spaces. In names, a backslash, tab, line feed or carriage return is
// written as \\, \t, \n or \r, and other control characters as a space.
func WriteMarks(w io.Writer, marks []Mark) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "# "+strings.Join(MarksColumns, "\t"))
	for _, m := range marks {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", markCell(m.Query), markCell(m.Neighbour), m.Verdict, strings.Join(m.Methods(), " "))
	}
	return out.Flush()
}

func markCell(s string) string { return harmless.Cell(escapeCell.Replace(s)) }

var (
	escapeCell   = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	unescapeCell = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
)

// ReadMarks reads the marks in a file. It counts rows that are not marks in Skipped. A file without marks is an error.
func ReadMarks(path string) (*Marks, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &Marks{Name: filepath.Base(path)}
	if err := m.read(f); err != nil {
		return nil, err
	}
	if len(m.Marks) == 0 {
		return nil, fmt.Errorf("%s: no row is a query, a neighbour, a mark and methods, as lshclust eval --format tsv writes them: %s",
			path, m.Skipped.why())
	}
	return m, nil
}

func (m *Marks) read(in io.Reader) error {
	seen := map[[2]string]bool{}
	return tsvRows(in, m.Name, func(cells []string, at string) {
		mark, reason := parseMark(cells)
		if reason == "" && seen[[2]string{mark.Query, mark.Neighbour}] {
			reason = Twice
		}
		if reason != "" {
			m.Skipped.Add(reason, at, strings.Join(cells, "\t"))
			return
		}
		seen[[2]string{mark.Query, mark.Neighbour}] = true
		m.Marks = append(m.Marks, mark)
	})
}

// parseMark parses a row, or returns the reason why it is not a mark.
func parseMark(cells []string) (m Mark, reason string) {
	if len(cells) < len(MarksColumns) || strings.TrimSpace(cells[0]) == "" || strings.TrimSpace(cells[1]) == "" {
		return m, BadRow
	}
	m.Query, m.Neighbour = unescapeCell.Replace(cells[0]), unescapeCell.Replace(cells[1])
	m.Verdict = strings.ToLower(strings.TrimSpace(cells[2]))
	if !slices.Contains([]string{Good, Bad, DontKnow, ""}, m.Verdict) {
		return m, BadVerdict
	}
	for _, l := range strings.Fields(cells[3]) {
		method, rank, ok := strings.Cut(l, ":")
		n, err := strconv.Atoi(rank)
		if !ok || method == "" || err != nil || n < 1 {
			return m, BadRow
		}
		m.Listed = append(m.Listed, Listed{Method: method, Rank: n})
	}
	if len(m.Listed) == 0 {
		return m, BadRow
	}
	return m, ""
}
