package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
)

func (f *ablation) write(w io.Writer, all []*eval.Ablation) error {
	if done, err := writeWhole(w, f.format, all, ablationTable); done {
		return err
	}
	out := f.rows(w, append([]string{"gold", "half", "variation", "colinked"}, figureColumns...)...)
	for _, a := range all {
		for _, r := range a.Rows {
			if err := ablationRows(out, a, r); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// ablationRows writes a row for each figure. Undefined values are empty, and null in JSON.
func ablationRows(out *rowWriter, a *eval.Ablation, r eval.AblationRow) error {
	put := func(colinked, name string, f score.Figure) error {
		return out.row(append([]any{a.Gold, a.Half.String(), r.Name, colinked}, figureCells(score.Named{Name: name, Figure: f})...)...)
	}
	some := func(colinked string, s *eval.SettingScores) error {
		if s == nil {
			return nil
		}
		if err := put(colinked, "coverage", s.Coverage); err != nil {
			return err
		}
		for _, x := range []struct {
			name    string
			figures []score.Figure
		}{{"same_category", s.Hits}, {"difference", s.Differences}} {
			for k, f := range x.figures {
				if err := put(colinked, fmt.Sprintf("%s_%d", x.name, k+1), f); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := some("kept", &r.All); err != nil {
		return err
	}
	return some("excluded", r.Apart)
}

// whatFor describes the use of the figures of a half.
var whatFor = map[score.Half]string{
	score.All:  "all targets are queries: choose settings on --half dev, then report --half test",
	score.Dev:  "half dev: use it to choose settings",
	score.Test: "half test: use it to report; if settings were chosen on it, no held-out figures are left",
}

// comparedLevel returns the level whose difference is shown in the table: the second, or the only one.
func comparedLevel(a *eval.Ablation) int { return min(2, a.Levels) }

// ablationTable prints the figures as text.
func ablationTable(w io.Writer, a *eval.Ablation) {
	w, flush := narrow(w)
	defer flush()
	name := whole(a.Gold)
	fmt.Fprintf(w, "%s: %d of %s in the inputs, %d queries in %s\n", name, a.Known, count(a.Targets, "target"), a.Queries, count(a.Lists, "list"))
	fmt.Fprintf(w, "%s\n", whatFor[a.Half])
	t := newSettingTable(a)
	t.head(w)
	for _, r := range a.Rows {
		t.row(w, whole(r.Name), t.cells(&r.All), t.cells(r.Apart))
	}
	fmt.Fprintf(w, `
same category: share of all queries whose nearest target shares the first 1, 2,
.. levels of a category path with the query. A query without neighbours counts
as wrong.
level %d less base: what the setting gains or loses at that level; * if the
95 %% interval of the difference, over resamples of whole lists, does not
contain 0.
no page links to both: without the pairs that one page links to together. Pages
in one list share the words around their links, which makes them easy to find.
`, comparedLevel(a))
}

// settingTable is the layout of the table of an ablation. It has intervals if the lines are long enough for them.
type settingTable struct {
	*eval.Ablation
	names, block int // widths of the names and of the columns for one kind of pairs
	intervals    bool
}

func newSettingTable(a *eval.Ablation) settingTable {
	t := settingTable{a, 9, 0, true}
	for _, r := range a.Rows {
		t.names = max(t.names, len(whole(r.Name)))
	}
	if t.block = 6*a.Levels + 25; t.names+2*(t.block+2) > width() {
		t.intervals = false
		t.block = 6*a.Levels + 10
	}
	t.block = max(t.block, len(sameCategoryAt))
	return t
}

const sameCategoryAt = "same category at level"

func (t settingTable) row(w io.Writer, name string, all, apart string) {
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", t.names, name, t.block, all, apart), " "))
}

func (t settingTable) head(w io.Writer) {
	t.row(w, "", pairKinds[0], pairKinds[1])
	t.row(w, "", sameCategoryAt, sameCategoryAt)
	levels := ""
	for k := range t.Levels {
		levels += fmt.Sprintf("%5d ", k+1)
	}
	if t.intervals {
		levels += fmt.Sprintf(" level %d less base", comparedLevel(t.Ablation))
	} else {
		levels += " less base"
	}
	t.row(w, "variation", levels, levels)
}

// cells formats the figures for one kind of pairs, as dashes if they are unknown.
func (t settingTable) cells(s *eval.SettingScores) string {
	if s == nil {
		s = &eval.SettingScores{Hits: make([]score.Figure, t.Levels)}
	}
	var b strings.Builder
	for _, f := range s.Hits {
		fmt.Fprintf(&b, "%5s ", bare(f))
	}
	if k := comparedLevel(t.Ablation); len(s.Differences) >= k {
		d := differenceCell(s.Differences[k-1])
		if at, _, ok := strings.Cut(d, " ["); ok && !t.intervals {
			d = at + map[bool]string{true: "*"}[strings.HasSuffix(d, "*")]
		}
		b.WriteString(" " + d)
	}
	return b.String()
}

// differenceCell formats a difference with its interval over lists, or over queries if there is only one list.
func differenceCell(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	i := f.Interval()
	if i == nil {
		return fmt.Sprintf("%+.3f", f.Value)
	}
	mark := ""
	if i.Low > 0 || i.High < 0 {
		mark = "*"
	}
	return fmt.Sprintf("%+.3f [%+.3f %+.3f]%s", f.Value, i.Low, i.High, mark)
}
