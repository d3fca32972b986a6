package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

func newVersions() *cobra.Command {
	o, options, format := &output{}, ask.Defaults(ask.Versions{}), ""
	c := &cobra.Command{
		Use:   "versions RUN",
		Short: "The versions of a site, its near-copies, and which page to keep of each",
		Long: `Versions finds the versions of a site by the paths of its URLs, such as /1.0/, /2.0/ and /latest/, and counts for each
version the pages that are the same as in the version before, changed, moved, added and lost. A page follows another if
it is at the same place or, where that is gone, if its text resembles the other's most or it alone has its title. It lists:

  added        a page that the version before does not have
  lost         a page that the next version does not have
  moved        a page that is elsewhere in the next version
  version      a page of which another version is the one to keep
  parameters   the URL has parameters, and without them leads to the same text
  copy         a near-copy of another page of the host
  canonical    the page declares a canonical URL that is not crawled, that declares another, whose text differs, or that
               is not the page to keep
  thin         a page with few words

The version to keep is the one named stable or current, the one without a name, or the last number. Of other copies it is
the page that they declare as canonical, or else the one without parameters that most hosts and pages link to, with the
shortest URL. Rows with a page to keep are the list
for rel=canonical; --rules prints redirect rules for parameters and copies.`,
		Example: `  lshclust versions RUN
  lshclust versions RUN --kind version --format csv > canonical.csv
  lshclust versions RUN --rules nginx > copies.conf`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "" && (options.Kind != "" || c.Flags().Changed("format")) {
				return usage(errors.New("--rules prints rules for parameters and copies: leave out --format and --kind, or --rules"))
			}
			if format != "" {
				options.Kinds = []string{"parameters", "copy"}
			}
			o.listAll(c.Flags(), &options.Limit)
			if format != "" && !c.Flags().Changed("limit") {
				options.Limit = math.MaxInt
			}
			return withRun(args[0], func(r *runs.Run) error {
				a, err := options.Ask(c.Context(), r)
				if err != nil {
					return err
				}
				if format != "" {
					return copyRules(r, a, format)
				}
				return show(*o, a, versionsTable)
			})
		},
	}
	f := c.Flags()
	bindQuestion(f, &options)
	f.Lookup("limit").Usage += allRows
	oneOf(f, &format, "rules", "", rules.Formats, "print redirect rules for parameters and copies in `FORMAT`")
	o.bindColumns(f)
	o.bind(f, "")
	return c
}

// copyRules prints redirect rules for copies.
func copyRules(r *runs.Run, a *ask.VersionsAnswer, format string) error {
	var moves []rules.Move
	for _, f := range a.Items {
		if strings.Contains(f.URL, "://") { // not a name of a text
			moves = append(moves, rules.Move{From: f.URL, To: f.Keep})
		}
	}
	left, err := rules.Write(printed, format, rules.Each(moves, runs.PageURLs(r)), crawls.Site(r, ""))
	if n := len(moves) - len(rules.Harmless(moves, runs.PageURLs(r))); n > 0 {
		say("no rule for %s, because it would capture other pages of the same path", count(n, "page"))
	}
	if left > 0 {
		say("%s that the format %s cannot express", count(left, "rule"), format)
	}
	return err
}

func versionsTable(w io.Writer, a *ask.VersionsAnswer) {
	var kept []string
	for _, v := range a.Versions {
		if v.Kept {
			kept = append(kept, strings.Replace(v.Site, "*", v.Version, 1))
		}
	}
	said := "No site has versions in its paths"
	if len(kept) > 0 {
		said = fmt.Sprintf("Of %s, readers should find %s", count(len(a.Versions), "version"), strings.Join(kept, ", "))
	}
	fold(w, whole(fmt.Sprintf("%s; %s about versions and copies.", said, count(a.Total, "finding"))), 0)
	last := ""
	for _, v := range a.Versions {
		if v.Site != last {
			last = v.Site
			fmt.Fprintf(w, "\n%s\n  %-14s %6s %6s %7s %6s %6s %6s\n", whole(last), "version", "pages", "same", "changed", "moved", "added", "lost")
			fmt.Fprintf(w, "  %-14s %6d\n", versionName(v), v.Pages)
			continue
		}
		fmt.Fprintf(w, "  %-14s %6d %6d %7d %6d %6d %6d\n", versionName(v), v.Pages, v.Same, v.Changed, v.Moved, v.Added, v.Lost)
	}
	byKind(w, a.Kinds, a.Items, func(f *site.VersionFinding) string { return f.Kind }, versionLines)
	if a.Words != "" {
		fold(w, a.Words, 0)
	}
}

func versionName(v site.Version) string {
	name := cmp.Or(v.Version, "without")
	if v.Kept {
		name += " (keep)"
	}
	return whole(name)
}

// versionLines prints a finding: how alike it is, the page, the one to keep or the one that it declares, and why.
func versionLines(w io.Writer, f *site.VersionFinding) {
	figure, lines := "", []string{f.URL}
	if f.Resemblance > 0 {
		figure = sure(f.Resemblance)
	}
	switch {
	case f.Kind == "canonical":
		lines = append(lines, "→ "+f.Canonical, "declared, but "+f.Why)
	case f.Keep != "":
		lines = append(lines, "→ "+f.Keep)
	case f.Why != "":
		lines = append(lines, f.Why)
	}
	pageFinding(w, figure, f.Name, lines...)
}
