package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

func newExplain() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "explain RUN URL URL",
		Short: "Why two pages are related, or why they are not",
		Long: `Explain opens one pair: the terms of both bags, whose smaller counts over larger counts are the similarity; the
sentences that link to each page, the link in [brackets]; how many signatures agree and in which keys the two
collide, or why they were not found.`,
		Example: `  lshclust explain RUN https://www.sqlite.org/ https://www.postgresql.org/
  lshclust explain RUN sqlite.org duckdb.org --format json`,
		Args: cobra.ExactArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat(format, formatTable, formatJSON); err != nil {
				return err
			}
			r, err := query.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			if err := r.Need(pipeline.Topical); err != nil {
				return err
			}
			a, err := r.Lookup(args[1])
			if err != nil {
				return err
			}
			b, err := r.Lookup(args[2])
			if err != nil {
				return err
			}
			x := r.Explain(a, b)
			if format == formatJSON {
				return writeJSON(os.Stdout, x)
			}
			explainTable(os.Stdout, x)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", formatTable, "table or json")
	return c
}

func explainTable(w io.Writer, x *query.Explanation) {
	for i, s := range []query.Side{x.A, x.B} {
		fmt.Fprintf(w, "%c  %s\n", 'A'+i, line(s.URL, width()-3))
		fmt.Fprintf(w, "   %s\n", line(sideLine(s), width()-3))
	}
	fmt.Fprintf(w, "\nsimilarity %.4f = %d / %d, the smaller counts over the larger ones\n\n", x.Similarity, x.SumMin, x.SumMax)
	explainTerms(w, x)
	fmt.Fprintf(w, "\nsignatures: %d of %d agree (%.3f; expected %.3f, floor %.3g)\n", x.Agreeing, x.Signatures,
		float64(x.Agreeing)/float64(max(1, x.Signatures)), x.Similarity, x.Floor)
	fmt.Fprintf(w, "keys: %s\n", line(keysLine(x), width()-6))
	fmt.Fprintf(w, "neighbours in this run: %s: %s\n", yes(x.Found), clean(x.Why))
	fmt.Fprintf(w, "in one cluster: %s\n", clusterLine(x))
	for i, s := range []query.Side{x.A, x.B} {
		fmt.Fprintf(w, "\nwhat links to %c:\n", 'A'+i)
		explainQuotes(w, s)
	}
}

func sideLine(s query.Side) string {
	crawled := "not crawled"
	if s.Crawled {
		crawled = "crawled"
	}
	if s.Title != "" {
		crawled = "“" + s.Title + "”, crawled"
	}
	return fmt.Sprintf("%s; linked from %s on %s; bag of %s with sum %d", crawled, count(s.InLinks, "page"), count(s.InHosts, "host"), count(s.Terms, "term"), s.Bag)
}

// explainTerms lists the shared terms, then what each side has alone.
func explainTerms(w io.Writer, x *query.Explanation) {
	fmt.Fprintf(w, "  %-24s %6s %6s %6s %6s %10s\n", "term", "A", "B", "min", "max", "in bags")
	alone := [2][]string{}
	sum := [2]int{}
	for _, t := range x.Terms {
		switch {
		case t.A > 0 && t.B > 0:
			fmt.Fprintf(w, "  %s %6d %6d %6d %6d %10d\n", pad(t.Word, 24), t.A, t.B, min(t.A, t.B), max(t.A, t.B), t.DF)
		case t.A > 0:
			alone[0], sum[0] = append(alone[0], fmt.Sprintf("%s %d", t.Word, t.A)), sum[0]+t.A
		default:
			alone[1], sum[1] = append(alone[1], fmt.Sprintf("%s %d", t.Word, t.B)), sum[1]+t.B
		}
	}
	for i, words := range alone {
		if len(words) > 0 {
			fmt.Fprintf(w, "  only %c: %d from %s\n", 'A'+i, sum[i], line(strings.Join(words, ", "), width()-20))
		}
	}
	fmt.Fprintf(w, "  %-24s %6d %6d %6d %6d\n", "sum", x.A.Bag, x.B.Bag, x.SumMin, x.SumMax)
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
	return fmt.Sprintf("%s (%s)", s.Cluster, clean(label.Join(s.Label)))
}

func explainQuotes(w io.Writer, s query.Side) {
	if len(s.Quotes) == 0 {
		fmt.Fprintln(w, "  nothing but its own title")
	}
	for _, q := range s.Quotes {
		fmt.Fprintf(w, "  %s\n", line(q.Source, width()-2))
		fmt.Fprintf(w, "    %s\n", sentence(q, width()-4))
	}
}

// sentence is a linking sentence on one line, the link in brackets and always visible.
func sentence(q query.Quote, n int) string {
	anchor := "[" + line(q.Anchor, n/2) + "]"
	room := n - runewidth.StringWidth(anchor) - 2
	before, after := line(q.Before, 1<<16), line(q.After, 1<<16)
	side := max(room/2, room-runewidth.StringWidth(after)) // what after leaves, half at least
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
