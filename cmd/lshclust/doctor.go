package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/doctor"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/spf13/cobra"
)

func newDoctor() *cobra.Command {
	var (
		o       output
		columns []string
		in      = crawl.Options{MaxPage: 16 << 20, Memory: pipeline.DefaultMemory}
	)
	c := &cobra.Command{
		Use:   "doctor FILE...",
		Short: "What input files contain, what is wrong with them, and what to do",
		Long: `Doctor reads inputs as lshclust cluster does, but builds no run. For each input it says what kind of file it is, what it
contains (types of records, media types, charsets, compression, captures and distinct URLs, dates, links), what is damaged and
where, what a run would leave out, and what to do about it. It examines every crawl file of a folder; - is standard input.

It exits with 3 if a part of an input is unreadable or something was left out that may be wanted, with 1 if an input holds no page and no link, and otherwise with 0.`,
		Example: `  lshclust doctor crawl.warc.gz
  lshclust doctor downloads/ && lshclust cluster -o RUN downloads/
  lshclust doctor --map url=metadata.source --map text=body pages.parquet
  lshclust doctor --format jsonl *.warc.gz | jq -r 'select(.verdict != "sound") | .file'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if in.MaxPage > config.LargestPage {
				return usage(fmt.Errorf("--max-page %s: must be at most %s", config.FormatSize(in.MaxPage), config.FormatSize(config.LargestPage)))
			}
			var err error
			if in.Map, err = crawl.ParseMap(columns...); err != nil {
				return usage(err)
			}
			in.Expanded = true
			limitMemory(in.Memory)
			return examine(c, args, o, in)
		},
	}
	f := c.Flags()
	oneOf(f, &o.format, "format", formatTable, everyFormat[:3], "`FORMAT` of the output")
	f.StringVar(&in.Base, "base", "", "`URL` of the top of a folder of HTML")
	f.StringArrayVar(&columns, "map", nil, "read a field from a column of a table or of JSON whose name is not recognised: `FIELD=COLUMN`; may be given several times")
	f.Var((*byteSize)(&in.Memory), "memory", "keep to this much memory")
	f.Var((*byteSize)(&in.MaxPage), "max-page", "read at most `SIZE` of a page, and leave out the rest")
	return c
}

func examine(c *cobra.Command, args []string, to output, o crawl.Options) error {
	files, left, err := crawl.Expand(args, o.Map)
	if err != nil {
		return err
	}
	for _, skip := range left {
		say("left out: %v", skip)
	}
	if slices.Contains(files, "-") {
		undo, err := interruptibleStdin(c.Context())
		if err != nil {
			return err
		}
		defer undo()
	}
	verdicts := map[doctor.Verdict]int{}
	o.Archives = files
	put, end := answers(to, true, reportTable)
	for _, file := range files {
		r, err := doctor.Examine(c.Context(), file, o)
		if little := (*crawl.MemoryError)(nil); errors.As(err, &little) {
			err = fmt.Errorf("%w; give --memory %dMiB", err, doctor.MemoryFor(little)>>20)
		}
		if err := cmp.Or(c.Context().Err(), err); err != nil { // an interrupt closes standard input, which would look like damage
			return errors.Join(err, end())
		}
		verdicts[r.Verdict]++
		if err := put(r); err != nil {
			return errors.Join(err, end())
		}
	}
	if err := end(); err != nil {
		return err
	}
	if len(files) > 1 {
		fmt.Fprintf(os.Stderr, "%s: %d sound, %d doubtful, %d damaged, %d without a page or a link\n",
			count(int64(len(files)), "input"), verdicts[doctor.Sound], verdicts[doctor.Doubtful], verdicts[doctor.Damaged], verdicts[doctor.Nothing])
	}
	return verdict(verdicts)
}

// verdict returns the error that sets the exit code. The reports explain it.
func verdict(n map[doctor.Verdict]int) error {
	switch {
	case n[doctor.Damaged] > 0:
		return &exit{exitSkipped, true, errors.New("some input is damaged")}
	case n[doctor.Doubtful] > 0:
		return &exit{exitSkipped, true, errors.New("something was left out that may be wanted")}
	case n[doctor.Nothing] > 0:
		return &exit{exitCondition, true, errors.New("an input holds no page and no link")}
	}
	return nil
}

// reportTable writes a report as a table.
func reportTable(w io.Writer, r *doctor.Report) {
	what := ": " + whole(whatItIs(r))
	fmt.Fprintf(w, "%s%s\n", stdout().cutPath(r.File, width()-len(what)), what)
	row := func(name, what string) {
		if what != "" {
			fmt.Fprintf(w, "  %-10s %s\n", name, detail(what, 13))
		}
	}
	row("verdict", verdictText(r))
	if r.Records > 0 {
		row("records", strings.TrimSuffix(fmt.Sprintf("%d: %s", r.Records, tallied(r.Types, 8)), ": "))
	}
	if r.Pages > 0 {
		row("pages", captures(r))
	}
	if r.Sources > 0 {
		row("linking", fmt.Sprintf("%s without a text: the input has only their links", count(r.Sources, "record")))
	}
	if r.Links > 0 {
		row("links", fmt.Sprint(r.Links))
	}
	if r.FirstTime != "" {
		row("fetched", strings.Join(slices.Compact([]string{r.FirstTime, r.LastTime}), " to "))
	}
	row("status", tallied(r.Status, 8))
	row("media", tallied(r.Mime, 6))
	row("charset", tallied(r.Charsets, 6))
	row("encoding", tallied(r.Encodings, 6))
	for _, rule := range capture.Joiners() {
		if n := r.OtherTexts[rule]; n > 0 {
			fmt.Fprintf(w, "  %-10s other-text: %d\n", "note", n)
			stdout().fold(w, "→ "+capture.OtherText(rule, n, "would be"), 13, 15)
		}
	}
	for _, f := range r.Findings {
		findingTable(w, &f)
	}
}

func findingTable(w io.Writer, f *doctor.Finding) {
	what := fmt.Sprintf("%s: %d", f.Reason, f.Count)
	if !f.Damage && !f.Kept && !f.Reason.Doubt() {
		stdout().fold(w, fmt.Sprintf("left out %s → %s", what, f.Advice), 2, 13)
		return
	}
	kind := "damage"
	switch {
	case f.Kept:
		kind = "note"
	case f.Reason.Doubt():
		kind = "doubt"
	}
	if f.Passed > 0 {
		what += fmt.Sprintf(", %s skipped", binarySize(f.Passed))
	}
	fmt.Fprintf(w, "  %-10s %s\n", kind, what)
	for _, e := range f.Examples {
		fmt.Fprintln(w, "             "+detail(place(e), 13))
	}
	stdout().fold(w, "→ "+f.Advice, 13, 15)
}

// place says where in the file of its report an example is.
func place(e crawl.Example) string {
	e.Pos.File = ""
	at := strings.TrimSpace(e.Pos.String())
	for _, more := range []string{e.URL, e.Detail} {
		if more != "" {
			at += ": " + more
		}
	}
	return at
}

var formatNames = map[string]string{
	"warc": "WARC", "arc": "ARC", "jsonl": "JSON Lines", "json": "JSON", "har": "HAR", "html": "HTML", "cdx": "index (CDX)",
	"wacz": "WACZ", "zip": "zip", "tar": "tar", "mhtml": "MHTML",
	"csv": "table (CSV, TSV)", "parquet": "Parquet", "text": "texts",
}

func whatItIs(r *doctor.Report) string {
	if r.Format == "" {
		return "not a crawl file that can be read"
	}
	what := strings.TrimSpace(formatNames[r.Format] + " " + r.Version)
	if r.Compression.Name != "none" {
		what += fmt.Sprintf(", %s in %s", r.Compression.Name, count(r.Compression.Members, "member"))
	}
	if r.Bytes > 0 {
		what += ", " + binarySize(r.Bytes)
	}
	return what
}

func verdictText(r *doctor.Report) string {
	n := int64(0)
	for _, f := range r.Findings {
		if r.Verdict == doctor.Damaged && f.Damage || r.Verdict == doctor.Doubtful && f.Reason.Doubt() {
			n += f.Count
		}
	}
	switch r.Verdict {
	case doctor.Damaged:
		rest := "the rest can be used"
		if r.Pages+r.Links == 0 {
			rest = "no page and no link in the rest"
		}
		return fmt.Sprintf("damaged: %s unreadable, %s", count(n, "part"), rest)
	case doctor.Doubtful:
		return fmt.Sprintf("doubtful: %s left out that may be wanted", count(n, "part"))
	case doctor.Nothing:
		return "nothing in it: no page and no link"
	}
	return "sound"
}

func captures(r *doctor.Report) string {
	about := ""
	if r.More {
		about = "more than "
	}
	return fmt.Sprintf("%s of %s%s, %s of content", count(r.Pages, "capture"), about, count(r.URLs, "URL"), binarySize(r.Content))
}

// tallied lists the most frequent names first.
func tallied(m map[string]int64, most int) string {
	names := sortedKeys(m)
	slices.SortStableFunc(names, func(a, b string) int { return int(m[b] - m[a]) })
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%s %d", name, m[name]))
	}
	if len(names) > most {
		out = append(out, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(out, ", ")
}

// binarySize formats a number of bytes for people.
func binarySize(n int64) string {
	const units = "KMGT"
	f, unit := float64(n), -1
	for f >= 1024 && unit < len(units)-1 {
		f, unit = f/1024, unit+1
	}
	if unit < 0 {
		return count(n, "byte")
	}
	return fmt.Sprintf("%.1f %ciB", f, units[unit])
}
