package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// moving holds the flags of moved.
type moving struct {
	output
	urls  []string
	batch batch
	ask.Moved
	rules   string
	stubs   string  // folder for pages that redirect
	Base    string  `value:"URL" doc:"with --rules or --stubs, URL of the site if it is not the top of its host"`
	Min     float64 `name:"min_confidence" most:"1" value:"P" doc:"leave out verdicts with a confidence below P"`
	Anchors bool    `doc:"list the new places of headings and of what links point to within pages"`
	Force   bool    `doc:"compare the runs in this order, whatever the times of their pages"`
}

func newMoved() *cobra.Command {
	f := &moving{Moved: ask.Defaults(ask.Moved{})}
	c := &cobra.Command{
		Use:   "moved RUN1 RUN2 [RUN...]",
		Short: "Where the content of lost pages went, and redirect rules for them",
		Long: `Moved looks in the run of a newer crawl for the content of every page that is in the run of an older crawl and gone in the
newer one. It weighs redirects in the crawls, the text, the words around the links, the linking pages, titles and anchors,
and the path, and gives one verdict on each page:

  moved         it has a new URL
  merged into   a page with other content contains it
  split into    several new pages contain it
  succeeded by  another page that already existed took its place
  gone          it is nowhere

Several runs are given in the order of time. A page that moved more than once is followed to its place in the last run; a
URL that is there again in the last run is not gone.

The confidence is the probability that the verdict is right, which is at most 0.84 for gone. It was fitted to the
documentation of Hugo and tested on that of LLVM.

--url asks about one URL, which need not be in any run, and lists pages in the order of this table, each once, with the
evidence. One run is enough.

  there      the last run has a page at the URL, again or still
  redirect   the end of its redirects, as the crawls know them
  a verdict  the page that an earlier run has at the URL went there
  text       pages that share text with that page
  links      pages that the web talks about in the same words
  url        pages with a similar URL

--rules prints redirect rules instead, for pages whose verdict has at least --min-confidence (then 0.9 by default): for
nginx, apache, netlify (and Cloudflare Pages), cloudflare (a list of bulk redirects), hugo (aliases), mkdocs (mkdocs-
redirects), zensical, rediraffe (Sphinx), docusaurus (client-redirects), readthedocs (its API) or as csv. If all known
pages of a folder or a host moved in the same way, one rule redirects them, where the format has such rules. No rule
leads to a URL that redirects or is gone. Moved reads the inputs of the last run again to write the new URLs as the site
does.

--stubs writes a page that redirects for each of these pages into a folder, for hosts without redirects, such as GitHub Pages:
with a refresh and the canonical URL, and with --anchors the new places of parts of the page. No file is overwritten.

--anchors lists the headings of these pages, and what links point to within them, with their new places: by the same id, by
the same words of a heading, by the text below it, or else the new page as a whole. A heading without an id is taken to have
the one that site generators make of its words. It reads the inputs of all runs again.

In place of any run, moved takes a file of sketches, which export wrote. Texts and paths are then all that it weighs.`,
		Example: `  lshclust moved RUN1 RUN2
  lshclust moved RUN1 RUN2 --url https://example.org/lost/page
  lshclust moved RUN1 RUN2 --rules nginx > redirects.conf      # include it in the server block
  lshclust moved RUN1 RUN2 --urls dead.txt --format csv
  lshclust moved RUN1 RUN2 --anchors --format csv > anchors.csv
  lshclust moved RUN1 RUN2 --format csv > moved.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c, len(args)); err != nil {
				return err
			}
			return withCrawls(c.Context(), args, f.Force, func(crawls *crawls.Crawls) error { return f.run(c.Context(), crawls) })
		},
	}
	flags := c.Flags()
	oneOf(flags, &f.rules, "rules", "", rules.Formats, "print redirect rules in `FORMAT`")
	flags.StringVar(&f.stubs, "stubs", "", "write pages that redirect into `FOLDER`")
	flags.StringArrayVar(&f.urls, "url", nil, "list where the content of `URL` is, and what is nearest to it; may be given again")
	f.batch.bind(c, 1, "a URL")
	bindQuestion(flags, f)
	flags.Lookup("limit").Usage += ", with --url or --urls"
	f.bindColumns(flags)
	f.output.bind(flags, "a page that is gone, or with --url a page that was found")
	return c
}

// surely is the default for the least confidence of a redirect rule. It is high because visitors and search engines
// follow rules.
const surely = 0.9

func (f *moving) check(c *cobra.Command, runs int) error {
	for url, err := range f.batch.questions(nil) {
		if err != nil {
			return err
		}
		f.urls = append(f.urls, url...)
	}
	if runs < 2 && len(f.urls) == 0 {
		return usage(errors.New("give the runs of two crawls, or one and --url URL"))
	}
	asks := f.urls != nil || f.Anchors && f.stubs == ""
	if f.rules != "" && (f.stubs != "" || asks) || f.stubs != "" && asks {
		return usage(errors.New("--rules, --stubs, and --url or --anchors cannot be used together"))
	}
	if (f.rules != "" || f.stubs != "") && !c.Flags().Changed("min-confidence") {
		f.Min = surely
	}
	return nil
}

// run does what the flags ask for.
func (f *moving) run(ctx context.Context, l *crawls.Crawls) error {
	if f.urls != nil {
		return f.find(ctx, l)
	}
	lost, err := l.Moves(ctx)
	if err != nil {
		return err
	}
	if f.rules != "" || f.stubs != "" {
		return f.redirects(ctx, l, lost)
	}
	lost = slices.DeleteFunc(lost, func(p crawls.LostPage) bool { return p.Verdict.Confidence < f.Min })
	if f.Anchors {
		return f.listAnchors(ctx, l, lost)
	}
	return show(f.output, ask.Gone(l, lost, "", everything), goneTable)
}

func goneTable(w io.Writer, a *ask.GoneAnswer) {
	if len(a.Items) == 0 {
		fmt.Fprintln(w, "No page is gone.")
		return
	}
	var said []string
	for _, v := range a.Verdicts {
		if v.Pages > 0 {
			said = append(said, fmt.Sprintf("%d %s", v.Pages, outcomes[v.Verdict]))
		}
	}
	fold(w, fmt.Sprintf("%s gone: %s.", count(len(a.Items), "page"), strings.Join(said, ", ")), 0)
	prose(w, "Below: how sure each verdict is, the page with its old URL, and the new ones (→). --url URL shows the reasons, --rules redirect rules.")
	verdict := ""
	for _, p := range a.Items {
		if p.Verdict != verdict {
			verdict = p.Verdict
			fmt.Fprintf(w, "\n%s\n", verdict)
		}
		lines := []string{p.URL}
		for _, to := range p.To {
			lines = append(lines, "→ "+to)
		}
		pageFinding(w, sure(p.Confidence), p.Ref.Name, lines...)
	}
}

// outcomes says of pages in words what their verdict is.
var outcomes = map[string]string{
	"moved": "moved", "merged into": "merged into others", "split into": "split into several", "succeeded by": "succeeded by others", "gone": "nowhere",
}

// redirects prints redirect rules, and a summary of them to standard error.
func (f *moving) redirects(ctx context.Context, l *crawls.Crawls, lost []crawls.LostPage) error {
	moves, dropped, others := crawls.Redirects(l, lost, f.Min)
	site := crawls.Site(l.Last(), f.Base)
	if safe := rules.Harmless(moves, others); len(safe) < len(moves) {
		say("no rule for %s, because it would capture other pages of the same path", count(len(moves)-len(safe), "page"))
		moves = safe
	}
	if f.stubs != "" {
		return f.writeStubs(ctx, l, lost, moves, site)
	}
	list := rules.For(f.rules, moves, others)
	left, err := rules.Write(printed, f.rules, list, site)
	say("%s for %s; %s without a rule", count(len(list)-left, "rule"), count(len(moves)-left, "page"), count(len(lost)-len(moves)+left, "gone page"))
	for _, m := range dropped {
		fmt.Fprintf(os.Stderr, "no rule: %s would lead to %s, which is not there\n", whole(m.From), whole(m.To))
	}
	if left > 0 {
		say("%s that the format %s cannot express", count(left, "rule"), f.rules)
	}
	return err
}

// writeStubs writes a page that redirects for each move, where there is no file.
func (f *moving) writeStubs(ctx context.Context, l *crawls.Crawls, lost []crawls.LostPage, moves []rules.Move, site rules.Site) error {
	parts, written := map[string]map[string]string{}, 0
	if f.Anchors {
		anchors, err := crawls.Anchors(ctx, l, lost)
		if err != nil {
			return err
		}
		for _, a := range anchors {
			url, id, _ := strings.Cut(a.URL, "#")
			if parts[url] == nil {
				parts[url] = map[string]string{}
			}
			parts[url][id] = a.NewURL
		}
	}
	for _, m := range moves {
		name, page, ok := rules.Stub(m, site, parts[m.From])
		name = filepath.Join(f.stubs, filepath.FromSlash(name))
		if !ok {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			_, err = out.WriteString(page)
			err = errors.Join(err, out.Close())
		}
		if err != nil {
			return err
		}
		written++
	}
	say("%s written into %s; %s without one, of which the host has no file or has one already", count(written, "page"), f.stubs,
		count(len(moves)-written, "page"))
	return nil
}
