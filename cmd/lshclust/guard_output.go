package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Formats of guard only.
const (
	formatSARIF    = "sarif"
	formatMarkdown = "markdown"
)

func (f *guarding) write(a *ask.GuardAnswer) error {
	switch f.format {
	case formatSARIF:
		return writeJSON(sarif("guard", meaning, faultsOf(a), f.failOn))
	case formatMarkdown:
		f.markdown(printed, a)
		return nil
	}
	return show(f.output, a, f.table)
}

// summary says how many URLs lead where.
func summary(a *ask.GuardAnswer) string {
	return fmt.Sprintf("%d of %s lost: %d there, %d redirected, %d gone for good; %s", a.Lost, count(a.Known, "known URL"), a.There, a.Redirected, a.Gone, count(a.Rules, "rule"))
}

// meaning says what the findings of each kind are.
var meaning = map[string]string{
	string(rules.Missing):     "known URLs without a page and without a rule",
	string(rules.Dead):        "rules that lead to no page",
	string(rules.Loop):        "rules that lead back, or on and on",
	string(rules.Anchor):      "known parts of pages that are not there",
	string(rules.Chain):       "rules that lead to a URL that is redirected again",
	string(rules.Shadow):      "rules that hide pages",
	string(rules.Superfluous): "rules that do nothing",
	string(rules.Unread):      "lines that cannot be read",
}

// eachKind calls f with the findings of each kind, at most f.Limit of them, and the number of the others.
func (f *guarding) eachKind(a *ask.GuardAnswer, do func(kind rules.Kind, found []ask.GuardFinding, more int)) {
	rest := a.Items
	for _, kind := range rules.Kinds {
		if n := a.Counts[string(kind)]; n > 0 {
			do(kind, rest[:min(n, f.Limit)], max(0, n-f.Limit))
			rest = rest[n:]
		}
	}
}

// filePlace is where a finding is: the file and the line.
func filePlace(x *ask.GuardFinding) string {
	if x.Line == 0 {
		return x.File
	}
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}

// proposal says where a URL should lead.
func proposal(x *ask.GuardFinding) string {
	switch {
	case x.How == "gone":
		return "no new place is known"
	case x.NewURL == "":
		return ""
	case x.Confidence == 0:
		return "perhaps " + x.NewURL + " (" + x.How + ")"
	}
	return fmt.Sprintf("%s (%s, %s sure)", x.NewURL, x.How, strings.TrimSpace(sure(x.Confidence)))
}

// reason says what is wrong, and what the finding depends on.
func reason(x *ask.GuardFinding) string {
	if x.Unsure == "" {
		return x.Why
	}
	return x.Why + "; " + x.Unsure
}

func (f *guarding) table(w io.Writer, a *ask.GuardAnswer) {
	fold(w, summary(a)+"."+a.Said(), 0)
	f.eachKind(a, func(kind rules.Kind, found []ask.GuardFinding, more int) {
		fmt.Fprintf(w, "\n%s (%d): %s\n", kind, a.Counts[string(kind)], meaning[string(kind)])
		for i := range found {
			x := &found[i]
			place, lines := filePlace(x), []string{x.Why, x.Unsure}
			if x.Plain() {
				lines[0] = ""
			}
			if p := proposal(x); p != "" {
				lines = append(lines, "→ "+p)
			}
			if x.Confidence >= f.Min {
				lines = append(lines, x.Rule)
			}
			pageFinding(w, "", strings.TrimSpace(place+" "+stdout().cutURL(x.URL, width()-len(place)-2*len(gap))), lines...)
		}
		if more > 0 {
			fmt.Fprintf(w, "  and %d more\n", more)
		}
	})
}

// mdCell makes text a part of a line of Markdown that is shown as it is.
func mdCell(s string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "\\|").Replace(whole(s)) + "`"
}

func (f *guarding) markdown(w io.Writer, a *ask.GuardAnswer) {
	fmt.Fprintf(w, "### URLs of the site\n\n%s.\n", summary(a))
	f.eachKind(a, func(kind rules.Kind, found []ask.GuardFinding, more int) {
		fmt.Fprintf(w, "\n**%s** (%d): %s\n\n| where | URL | what | rule to add or change |\n| --- | --- | --- | --- |\n", kind, a.Counts[string(kind)], meaning[string(kind)])
		for i := range found {
			x := &found[i]
			should := proposal(x)
			if x.Rule != "" && x.Confidence >= f.Min {
				should = mdCell(x.Rule) + fmt.Sprintf(" (%.2f)", x.Confidence)
			} else if should != "" {
				should = mdCell(should)
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", mdCell(filePlace(x)), mdCell(x.URL), mdCell(reason(x)), should)
		}
		if more > 0 {
			fmt.Fprintf(w, "\nand %d more\n", more)
		}
	})
}

// fault is a finding for code scanning.
type fault struct {
	kind, said, file string
	line             int
}

// sarif returns a log of SARIF 2.1.0. Findings of the kinds in failOn are errors, others are warnings.
func sarif(command string, meaning map[string]string, faults []fault, failOn []string) any {
	type object = map[string]any
	text := func(s string) object { return object{"text": whole(s)} }
	kinds, results := []object{}, []object{}
	for _, kind := range slices.Sorted(maps.Keys(meaning)) {
		kinds = append(kinds, object{"id": kind, "shortDescription": text(meaning[kind])})
	}
	for _, x := range faults {
		level := "warning"
		if slices.Contains(failOn, x.kind) {
			level = "error"
		}
		at := object{"artifactLocation": object{"uri": strings.ReplaceAll(x.file, `\`, "/")}, "region": object{"startLine": max(1, x.line)}}
		results = append(results, object{"ruleId": x.kind, "level": level, "message": text(x.said), "locations": []object{{"physicalLocation": at}}})
	}
	tool := object{"driver": object{"name": "lshclust " + command, "rules": kinds}}
	return object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []object{{"tool": tool, "results": results}}}
}

// faultsOf returns the findings of guard for code scanning.
func faultsOf(a *ask.GuardAnswer) (out []fault) {
	for i := range a.Items {
		x := &a.Items[i]
		said := strings.TrimSpace(x.URL + ": " + reason(x))
		if p := proposal(x); p != "" {
			said += "; → " + p
		}
		out = append(out, fault{x.Kind, said, x.File, x.Line})
	}
	return out
}
