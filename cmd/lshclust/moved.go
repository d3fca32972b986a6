package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/moved"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/rules"
	"github.com/spf13/cobra"
)

// moving is the flags of moved.
type moving struct {
	output
	why        string
	rules      string
	confidence float64
	force      bool
}

func newMoved() *cobra.Command {
	f := &moving{}
	c := &cobra.Command{
		Use:   "moved RUN1 RUN2",
		Short: "Where the content of pages went that are gone, and redirect rules for them",
		Long: `Moved looks in the run of a newer crawl for the content of every page that is in the run of an older crawl and gone in the
newer one. It weighs redirects in the crawls, the text, the words around the links, the linking pages, titles and anchors,
and the path, and gives one verdict on each page:

  moved         it has a new URL
  merged into   a page that has other content too contains it
  split into    several new pages contain it
  succeeded by  another page that was there before took its place
  gone          it is nowhere

The confidence is the probability that the verdict is right. It was fitted to the documentation of Hugo and tested on that
of LLVM. --why shows the evidence for one URL.

--rules prints redirect rules instead, for pages whose verdict has at least --min-confidence (then 0.9 by default): for nginx,
apache, netlify, cloudflare (a list of bulk redirects), hugo (aliases) or as csv. If all known pages of a folder or a host
moved in the same way, one rule redirects them. No rule leads to a URL that redirects or is gone. Moved reads the inputs of
RUN2 again to write the new URLs as the site does.`,
		Example: `  lshclust moved RUN1 RUN2
  lshclust moved RUN1 RUN2 --rules nginx > redirects.conf      # include it in the server block
  lshclust moved RUN1 RUN2 --why https://example.org/old/page
  lshclust moved RUN1 RUN2 --format csv > moved.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return withSweeps(args[0], args[1], f.force, func(s *query.Sweeps) error {
				switch {
				case f.rules != "":
					return f.redirects(c.Context(), printed, s)
				case f.why != "":
					return f.explain(c.Context(), printed, s)
				}
				return f.write(c.Context(), printed, s)
			})
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.rules, "rules", "", "print redirect rules in `FORMAT`: "+strings.Join(rules.Formats, ", "))
	flags.Float64Var(&f.confidence, "min-confidence", 0, "leave out verdicts with a confidence below `P`")
	flags.StringVar(&f.why, "why", "", "explain the verdict on one `URL`")
	f.output.bind(flags, "a page that is gone")
	flags.BoolVar(&f.force, "force", false, "compare the runs in this order, whatever the times of their pages")
	inRange(flags, "min-confidence", 0, 1)
	flags.SortFlags = false
	return c
}

// surely is the least confidence of a redirect rule, unless a flag sets it: visitors and search engines obey rules.
const surely = 0.9

func (f *moving) check(c *cobra.Command) error {
	if f.rules != "" && !slices.Contains(rules.Formats, f.rules) {
		return usage(fmt.Errorf("--rules %q is not one of %s", f.rules, strings.Join(rules.Formats, ", ")))
	}
	if f.rules != "" && f.why != "" {
		return usage(errors.New("--rules and --why cannot be used together"))
	}
	if f.rules != "" && !c.Flags().Changed("min-confidence") {
		f.confidence = surely
	}
	return f.output.check()
}

func (f *moving) write(ctx context.Context, w io.Writer, s *query.Sweeps) error {
	all, err := s.Moves(ctx)
	if err != nil {
		return err
	}
	verdicts := slices.DeleteFunc(slices.Clone(all), func(v moved.Verdict) bool { return v.Confidence < f.confidence })
	slices.SortStableFunc(verdicts, func(a, b moved.Verdict) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(s.Older.Document(a.Page).URL, s.Older.Document(b.Page).URL))
	})
	if f.format != formatTable {
		return f.list(w, s, verdicts)
	}
	movedVerdicts(w, s, verdicts)
	return nil
}

// rank orders kinds: those that name a page come first.
func rank(k moved.Kind) int { return slices.Index(moved.Kinds[:], k) }

func (f *moving) list(w io.Writer, s *query.Sweeps, verdicts []moved.Verdict) error {
	out := f.rows(w, "url", "verdict", "new_urls", "confidence", "redirect", "resemblance", "of_old", "of_new", "context", "links", "name", "segment", "path", "folder")
	for _, v := range verdicts {
		urls, e := []string{}, moved.Evidence{}
		for _, p := range v.Places {
			urls = append(urls, s.Newer.Document(p.Page).URL)
		}
		if len(v.Places) > 0 {
			e = v.Places[0].Evidence
		}
		err := out.row(s.Older.Document(v.Page).URL, v.Kind.String(), urls, v.Confidence, e.Redirect, e.Resemblance, e.OfOld, e.OfNew,
			e.Context, e.Links, e.Name, e.Segment, e.Path, e.Folder)
		if err != nil {
			return err
		}
	}
	return out.close()
}

func movedVerdicts(w io.Writer, s *query.Sweeps, verdicts []moved.Verdict) {
	counts := map[moved.Kind]int{}
	for _, v := range verdicts {
		counts[v.Kind]++
	}
	fmt.Fprintf(w, "%s gone: %s\n", count(int64(len(verdicts)), "page"), verdictCounts(func(k moved.Kind) int { return counts[k] }))
	for i, v := range verdicts {
		if i == 0 || v.Kind != verdicts[i-1].Kind {
			fmt.Fprintf(w, "\n%s\n", v.Kind)
		}
		fmt.Fprintf(w, "  %4.2f  %s\n", v.Confidence, detail(s.Older.Document(v.Page).URL, 8))
		for _, p := range v.Places {
			fmt.Fprintf(w, "        %s\n", detail(s.Newer.Document(p.Page).URL, 8))
		}
	}
}

// verdictCounts returns the number of verdicts of each kind as text.
func verdictCounts(of func(k moved.Kind) int) string {
	var kinds []string
	for _, k := range moved.Kinds {
		kinds = append(kinds, fmt.Sprintf("%d %s", of(k), k))
	}
	return strings.Join(kinds, ", ")
}

// explain shows the evidence for the verdict on one page.
func (f *moving) explain(ctx context.Context, w io.Writer, s *query.Sweeps) error {
	id, err := s.Older.Lookup(f.why)
	if err != nil {
		return err
	}
	url := s.Older.Document(id).URL
	v, gone, err := s.Trace(ctx, id)
	if err != nil {
		return err
	}
	if !gone {
		return &exit{code: exitCondition, err: fmt.Errorf("%s is not gone: the second run has a page there, or the first one has none", url)}
	}
	if f.format != formatTable {
		return f.list(w, s, []moved.Verdict{v})
	}
	fmt.Fprintf(w, "%s\n%s, confidence %.2f\n", whole(url), v.Kind, v.Confidence)
	for _, p := range v.Places {
		because(w, s, p)
	}
	const most = 5
	if len(v.Others) > 0 {
		fmt.Fprintf(w, "\nnot\n")
	}
	for _, p := range v.Others[:min(len(v.Others), most)] {
		because(w, s, p)
	}
	return nil
}

// because writes the evidence for one candidate.
func because(w io.Writer, s *query.Sweeps, p moved.Place) {
	fmt.Fprintf(w, "  %4.2f  %s\n", p.Confidence, detail(s.Newer.Document(p.Page).URL, 8))
	prose(w, strings.Join(p.Reasons(), "; "), 8, 8)
}

// redirects prints redirect rules, and on standard error what they are.
func (f *moving) redirects(ctx context.Context, w io.Writer, s *query.Sweeps) error {
	moves, dropped, others, err := s.Redirects(ctx, f.confidence)
	if err != nil {
		return err
	}
	forms, err := s.Newer.Forms(ctx)
	if err != nil {
		say("new URLs are in their canonical form, without a slash at the end: %s", whole(err.Error()))
	}
	list := rules.Each(moves)
	if f.rules != "hugo" {
		list = rules.Compress(moves, others)
	}
	say("%s for %s; %s without a rule", count(int64(len(list)), "rule"), count(int64(len(moves)), "page"), count(int64(len(s.Gone())-len(moves)), "gone page"))
	for _, m := range dropped {
		fmt.Fprintf(os.Stderr, "no rule: %s would lead to %s, which is not there\n", whole(m.From), whole(m.To))
	}
	return rules.Write(w, f.rules, list, func(url string) string { return cmp.Or(forms[url], url) })
}
