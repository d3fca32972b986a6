package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
)

func (f *ablation) write(w io.Writer, all []*eval.Ablation) error {
	if done, err := writeWhole(w, f.format, all, ablationTable); done {
		return err
	}
	out := newRowWriter(w, f.format, "gold", "half", "variation", "colinked", "figure", "value", "n", "low", "high", "list_low", "list_high")
	for _, a := range all {
		for _, r := range a.Rows {
			if err := ablationRows(out, a, r); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// ablationRows writes one figure a row; what is undefined is empty, null in JSON.
func ablationRows(out *rowWriter, a *eval.Ablation, r eval.AblationRow) error {
	put := func(colinked, name string, f eval.Figure) error {
		row := []any{a.Gold, a.Half.String(), r.Name, colinked, name, number(f), f.N, nil, nil, nil, nil}
		for i, interval := range []*eval.Interval{f.Queries, f.Lists} {
			if interval != nil {
				row[7+2*i], row[8+2*i] = interval.Low, interval.High
			}
		}
		return out.row(row...)
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
			figures []eval.Figure
		}{{"hit", s.Hits}, {"difference", s.Differences}} {
			for k, f := range x.figures {
				if err := put(colinked, fmt.Sprint(x.name, k+1), f); err != nil {
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

// whatFor says what figures of a half may be used for.
var whatFor = map[eval.Half]string{
	eval.All:  "all targets are queries: of figures by which settings are chosen and of those that are reported, ask for the halves dev and test",
	eval.Dev:  "half dev: to choose settings by",
	eval.Test: "half test: for reporting, not for choosing; settings chosen by it have no held-out figures any more",
}

// comparedLevel is the level of the difference that people are shown: the second, or the only one.
func comparedLevel(a *eval.Ablation) int { return min(2, a.Levels) }

// ablationTable is the figures for people.
func ablationTable(w io.Writer, a *eval.Ablation) {
	fmt.Fprintf(w, "%s: %d of %s in the inputs, %d in %s as queries\n", line(a.Gold, 60), a.Known, count(a.Targets, "target"), a.Queries, count(a.Lists, "list"))
	fmt.Fprintf(w, "%s\n", whatFor[a.Half])
	names := 9
	for _, r := range a.Rows {
		names = max(names, len(r.Name))
	}
	head := ""
	for k := range a.Levels {
		head += fmt.Sprintf(" %5s", fmt.Sprintf("hit %d", k+1))
	}
	head += fmt.Sprintf("  %-23s", fmt.Sprintf("level %d less base", comparedLevel(a)))
	fmt.Fprintf(w, "%-*s  %-*s  without co-linked pairs\n", names, "", len(head)-1, "all pairs")
	fmt.Fprintf(w, "%-*s %s %s\n", names, "variation", head, strings.TrimRight(head, " "))
	for _, r := range a.Rows {
		row := fmt.Sprintf("%-*s ", names, line(r.Name, names)) + settingCells(a, &r.All) + " " + settingCells(a, r.Apart)
		fmt.Fprintln(w, strings.TrimRight(row, " "))
	}
}

// settingCells is the figures of one kind of pairs, dashes where they are not known.
func settingCells(a *eval.Ablation, s *eval.SettingScores) string {
	if s == nil {
		s = &eval.SettingScores{Hits: make([]eval.Figure, a.Levels)}
	}
	var b strings.Builder
	for _, f := range s.Hits {
		fmt.Fprintf(&b, " %5s", bare(f))
	}
	d := ""
	if k := comparedLevel(a); len(s.Differences) >= k {
		d = differenceCell(s.Differences[k-1])
	}
	fmt.Fprintf(&b, "  %-23s", d)
	return b.String()
}

// differenceCell is a difference with its interval over lists, or over queries if there is one list.
func differenceCell(f eval.Figure) string {
	if !f.Defined() {
		return "-"
	}
	i := f.Lists
	if i == nil {
		i = f.Queries
	}
	if i == nil {
		return fmt.Sprintf("%+.3f", f.Value)
	}
	mark := ""
	if i.Low > 0 || i.High < 0 {
		mark = "*"
	}
	return fmt.Sprintf("%+.3f [%+.3f %+.3f]%s", f.Value, i.Low, i.High, mark)
}
