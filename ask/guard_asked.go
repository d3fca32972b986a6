package ask

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Asked is what a server answered when it was asked for a known URL, with redirects followed.
type Asked struct {
	End    string // the URL of the last answer, with a fragment if a redirect gives one
	Status int    // of the last answer; 0 if there is none
	Hops   int    // redirects to another page
	Loop   bool   // redirects lead back, or on and on
	Why    string // why there is no answer
}

// judge adds what a server's answers mean: a known URL leads to a page if the last answer has a status below 300.
func (g *guarding) judge(ctx context.Context, urls []string, answers []Asked) (end map[string]rules.Way, err error) {
	end = map[string]rules.Way{}
	for i, a := range answers {
		kind, why := rules.Kind(""), ""
		switch {
		case a.Loop:
			kind, why = rules.Loop, "redirects lead to "+a.End+" again, or on until browsers give up"
		case a.Status == 0:
			kind, why = rules.Unread, "the server does not answer: "+a.Why
		case a.Status == 429 || a.Status >= 500:
			kind, why = rules.Unread, fmt.Sprintf("the server answers %d", a.Status)
		case a.Status == 410:
			g.out.Gone++
		case a.Status >= 300 && a.Hops > 0:
			kind, why = rules.Dead, fmt.Sprintf("it leads to %s, for which the server answers %d", a.End, a.Status)
		case a.Status >= 300:
			kind, why = rules.Missing, fmt.Sprintf("the server answers %d", a.Status)
		case a.Hops > 1:
			kind, why = rules.Chain, fmt.Sprintf("it leads to %s by %d redirects", a.End, a.Hops)
			fallthrough
		default:
			end[urls[i]] = rules.Way{URL: a.End}
			g.out.Redirected++
			if a.Hops == 0 {
				g.out.Redirected, g.out.There = g.out.Redirected-1, g.out.There+1
			}
		}
		if kind == rules.Missing || kind == rules.Dead || kind == rules.Loop {
			g.out.Lost++
		}
		if kind == "" {
			continue
		}
		if err := g.add(ctx, rules.Finding{Kind: kind, URL: urls[i], End: a.End}, why); err != nil {
			return nil, err
		}
	}
	return end, nil
}
