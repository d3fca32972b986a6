package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

func newExplain() *cobra.Command {
	x := &explaining{}
	c := &cobra.Command{
		Use:   "explain RUN URL URL",
		Short: "Why two pages are related, or why they are not",
		Long: `Explain tells why two documents are related in the topical view, or why they are not. It shows the terms of both bags; the
similarity is the sum of the smaller counts over the sum of the larger ones. It shows which words come from the page itself,
its title and its content, and the sentences that link to each page, with the link in [brackets], how many signatures agree,
and in which keys the two collide, or else why the run did not find the pair.

With --urls it explains the pair on every line of a file. json is then a list, jsonl has one explanation a line, and csv and
tsv have the figures of one pair in a row.

With --texts it shows the texts of two pages side by side instead. Words in a shingle that both pages have are plain; other
words are coloured on a terminal and in {braces} elsewhere. Equal lines are left out, except for two on each side of a
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
			if err := x.check(); err != nil {
				return err
			}
			if x.texts && (x.file != "" || x.format != formatTable) || x.all && !x.texts {
				return usage(errors.New("--texts shows the texts of two URLs on a terminal: leave out --urls and --format; --all goes with --texts"))
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			if x.texts {
				return showTexts(c.Context(), r, args[1:], x.all)
			}
			if err := r.Need(config.Topical); err != nil {
				return err
			}
			put, end := x.writer(printed, r)
			for pair, err := range x.questions(args[1:]) {
				if err != nil {
					return err
				}
				a, known := x.lookup(r, pair[0])
				b, also := x.lookup(r, pair[1])
				if known && also {
					if err := put(r.Explain(a, b)); err != nil {
						return err
					}
				}
			}
			if err := end(); err != nil {
				return err
			}
			return x.tell(r)
		},
	}
	x.batch.bind(c, 2, "two URLs a line")
	c.Flags().BoolVar(&x.texts, "texts", false, "show the texts of two pages side by side, with what they share marked")
	c.Flags().BoolVar(&x.all, "all", false, "with --texts, show all equal lines too")
	x.output.bind(c.Flags(), "")
	c.Flags().SortFlags = false
	return c
}

// explaining is the flags of explain.
type explaining struct {
	output
	batch
	texts, all bool
}

// sharedWords is the number of words that a row shows as the reason for a pair.
const sharedWords = 6

// explainColumns are the columns of a pair in csv and tsv.
var explainColumns = []string{
	"url_a", "url_b", "similarity", "sum_min", "sum_max", "signatures_agree", "signatures", "keys_collide", "keys", "found", "why",
	"same_cluster", "shared",
}

// writer returns functions that write explanations in the format.
func (x *explaining) writer(w io.Writer, r *query.Run) (put func(*query.Explanation) error, end func() error) {
	nothing := func() error { return nil }
	switch {
	case x.format == formatTable:
		n := 0
		return func(e *query.Explanation) error {
			if n++; n > 1 {
				fmt.Fprintln(w)
			}
			explainTable(w, e)
			return nil
		}, nothing
	case x.format == formatJSON && x.file == "":
		return func(e *query.Explanation) error { return writeJSON(w, e) }, nothing
	case x.format == formatJSON:
		all := []*query.Explanation{}
		return func(e *query.Explanation) error { all = append(all, e); return nil }, func() error { return writeJSON(w, all) }
	case x.format == formatJSONL:
		return func(e *query.Explanation) error { return writeLine(w, e) }, nothing
	}
	out := x.rows(w, explainColumns...)
	return func(e *query.Explanation) error {
		return out.row(e.A.URL, e.B.URL, e.Similarity, e.SumMin, e.SumMax, e.Agreeing, e.Signatures, len(e.Keys), e.AllKeys,
			e.Found, e.Why, e.Together, r.Shared(e.A.ID, e.B.ID, sharedWords))
	}, out.close
}

func explainTable(w io.Writer, x *query.Explanation) {
	w, flush := narrow(w)
	defer flush()
	for i, s := range []query.Side{x.A, x.B} {
		fmt.Fprintf(w, "%c  %s\n", 'A'+i, whole(s.URL))
		fold(w, sideLine(s), 3)
	}
	fmt.Fprintln(w)
	if x.SumMax == 0 {
		fold(w, "similarity 0: nothing is known about either of them; no link, no title and no content has a term of the run", 0)
	} else {
		fold(w, fmt.Sprintf("similarity %.4f = %d / %d: the sum of the smaller counts over that of the larger ones", x.Similarity, x.SumMin, x.SumMax), 0)
		fmt.Fprintln(w)
		explainTerms(w, x)
		explainOwn(w, x, 'A', x.A)
		explainOwn(w, x, 'B', x.B)
	}
	fmt.Fprintln(w)
	fold(w, fmt.Sprintf("signatures: %d of %d agree (%.3f; expected %.3f; a stored pair has at least %.3g)", x.Agreeing, x.Signatures,
		float64(x.Agreeing)/float64(max(1, x.Signatures)), x.Similarity, x.Floor), 0)
	fold(w, "keys: "+keysLine(x), 0)
	fold(w, fmt.Sprintf("neighbours in this run: %s: %s", yes(x.Found), x.Why), 0)
	fold(w, "in one cluster: "+clusterLine(x), 0)
	for i, s := range []query.Side{x.A, x.B} {
		fmt.Fprintf(w, "\nwhat links to %c:\n", 'A'+i)
		explainQuotes(w, s)
		explainCaptures(w, 'A'+rune(i), s)
	}
}

func sideLine(s query.Side) string {
	crawled := "not crawled"
	if len(s.Captures) > 0 {
		crawled = "captured " + count(len(s.Captures), "time")
	}
	if s.Crawled {
		crawled = "crawled"
	}
	if s.Title != "" {
		crawled = "“" + s.Title + "”, crawled"
	}
	linked := "no page links to it"
	if s.InLinks > 0 {
		linked = fmt.Sprintf("linked from %s on %s", count(s.InLinks, "page"), count(s.InHosts, "host"))
	}
	return fmt.Sprintf("%s; %s; bag of %s with sum %d%s", crawled, linked, count(s.Terms, "term"), s.Bag, fromLine(s.From))
}

// termsShown is the number of shared terms that have a row each on a terminal.
const termsShown = 20

// explainTerms lists the shared terms, then those that only one side has.
func explainTerms(w io.Writer, x *query.Explanation) {
	column := max(8, min(24, width()-42))
	fmt.Fprintf(w, "  %-*s %6s %6s %6s %6s %10s\n", column, "term", "A", "B", "min", "max", "in bags")
	alone, sum := [2][]string{}, [2]int{}
	rows := termsShown
	if !stdout().terminal {
		rows = len(x.Terms)
	}
	shared, others := 0, query.Term{}
	least, most := 0, 0 // of the others
	for _, t := range x.Terms {
		switch {
		case t.A > 0 && t.B > 0 && shared < rows:
			fmt.Fprintf(w, "  %s %6d %6d %6d %6d %10d\n", pad(t.Word, column), t.A, t.B, min(t.A, t.B), max(t.A, t.B), t.DF)
			shared++
		case t.A > 0 && t.B > 0:
			shared++
			others.A, others.B, least, most = others.A+t.A, others.B+t.B, least+min(t.A, t.B), most+max(t.A, t.B)
		case t.A > 0:
			alone[0], sum[0] = append(alone[0], fmt.Sprintf("%s %d", t.Word, t.A)), sum[0]+t.A
		default:
			alone[1], sum[1] = append(alone[1], fmt.Sprintf("%s %d", t.Word, t.B)), sum[1]+t.B
		}
	}
	if n := shared - rows; n > 0 {
		fmt.Fprintf(w, "  %-*s %6d %6d %6d %6d\n", column, fmt.Sprintf("%d more in both", n), others.A, others.B, least, most)
	}
	for i, words := range alone {
		if len(words) > 0 {
			lead := fmt.Sprintf("  only in %c, sum %d: ", 'A'+i, sum[i])
			fmt.Fprintln(w, lead+line(strings.Join(words, ", "), width()-len(lead)))
		}
	}
	fmt.Fprintf(w, "  %-*s %6d %6d %6d %6d\n", column, "sum", x.A.Bag, x.B.Bag, x.SumMin, x.SumMax)
}

func keysLine(x *query.Explanation) string {
	if len(x.Keys) == 0 {
		return fmt.Sprintf("no collision in %d keys", x.AllKeys)
	}
	var names []string
	for _, k := range x.Keys {
		names = append(names, fmt.Sprintf("%d %v", k.Number, k.Signatures))
	}
	return fmt.Sprintf("%d of %d collide: %s", len(x.Keys), x.AllKeys, strings.Join(names, ", "))
}

func clusterLine(x *query.Explanation) string {
	if x.Together {
		return "yes: " + clusterName(x.A)
	}
	return fmt.Sprintf("no: %s and %s", clusterName(x.A), clusterName(x.B))
}

func clusterName(s query.Side) string {
	if len(s.Label) == 0 {
		return s.Cluster + " (alone)"
	}
	return fmt.Sprintf("%s (%s)", s.Cluster, harmless.Cell(label.Join(s.Label)))
}

func explainQuotes(w io.Writer, s query.Side) {
	if len(s.Quotes) == 0 {
		if s.Terms == 0 {
			fmt.Fprintln(w, "  no link")
		} else {
			fmt.Fprintln(w, "  no link; its bag comes from the page itself")
		}
	}
	for _, q := range s.Quotes {
		source, _ := stdout().cutURL(q.Source, width()-2)
		fmt.Fprintf(w, "  %s\n", source)
		fmt.Fprintf(w, "    %s\n", sentence(q, width()-4))
	}
}

// sentence returns a linking sentence on one line, with the link in brackets. On a terminal it is cut to n columns
// around the link.
func sentence(q query.Quote, n int) string {
	if !stdout().terminal {
		n = 1 << 30
	}
	anchor := "[" + line(q.Anchor, n/2) + "]"
	room := n - runewidth.StringWidth(anchor) - 2
	before, after := whole(q.Before), whole(q.After)
	side := max(room/2, room-runewidth.StringWidth(after)) // what after leaves, but at least half
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
