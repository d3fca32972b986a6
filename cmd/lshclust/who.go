package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/query"
)

// asking is the flags of query --by host.
type asking struct {
	output
	query.WhoOptions
}

// answer asks the run at path and writes who has the text.
func (f *asking) answer(ctx context.Context, path, arg string) error {
	r, err := openEither(path)
	if err != nil {
		return err
	}
	defer r.Close()
	name, who, err := f.ask(ctx, r, arg)
	if err != nil {
		return err
	}
	if who.Size == 0 {
		return &exit{code: exitCondition, err: fmt.Errorf("%s has no words, so that nothing can be found", name)}
	}
	return f.write(printed, r, name, who)
}

// ask asks about a file, standard input, or a page of the run.
func (f *asking) ask(ctx context.Context, r *query.Run, arg string) (name string, who *query.Holders, err error) {
	if isFile(arg) {
		page, err := readDocument(ctx, arg)
		if err != nil {
			return arg, nil, err
		}
		text, err := r.VisibleText(page)
		if err != nil {
			return arg, nil, err
		}
		who, err = r.Who(text, f.WhoOptions)
		return arg, who, err
	}
	id, err := pageOf(r, arg)
	if err != nil {
		return arg, nil, err
	}
	name = r.Document(id).URL
	var text []byte
	if f.Passages > 0 && r.SketchFile() == "" {
		if text, err = textOf(ctx, r, id); ctx.Err() != nil {
			return name, nil, err
		}
		if err != nil && !errors.Is(err, query.ErrUnknown) {
			say("note: passages cannot be shown: %s", whole(err.Error()))
		}
	}
	who, err = r.WhoHas(id, text, f.WhoOptions)
	return name, who, err
}

// textOf reads the visible text of a page from the inputs of the run.
func textOf(ctx context.Context, r *query.Run, id uint32) ([]byte, error) {
	pages, err := r.Pages(ctx, id)
	if err != nil {
		return nil, err
	}
	return r.VisibleText(&pages[0])
}

// write writes the answer in the format that the flags ask for.
func (f *asking) write(w io.Writer, r *query.Run, name string, who *query.Holders) error {
	said := certainty(who.Certainty, r.Config.Shingle)
	if f.format == formatTable {
		if name == "-" {
			name = "standard input"
		}
		fmt.Fprintln(w, whole(name))
		fold(w, count(who.Size, "distinct shingle")+"; "+said, 2)
		f.table(w, r, who)
		return nil
	}
	say("note: %s", said)
	columns := []string{"query", "host", "url", "relation", "resemblance", "of_this", "of_other", "time", "copies", "last_time", "shared", "passages"}
	if r.Config.Sketched() {
		columns = append(columns, "samples", "std_error")
	}
	rows := f.rows(w, columns...)
	untold := r.NeedContainment() != nil
	for _, h := range who.Hosts {
		for _, x := range h.Holders {
			row := []any{name, h.Host, x.URL, x.Relation, x.Resemblance, x.OfThis, x.OfOther, orNull(moment(x.From)), x.Copies, orNull(moment(x.To)), x.Shared, passageTexts(x)}
			if untold {
				row[5], row[6] = nil, nil
			}
			if r.Config.Sketched() {
				row = append(row, x.Samples, x.StdErr)
			}
			if err := rows.row(row...); err != nil {
				return err
			}
		}
	}
	return rows.close()
}

// passageTexts returns the texts of the passages of a page, each on one line.
func passageTexts(x query.Holder) []string {
	out := []string{}
	for _, p := range x.Passages {
		out = append(out, strings.Join(strings.Fields(p.Text), " "))
	}
	return out
}

// moment returns a time in UTC, "" for the zero time.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

// day returns the day of a time, "-" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

func (f *asking) table(w io.Writer, r *query.Run, who *query.Holders) {
	out, flush := narrow(w)
	defer flush()
	if len(who.Hosts) == 0 {
		fmt.Fprintln(out, "  nobody has it or a part of it")
		return
	}
	fmt.Fprintf(out, "  %s %s it or a part of it: %s\n", count(who.AllHosts, "host"), has(who.AllHosts), textsAndCopies(who.Texts, who.Copies))
	for _, h := range who.Hosts {
		fmt.Fprintf(out, "\n%s\n", whole(h.Host))
		fold(w, textsAndCopies(h.Texts, h.Copies)+fetched(h.From, h.To), 2)
		f.host(w, out, r.NeedContainment() != nil, h)
	}
	if more := who.AllHosts - len(who.Hosts); more > 0 {
		fmt.Fprintf(out, "\nand %s; --limit N shows more\n", count(more, "host"))
	}
}

// has returns the verb for n subjects.
func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// textsAndCopies puts into words how many pages there are.
func textsAndCopies(texts, copies int) string {
	if copies == 0 {
		return count(texts, "page")
	}
	if copies == 1 {
		return count(texts, "page") + " and 1 identical copy"
	}
	return fmt.Sprintf("%s and %d identical copies", count(texts, "page"), copies)
}

// fetched puts into words when pages were fetched.
func fetched(from, to time.Time) string {
	switch a, b := day(from), day(to); {
	case from.IsZero():
		return ""
	case a == b:
		return ", fetched on " + a
	default:
		return ", fetched from " + a + " to " + b
	}
}

// host writes the pages of a host as a table, which is folded through out.
func (f *asking) host(w, out io.Writer, untold bool, h query.HoldingHost) {
	const before = 37 // columns of the figures
	fmt.Fprintf(out, "  %7s  %7s  %-10s %6s  %s\n", "of text", "of page", "date", "copies", "url")
	urls := make([]string, len(h.Holders))
	for i, x := range h.Holders {
		urls[i] = x.URL
	}
	urls = stdout().lastColumn(urls, before)
	for i, x := range h.Holders {
		of, page := portion(x.OfThis), portion(x.OfOther)
		if untold && x.Estimated {
			of, page = "-", "-"
		}
		fmt.Fprintln(out, joined(fmt.Sprintf("  %7s  %7s  %-10s %6d", of, page, day(x.From), x.Copies), urls[i]))
		for _, p := range x.Passages {
			stdout().fold(w, fmt.Sprintf("“%s” (%s)", shortened(p.Text), count(p.Words, "word")), 6, 7)
		}
	}
	if more := h.Texts - len(h.Holders); more > 0 {
		fmt.Fprintf(out, "  and %s of this host; --pages N shows more\n", count(more, "page"))
	}
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
