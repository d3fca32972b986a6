package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// guarding holds the flags of guard.
type guarding struct {
	output
	lists []string // of known URLs: files and runs
	files []string // of rules, each perhaps after the name of its format
	ask.GuardOptions
	Server   string `value:"URL" doc:"ask the server at URL, such as http://127.0.0.1:8080, rather than read rules"`
	Rate     int    `default:"1000" least:"1" value:"N" doc:"with --server, ask at most N times per second"`
	Anchors  bool   `doc:"the headings of the pages of runs, and what links point to within them, must still be there"`
	Snapshot bool   `doc:"print the URLs that must work from now on"`
	failOn   []string

	Min   float64 `name:"min_confidence" default:"0.9" most:"1" value:"P" doc:"show no rules with a confidence below this"`
	Limit int     `default:"20" least:"1" value:"N" doc:"list at most this many findings of each kind in a table or in Markdown"`
}

func newGuard() *cobra.Command {
	f := ask.Defaults(guarding{})
	c := &cobra.Command{
		Use:   "guard RUN",
		Short: "Whether every known URL of a site still leads to a page, and what is wrong with its redirects",
		Long: `Guard checks a new build of a site before it is published. RUN is the run of the build; --urls names the URLs that must
still work, and --rules the redirect rules of the site. Redirects that the run knows, such as pages with a refresh, count
too. It finds:

  missing      a known URL has no page, and no rule answers it
  dead         a rule leads to a URL of the site that has no page
  loop         rules lead back to where they start, or on for more than 20 steps
  anchor       a known URL has a fragment that its page lacks
  chain        a rule leads to a URL that is redirected again
  shadow       a rule hides a page
  superfluous  a rule never applies, or another one does the same
  unread       a line cannot be read, or a rule depends on more than the URL

A rule that answers 410 says that a URL is gone for good, which is no finding. URLs of other hosts are not checked. Of the
files of nginx and Apache, plain sequences of return, rewrite, Redirect and RewriteRule in the blocks of the site's host are
read. A finding names the line that may answer the URL too but is a map, a nested block or another condition, or asks a program.

--urls takes a list with a URL or a path on each line, a table with a column of them, a sitemap, each perhaps compressed
by gzip, or a run or file of sketches of an earlier build. By the texts and links of an earlier run, as in lshclust
moved, guard proposes the rule for a lost URL, with the probability that it is right; without one, it names a page with
a similar URL.

--rules takes files of nginx, Apache, Netlify and Cloudflare (_redirects, on Cloudflare cloudflare:_redirects, or a list of
bulk redirects), mkdocs-redirects and Zensical, sphinxext-rediraffe, Docusaurus, Hugo (the front matter of a page), and Read
the Docs (the JSON of its API), or csv with from, to and prefix. The name of a file, with what it holds, tells its format
unless FORMAT: stands before it. --base is the URL of the site if it is not the top of its host.

--server asks a running server instead, which knows its conditions, includes and programs: for each URL HEAD, then GET, with
the host name of the site. It follows at most 20 redirects on the site, waits 5 seconds for an answer, and leaves off after
20 URLs in a row without one, or with 429.

--snapshot prints the known URLs and those of the pages of RUN instead: keep the list with the site, so that no URL is ever
forgotten.`,
		Example: `  lshclust guard RUN --urls known-urls.txt --rules redirects.conf
  lshclust guard RUN --urls OLDRUN --rules _redirects --fail-on missing,dead,loop,chain,shadow,anchor --anchors
  lshclust guard RUN --urls known-urls.txt --rules nginx:site.conf --format markdown > comment.md
  lshclust guard RUN --urls known-urls.txt --server http://127.0.0.1:8080
  lshclust guard RUN --urls known-urls.txt --snapshot > new-known-urls.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.lists, "urls", nil, "`FILE` or run with URLs that must work; may be given again")
	flags.StringArrayVar(&f.files, "rules", nil, "`FILE` of redirect rules, or FORMAT:FILE; may be given again, in the order in which the site tries them")
	bindQuestion(flags, &f)
	flags.StringSliceVar(&f.failOn, "fail-on", []string{"missing", "dead", "loop"}, "exit with 1 if there is a finding of any of these `KINDS`")
	oneOf(flags, &f.format, "format", formatTable, slices.Concat(everyFormat, []string{formatSARIF, formatMarkdown}), "`FORMAT` of the output; sarif is for code scanning, markdown for a comment on a change")
	f.bindCells(flags)
	f.bindColumns(flags)
	return c
}

func (f *guarding) run(ctx context.Context, name string) error {
	for _, kind := range f.failOn {
		if !slices.Contains(rules.Kinds, rules.Kind(kind)) {
			return usage(fmt.Errorf("--fail-on %q is no kind of finding", kind))
		}
	}
	switch {
	case len(f.lists) == 0 && len(f.files) == 0 && !f.Snapshot:
		return usage(errors.New("give --urls or --rules"))
	case f.Server != "" && (len(f.files) > 0 || len(f.lists) == 0):
		return usage(errors.New("--server asks a server for the URLs of --urls; what --rules holds is for those who have no server at hand: give one of the two"))
	case f.Snapshot && f.format != formatTable:
		return usage(errors.New("--snapshot prints a list of URLs; leave out --format"))
	}
	names := slices.DeleteFunc(slices.Clone(f.lists), func(path string) bool { return !isRun(path) })
	return withCrawls(ctx, append(names, name), true, func(history *crawls.Crawls) error { return f.guard(ctx, history, names) })
}

// guard reads the lists and the rules, and checks them. runs are the names of the earlier runs.
func (f *guarding) guard(ctx context.Context, history *crawls.Crawls, names []string) error {
	last := history.Last()
	o := f.GuardOptions
	o.Base = strings.TrimSuffix(cmp.Or(o.Base, crawls.Host(last)), "/")
	lists := &knownList{form: last.Rules, base: o.Base}
	for _, path := range f.lists {
		at := slices.Index(names, path)
		if at < 0 {
			if err := lists.read(path); err != nil {
				return err
			}
			continue
		}
		if err := f.knownOf(ctx, lists, history.Runs()[at], path); err != nil {
			return err
		}
	}
	if f.Snapshot {
		if err := f.knownOf(ctx, lists, last, ""); err != nil {
			return err
		}
		return writeSnapshot(lists)
	}
	o.Known = lists.known
	for _, file := range f.files {
		list, format, err := readRules(file, crawls.Site(last, o.Base), lists)
		if err != nil {
			return err
		}
		o.Rules, o.Format = append(o.Rules, list...), format
	}
	if f.Server != "" {
		s, err := newServer(f.Server, o.Base, last.Canonical, last.RedirectTarget, f.Rate)
		if err != nil {
			return usage(err)
		}
		defer s.client.CloseIdleConnections()
		o.Ask = s.ask
	}
	a, err := ask.Guard(ctx, history, o)
	if err != nil {
		return err
	}
	a.Add(lists.wrong)
	if err := f.write(a); err != nil {
		return err
	}
	return f.verdict(a)
}

// knownOf adds the URLs of the pages of a run, and with --anchors those of parts of them.
func (f *guarding) knownOf(ctx context.Context, lists *knownList, r *runs.Run, name string) error {
	for _, url := range runs.PageURLs(r) {
		if _, err := lists.form.Canonical(url); err != nil {
			continue // a document with an id that is no URL
		}
		lists.known = append(lists.known, crawls.KnownURL{URL: url, File: name})
	}
	if !f.Anchors {
		return nil
	}
	if r.SketchFile != "" {
		say("note: %s is a file of sketches, which knows no parts of pages", whole(name))
		return nil
	}
	parts, err := crawls.KnownAnchors(ctx, r)
	for i := range parts {
		parts[i].File = name
	}
	lists.known = append(lists.known, parts...)
	return err
}

// verdict returns the error that sets the exit code.
func (f *guarding) verdict(a *ask.GuardAnswer) error {
	found := failing(f.failOn, func(kind string) int { return a.Counts[kind] })
	if n := a.Counts[string(rules.Unread)]; n > 0 && f.Server != "" && found == nil {
		return &exit{code: exitSkipped, err: fmt.Errorf("%s without an answer", count(n, "URL"))}
	} else if n > 0 && !slices.Contains(f.failOn, string(rules.Unread)) {
		say("note: %s not read, which is an error only with --fail-on unread", count(n, "line"))
	}
	return found
}
