package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/runs"
)

func newExplain() *cobra.Command {
	x := &explaining{Explain: ask.Explain{Terms: math.MaxInt, Window: everything}}
	c := &cobra.Command{
		Use:   "explain RUN URL URL",
		Short: "Why two pages are related, or why they are not",
		Long: `Explain shows why two documents are related in the topical view, or why they are not. It shows the terms of both bags; the
similarity is the sum of the smaller counts over the sum of the larger ones. It shows which words stand around links and
which are the page's own, with the similarity of each field, the sentences that link to each page, with the link in
[brackets], how many signatures agree, and in which keys the two collide, or else why the run did not find the pair.

With --urls it explains the pair on every line of a file. json is then a list, jsonl has one explanation a line, and csv and
tsv have the figures of one pair in a row.

With --texts it shows the texts of two pages line by line instead: - begins a line of the first page, + one of the second.
Words in no shingle that both pages have are in {braces}. Equal lines are left out, except for two on each side of a
difference, unless --all is given. The texts are read from the inputs of the run, which must still be in the same place.

In a run with all captures (cluster --captures all), a time after # names a capture: URL#2024-05. A plain URL lists its captures.`,
		Example: `  lshclust explain RUN https://www.sqlite.org/ https://www.postgresql.org/
  lshclust explain RUN sqlite.org duckdb.org --format json
  lshclust explain RUN https://example.org/a.html https://example.org/b.html --texts
  lshclust explain RUN --urls pairs.txt --format csv > explained.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 3 || len(args) == 1 && x.file != "" {
				return nil
			}
			return errors.New("wrong number of arguments")
		},
		RunE: func(c *cobra.Command, args []string) error {
			if x.All && !x.Texts {
				return usage(errors.New("--all goes with --texts"))
			}
			table := explainTable
			if x.Texts {
				table = x.textsTable
			}
			return withRun(args[0], func(r *runs.Run) error {
				return answerEach(c.Context(), &x.batch, x.output, r, args[1:], func(urls []string) (*ask.ExplainAnswer, error) {
					q := x.Explain
					q.A, q.B = urls[0], urls[1]
					return q.Ask(c.Context(), r)
				}, table)
			})
		},
	}
	x.batch.bind(c, 2, "two URLs a line")
	bindQuestion(c.Flags(), x, "limit")
	x.output.bind(c.Flags(), "")
	return c
}

// explaining holds the flags of explain.
type explaining struct {
	output
	batch
	ask.Explain
	All bool `doc:"with --texts, show all equal lines too"`
}

func explainTable(w io.Writer, x *ask.ExplainAnswer) {
	fold(w, inShort(x), 0)
	fmt.Fprintln(w)
	sides := []ask.ExplainSide{x.A, x.B}
	for i, s := range sides {
		fmt.Fprintf(w, "%c  %s\n", 'A'+i, whole(s.Document.URL))
		fold(w, sideLine(s), 3)
	}
	fmt.Fprintln(w)
	if x.SumMax == 0 {
		fold(w, "similarity 0: nothing is known about either of them; no link, no title and no content has a term of the run", 0)
	} else {
		fold(w, fmt.Sprintf("similarity %.4f = %d / %d: the sum of the smaller counts over that of the larger ones", x.Similarity, x.SumMin, x.SumMax), 0)
		for _, p := range []struct {
			name string
			topics.Field
		}{{"links", x.Links}, {"content", x.Content}} {
			if x.Links.SumMax > 0 && x.Content.SumMax > 0 {
				fmt.Fprintf(w, "  %-8s %.4f = %d / %d\n", p.name, p.Similarity, p.SumMin, p.SumMax)
			}
		}
		fmt.Fprintln(w)
		explainTerms(w, x)
	}
	fmt.Fprintln(w)
	fold(w, fmt.Sprintf("signatures: %d of %d agree (%.3f; expected %.3f; a stored pair has at least %.3g)", x.Agreeing, x.Signatures,
		float64(x.Agreeing)/float64(max(1, x.Signatures)), x.Similarity, x.Floor), 0)
	fold(w, "keys: "+keysLine(x), 0)
	fold(w, fmt.Sprintf("neighbours in this run: %s: %s", yes(x.Found), x.Why), 0)
	explainNeighbours(w, x)
	if x.Together {
		fold(w, "in one cluster: yes: "+clusterName(x.A.Cluster), 0)
	} else {
		fold(w, fmt.Sprintf("in one cluster: no: %s and %s", clusterName(x.A.Cluster), clusterName(x.B.Cluster)), 0)
	}
	for i, s := range sides {
		fmt.Fprintf(w, "\nwhat links to %c:\n", 'A'+i)
		explainQuotes(w, s)
		if len(s.Captures) > 0 { // a plain URL also names the document that links point at
			fmt.Fprintf(w, "\ncaptures of %c, each a separate document:\n", 'A'+i)
			captureList(w, stdout(), s.Captures)
		}
	}
}

// inShort answers in a sentence whether two documents are related, and why.
func inShort(x *ask.ExplainAnswer) string {
	related, words := "Not related", "no words in common"
	switch {
	case x.Similarity >= 0.2:
		related, words = "Related", "similar words"
	case x.Similarity >= 0.05:
		related, words = "Hardly related", "few words in common"
	case x.Similarity > 0:
		words = "very few words in common"
	}
	linked := "no page links to both"
	if x.LinkedBy > 0 {
		linked = count(x.LinkedBy, "page") + plural(x.LinkedBy, " links", " link") + " to both"
	}
	texts := ""
	switch t := x.Texts; {
	case t == nil:
	case t.Resemblance >= 0.5:
		texts = fmt.Sprintf("; their texts are alike (%s)", portion(t.Resemblance))
	case max(t.AInB, t.BInA) >= 0.5:
		texts = "; one text holds much of the other"
	default:
		texts = "; their texts differ"
	}
	return fmt.Sprintf("%s: %s (similarity %.2f); %s%s.", related, words, x.Similarity, linked, texts)
}

// neighboursShown is the number of common neighbours that are named.
const neighboursShown = 3

func explainNeighbours(w io.Writer, x *ask.ExplainAnswer) {
	text := fmt.Sprintf("shared neighbours: %.4f: %d in common", x.Neighbours, x.AllCommon)
	if named := x.Common[:min(len(x.Common), neighboursShown)]; len(named) > 0 {
		text += ", first " + strings.Join(named, ", ")
	}
	fold(w, whole(text), 0)
	fold(w, fmt.Sprintf("relatedness, the order of related pages: %.4f = %.4f similarity + 0.1 × %.4f cosine of the logarithms of counts + 0.2 × %.4f shared neighbours",
		x.Relatedness, x.Similarity, x.Cosine, x.Neighbours), 0)
}

func sideLine(s ask.ExplainSide) string {
	d, crawled := s.Document, "not crawled"
	switch {
	case d.Title != "":
		crawled = "“" + d.Title + "”, crawled"
	case d.Crawled:
		crawled = "crawled"
	case len(s.Captures) > 0:
		crawled = "captured " + count(len(s.Captures), "time")
	}
	return fmt.Sprintf("%s; %s; bag of %s with sum %d%s", crawled, linksTo(int(d.InLinks), int(d.InHosts)), count(s.Terms, "term"),
		s.Bag, fromLine(s.From))
}

// fromLine says how much of a bag comes from which source, unless all of it comes from links.
func fromLine(s ask.BagFrom) string {
	switch {
	case s.Content == 0:
		return ""
	case s.Links == 0:
		return ", all from its own words"
	}
	return fmt.Sprintf(", %d from links, %d from its own words", s.Links, s.Content)
}

// termsShown is the number of shared terms that get a row on a terminal.
const termsShown = 20

// explainTerms lists the shared terms, then the terms of one side only.
func explainTerms(w io.Writer, x *ask.ExplainAnswer) {
	column := max(8, min(24, width()-51))
	fmt.Fprintf(w, "  %-*s %6s %6s %6s %6s %10s  %s\n", column, "term", "A", "B", "min", "max", "in bags", "field")
	alone := [2]map[string]int64{{}, {}}
	rows := termsShown
	if !stdout().terminal {
		rows = len(x.Terms)
	}
	shared, others := 0, topics.Term{}
	least, most := 0, 0 // among the terms without a row
	for _, t := range x.Terms {
		switch {
		case t.A > 0 && t.B > 0 && shared < rows:
			fmt.Fprintf(w, "  %s %6d %6d %6d %6d %10d  %s\n", pad(t.Word, column), t.A, t.B, min(t.A, t.B), max(t.A, t.B), t.DF, t.Field)
			shared++
		case t.A > 0 && t.B > 0:
			shared++
			others.A, others.B, least, most = others.A+t.A, others.B+t.B, least+min(t.A, t.B), most+max(t.A, t.B)
		case t.A > 0:
			alone[0][t.Word] += int64(t.A)
		default:
			alone[1][t.Word] += int64(t.B)
		}
	}
	if n := shared - rows; n > 0 {
		fmt.Fprintf(w, "  %-*s %6d %6d %6d %6d\n", column, fmt.Sprintf("%d more in both", n), others.A, others.B, least, most)
	}
	for i, words := range alone {
		if len(words) > 0 {
			sum := int64(0)
			for _, n := range words {
				sum += n
			}
			lead := fmt.Sprintf("  only in %c, sum %d: ", 'A'+i, sum)
			fmt.Fprintln(w, lead+detail(tallied(words, len(words)), len(lead)))
		}
	}
	fmt.Fprintf(w, "  %-*s %6d %6d %6d %6d\n", column, "sum", x.A.Bag, x.B.Bag, x.SumMin, x.SumMax)
}

func keysLine(x *ask.ExplainAnswer) string {
	if x.Keys == 0 {
		return fmt.Sprintf("no collision in %d keys", x.AllKeys)
	}
	var names []string
	for _, k := range x.EqualKeys {
		names = append(names, fmt.Sprintf("%d %v", k.Number, k.Signatures))
	}
	return fmt.Sprintf("%d of %d collide: %s", x.Keys, x.AllKeys, strings.Join(names, ", "))
}

func clusterName(c *topics.TopicalMembership) string {
	if c.Label == "" {
		return c.ID + " (alone)"
	}
	return fmt.Sprintf("%s (%s)", c.ID, harmless.Cell(c.Label))
}

func explainQuotes(w io.Writer, s ask.ExplainSide) {
	switch {
	case len(s.Quotes) == 0 && s.Terms == 0:
		fmt.Fprintln(w, "  no link")
	case len(s.Quotes) == 0:
		fmt.Fprintln(w, "  no link; its bag comes from the page itself")
	}
	for _, q := range s.Quotes {
		fmt.Fprintf(w, "  %s\n    %s\n", stdout().cutURL(q.Source, width()-2), sentence(q, width()-4))
	}
}

// sentence returns a linking sentence as one line, with the link in brackets. On a terminal it is cut to n columns
// around the link.
func sentence(q runs.Quote, n int) string {
	if !stdout().terminal {
		n = 1 << 30
	}
	anchor := "[" + line(q.Anchor, n/2) + "]"
	room := n - runewidth.StringWidth(anchor) - 2
	before, after := whole(q.Before), whole(q.After)
	side := max(room/2, room-runewidth.StringWidth(after)) // what after leaves free, but at least half
	if w := runewidth.StringWidth(before); w > side {
		before = "…" + runewidth.TruncateLeft(before, w-side+1, "")
	}
	after = line(after, room-runewidth.StringWidth(before))
	if before != "" && !strings.HasSuffix(before, "(") {
		before += " "
	}
	if after != "" && !strings.ContainsRune(",.;:!?)", []rune(after)[0]) {
		after = " " + after
	}
	return before + anchor + after
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
