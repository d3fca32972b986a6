package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// GuardAnswer says which known URLs of a site are lost, and what is wrong with its redirect rules.
type GuardAnswer struct {
	Known      int            `json:"known" doc:"different URLs that the site must answer"`
	There      int            `json:"there" doc:"of them, those with a page"`
	Redirected int            `json:"redirected" doc:"those that lead to a page, or out of the site"`
	Gone       int            `json:"gone" doc:"those of which a rule says that they are gone for good"`
	Lost       int            `json:"lost" doc:"those that lead to no page"`
	Rules      int            `json:"rules"`
	Counts     map[string]int `json:"counts" doc:"number of findings of each kind"`
	Items      []GuardFinding `json:"items"`
	Total      int            `json:"total" doc:"findings"`
	Absent
}

// GuardFinding is something wrong with a known URL, a rule, or a line of a file.
type GuardFinding struct {
	Kind       string   `json:"kind" enum:"missing,dead,loop,anchor,chain,shadow,superfluous,unread"`
	File       string   `json:"file" doc:"that lists the URL or has the rule; a run, if it is the run that has the URL"`
	Line       int      `json:"line,omitempty"`
	URL        string   `json:"url" doc:"the known URL, or the URL that the rule redirects; the pattern of a rule that is a regular expression"`
	Why        string   `json:"why"`
	Unsure     string   `json:"unsure,omitempty" doc:"the line on which the finding depends, because it may answer the URL, and why that is not certain"`
	Seen       string   `json:"seen_url,omitempty" doc:"URL at which it was crawled, to visit it; missing if that is the canonical one, or it was not crawled"`
	URLs       []string `json:"urls" doc:"known URLs that a dead rule, a loop or a chain answers, or pages that the rule hides"`
	NewURL     string   `json:"new_url,omitempty" doc:"where the URL should lead"`
	SeenNew    string   `json:"seen_new_url,omitempty" doc:"new_url as it was crawled; missing if that is the same"`
	How        string   `json:"how,omitempty" doc:"how the new URL was found: as in moved, or by the end of a chain" enum:"redirect,moved,merged into,split into,succeeded by,gone,url,chain,anchor"`
	Confidence float64  `json:"confidence,omitempty" doc:"probability that the new URL is right; missing if there is no measure of it" least:"0" most:"1"`
	Rule       string   `json:"rule,omitempty" doc:"for the new URL, in the format of the rules"`
}

// GuardOptions are what Guard checks against the runs.
type GuardOptions struct {
	Known  []KnownURL
	Rules  []rules.Rule
	Base   string `value:"URL" doc:"URL of the site, if it is not the host with most pages"`
	Format string // of proposed rules
	// Ask asks a server for URLs, if the answers are to be judged rather than Rules. The server may leave off.
	Ask func(ctx context.Context, urls []string) []Asked
}

// mostSimilar is the maximum number of lost URLs for which pages with similar URLs are proposed.
const mostSimilar = 100

// Guard checks that every known URL leads to a page of the last run by its rules, and the rules. It proposes rules for
// what is lost by the earlier runs.
func Guard(ctx context.Context, history *Crawls, o GuardOptions) (*GuardAnswer, error) {
	last := history.Last()
	g := &guarding{
		runs: history, GuardOptions: o, first: map[string]KnownURL{},
		out: &GuardAnswer{Counts: map[string]int{}, Items: []GuardFinding{}, Absent: absentFrom(history.Runs()...)},
	}
	g.checker = rules.Checker{Site: crawls.Site(last, o.Base), Rules: o.Rules, Pages: runs.PageURLs(last), Redirect: last.RedirectTarget}
	for i := range o.Rules {
		if o.Rules[i].Certain() {
			g.out.Rules++
		}
	}
	var urls []string
	for _, k := range o.Known {
		if _, ok := g.first[k.URL]; !ok {
			g.first[k.URL] = k
			urls = append(urls, k.URL)
		}
	}
	g.out.Known = len(urls)
	var end map[string]rules.Way
	var err error
	if o.Ask != nil {
		end, err = g.judge(ctx, urls, o.Ask(ctx, urls))
	} else {
		end, err = g.check(ctx, urls)
	}
	if err != nil {
		return nil, err
	}
	if err := g.anchors(ctx, end); err != nil {
		return nil, err
	}
	g.similar()
	g.propose()
	found := g.out.Items
	g.out.Items = []GuardFinding{}
	for i := range found {
		for _, r := range history.Runs() { // the last one that has it
			found[i].Seen = cmp.Or(runs.SeenAs(r, found[i].URL), found[i].Seen)
		}
		found[i].SeenNew = runs.SeenAs(last, found[i].NewURL)
	}
	g.out.Add(found)
	return g.out, nil
}

// check adds what is wrong by the rules, and returns where URLs end.
func (g *guarding) check(ctx context.Context, urls []string) (end map[string]rules.Way, err error) {
	found, ways := g.checker.Check(urls)
	end = map[string]rules.Way{}
	for i, w := range ways {
		end[urls[i]] = w
		switch {
		case w.Lost:
			g.out.Lost++
		case w.Gone:
			g.out.Gone++
		case w.Direct():
			g.out.There++
		default:
			g.out.Redirected++
		}
	}
	for _, f := range found {
		if err := g.add(ctx, f, why(f)); err != nil {
			return nil, err
		}
	}
	return end, nil
}

// Add adds findings in lines of files.
func (a *GuardAnswer) Add(found []GuardFinding) {
	a.Items = append(a.Items, found...)
	a.Total = len(a.Items)
	for _, f := range found {
		a.Counts[f.Kind]++
	}
	slices.SortStableFunc(a.Items, func(a, b GuardFinding) int {
		return slices.Index(rules.Kinds, rules.Kind(a.Kind)) - slices.Index(rules.Kinds, rules.Kind(b.Kind))
	})
}

// guarding is an answer under construction.
type guarding struct {
	GuardOptions
	runs    *Crawls
	checker rules.Checker
	first   map[string]KnownURL // by URL, the first in the lists
	out     *GuardAnswer
}

// add adds a finding with the URL that it proposes.
func (g *guarding) add(ctx context.Context, f rules.Finding, why string) error {
	out := GuardFinding{Kind: string(f.Kind), URL: f.URL, Why: why, URLs: List(f.URLs)}
	var ask []string // URLs that may tell where the rule should lead
	if f.Rule == nil {
		k := g.first[f.URL]
		out.File, out.Line, ask = k.File, k.Line, []string{f.URL}
	} else {
		out.File, out.Line, out.URL = f.Rule.File, f.Rule.Line, f.Rule.From
	}
	if f.Doubt != nil {
		out.Unsure = fmt.Sprintf("%s:%d may answer it: %s", f.Doubt.File, f.Doubt.Line, f.Doubt.Unsure)
	}
	switch {
	case f.Kind == rules.Chain && cmp.Or(f.End, f.URL) != "":
		out.NewURL, out.How, out.Confidence, ask = cmp.Or(f.End, f.URL), "chain", 1, nil
	case f.Rule != nil && (f.Kind == rules.Dead || f.Kind == rules.Loop) && f.Rule.Single():
		ask = []string{f.URL, f.Rule.From}
	}
	for _, url := range ask {
		known, err := crawls.Find(ctx, g.runs, url, 0) // the crawls redirect it, or there is a verdict on its page
		if err != nil {
			return err
		}
		if len(known.Pages) > 0 && known.Pages[0].URL != out.URL {
			p := known.Pages[0]
			out.NewURL, out.How, out.Confidence = p.URL, string(p.How), p.Score
			break
		} else if known.Lost != nil {
			out.How, out.Confidence = known.Lost.Verdict.Kind.String(), known.Lost.Verdict.Confidence
		}
	}
	g.out.Items = append(g.out.Items, out)
	return nil
}

// similar names the page with the most similar URL for missing URLs of which the runs know nothing.
func (g *guarding) similar() {
	var at []int
	var urls []string
	for i, f := range g.out.Items {
		if f.Kind == string(rules.Missing) && f.How == "" && len(at) < mostSimilar {
			at, urls = append(at, i), append(urls, f.URL)
		}
	}
	for i, url := range crawls.NearestPages(g.runs.Last(), urls) {
		if url != "" && url != urls[i] {
			g.out.Items[at[i]].NewURL, g.out.Items[at[i]].How = url, string(crawls.HowURL)
		}
	}
}

// What is wrong with most known URLs that are lost.
const (
	noPage   = "it has no page, and no rule answers it"
	notFound = "the server answers 404"
)

// Plain reports whether Why says no more than Kind.
func (f *GuardFinding) Plain() bool { return f.Why == noPage || f.Why == notFound }

// why says what is wrong, in words.
func why(f rules.Finding) string {
	switch {
	case f.Kind == rules.Missing && f.End != "":
		return "the site leads it to " + f.End + ", which has no page"
	case f.Kind == rules.Missing:
		return noPage
	case f.Kind == rules.Dead:
		return "it leads to " + f.URL + ", which has no page"
	case f.Endless:
		return "it leads to " + f.URL + ", from where redirects go on until browsers give up"
	case f.Kind == rules.Loop && f.Other == nil:
		return "it leads to itself"
	case f.Kind == rules.Loop:
		return fmt.Sprintf("it leads to %s, and the rule %s leads back", f.URL, at(f.Rule, f.Other))
	case f.Kind == rules.Chain && f.Other == nil:
		return "it leads to " + f.Rule.To + ", which the site redirects again"
	case f.Kind == rules.Chain:
		return fmt.Sprintf("it leads to %s, which the rule %s redirects again", f.Rule.To, at(f.Rule, f.Other))
	case f.Kind == rules.Shadow && len(f.URLs) == 1:
		return "it hides the page " + f.URLs[0]
	case f.Kind == rules.Shadow:
		return fmt.Sprintf("it hides %d pages, such as %s", len(f.URLs), f.URLs[0])
	case f.Other == nil:
		return "it never applies, because there is a page at the URL"
	case f.Other.Line < f.Rule.Line || f.Other.File != f.Rule.File:
		return fmt.Sprintf("it never applies, because the rule %s comes first", at(f.Rule, f.Other))
	}
	return fmt.Sprintf("the rule %s does the same", at(f.Rule, f.Other))
}

// at says where the other one of two rules is.
func at(r, other *rules.Rule) string {
	if r.File == other.File {
		return fmt.Sprintf("of line %d", other.Line)
	}
	return fmt.Sprintf("of %s line %d", other.File, other.Line)
}

// anchors adds the known anchors that the pages at which they end lack.
func (g *guarding) anchors(ctx context.Context, end map[string]rules.Way) error {
	var known []KnownURL
	var ends []string
	for _, k := range g.Known {
		if w, ok := end[k.URL]; ok && k.Fragment != "" && !w.Lost && !w.Gone {
			known, ends = append(known, k), append(ends, w.URL)
		}
	}
	lost, err := crawls.LostAnchors(ctx, g.runs, known, ends)
	for _, l := range lost {
		k := known[l.At]
		f := GuardFinding{
			Kind: string(rules.Anchor), File: k.File, Line: k.Line, URL: k.URL + "#" + k.Fragment,
			Why: "the page " + l.Page + " has no such part", URLs: []string{}, NewURL: l.NewURL, Confidence: l.Score,
		}
		if l.NewURL != "" {
			f.How = "anchor"
		}
		g.out.Items = append(g.out.Items, f)
	}
	return err
}

// propose writes the rules for the URLs that findings propose.
func (g *guarding) propose() {
	for i := range g.out.Items {
		f := &g.out.Items[i]
		if f.NewURL == "" || f.Kind == string(rules.Anchor) {
			continue
		}
		to, _, _ := strings.Cut(f.NewURL, "#")
		f.Rule = rules.Entry(g.Format, rules.Rule{From: f.URL, To: to}, g.checker.Site)
	}
}
