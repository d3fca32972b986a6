package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/answer"
)

// table lists pages or, by host, the pages of each host.
func (f *asking) table(w io.Writer, a *answer.QueryAnswer) {
	name := a.Query
	if name == "-" {
		name = "standard input"
	}
	fmt.Fprintln(w, whole(name))
	fold(w, count(a.Certainty.Shingles, "distinct shingle")+"; "+a.Certainty.Words, 2)
	out, flush := narrow(w)
	defer flush()
	switch {
	case len(a.Items) == 0 && f.ByHost:
		fmt.Fprintln(out, "  nobody has it or a part of it")
		return
	case len(a.Items) == 0:
		fmt.Fprintln(out, "  no page found")
		return
	case !f.ByHost:
		queryRows(w, out, a.Items)
		return
	}
	copies := ""
	if a.Copies > 0 {
		copies = fmt.Sprintf("; identical copies on the same host: %d", a.Copies)
	}
	fmt.Fprintf(out, "  %s on %s%s\n", count(a.Texts, "page"), count(a.Hosts, "host"), copies)
	hosts := 0
	for rest := a.Items; len(rest) > 0; hosts++ {
		first, n := rest[0], 1
		for n < len(rest) && rest[n].Host == first.Host {
			n++
		}
		fmt.Fprintf(out, "\n%s\n", whole(first.Host))
		queryRows(w, out, rest[:n])
		if more := first.HostPages - n; more > 0 {
			fmt.Fprintf(out, "  and %s of this host; --pages N shows more\n", count(more, "page"))
		}
		rest = rest[n:]
	}
	if more := a.Hosts - hosts; more > 0 {
		fmt.Fprintf(out, "\nand %s; --limit N shows more\n", count(more, "host"))
	}
}

// queryRows writes pages as a table, which is folded through out.
func queryRows(w, out io.Writer, items []answer.QueryItem) {
	const before = 55 // columns of the figures
	urls := make([]string, len(items))
	for i, x := range items {
		urls[i] = x.URL
	}
	urls = stdout().lastColumn(urls, before)
	fmt.Fprintf(out, "  %-9s  %11s  %7s  %7s  %-10s  url\n", "relation", "resemblance", "of text", "of page", "date")
	for i, x := range items {
		of, page, fetched, resemblance := "-", "-", "-", fmt.Sprintf("%.4f", x.Resemblance)
		if x.OfThis != nil {
			of, page = portion(*x.OfThis), portion(*x.OfOther)
		}
		if x.Time != nil {
			fetched = day(*x.Time)
		}
		if x.Samples > 0 {
			resemblance = fmt.Sprintf("%.3f±%.3f", x.Resemblance, x.StdErr)
		}
		fmt.Fprintln(out, joined(fmt.Sprintf("  %-9s  %11s  %7s  %7s  %-10s", x.Relation, resemblance, of, page, fetched), urls[i]))
		if x.Copies > 0 {
			fmt.Fprintf(out, "      identical copies on this host: %d\n", x.Copies)
		}
		for _, p := range x.Passages {
			stdout().fold(w, fmt.Sprintf("“%s” (%s)", shortened(p.Text), count(p.Words, "word")), 6, 7)
		}
	}
}

// day returns the day of a time, "-" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

// portion formats a share. Only the whole is 100 %.
func portion(share float64) string {
	if share < 1 {
		share = min(share, 0.9994)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// shortened returns a passage on one line, without its middle if it is long.
func shortened(text string) string {
	const most, ends = 40, 18 // words
	words := strings.Fields(text)
	if len(words) > most {
		words = append(append(words[:ends:ends], "…"), words[len(words)-ends:]...)
	}
	return strings.Join(words, " ")
}
