package rules

import (
	"fmt"
	"regexp"
	"strings"
)

func (w *writer) netlify(rules []Rule) {
	for _, r := range rules {
		from, to := w.plain(r), w.target(r)
		path, query, _ := strings.Cut(from, "?")
		switch {
		case r.Prefix:
			fmt.Fprintf(w, "%s/* %s:splat 301!\n", strings.TrimSuffix(from, "/"), to)
		case query != "":
			fmt.Fprintf(w, "%s %s %s 301!\n", path, strings.ReplaceAll(query, "&", " "), to)
		default:
			fmt.Fprintf(w, "%s %s 301!\n", from, to)
		}
	}
}

// netlifyTarget matches a word that is a target, and not a parameter of the URL or a condition.
var netlifyTarget = regexp.MustCompile(`^(/|https?://)`)

// placeholder matches a part of a path that a rule of Netlify carries over.
var placeholder = regexp.MustCompile(`\\?:(\w+)|\\\*`)

// netlify reads lines of _redirects: a path, parameters, a target, a status and conditions.
func (p *parser) netlify(text string) {
	lines(text, func(n int, line string) {
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(line)
		at := 1
		for at < len(words) && !netlifyTarget.MatchString(words[at]) {
			at++
		}
		if at == len(words) || !netlifyTarget.MatchString(words[0]) {
			p.wrong(n, "the line has no path and target: "+line)
			return
		}
		r, status := Rule{From: words[0], To: words[at], Line: n, Weak: true}, "301"
		if len(words) > at+1 {
			status, r.Weak = strings.TrimSuffix(words[at+1], "!"), !strings.HasSuffix(words[at+1], "!")
		}
		redirect, gone := redirects(status)
		if r.Gone = gone; !redirect {
			return
		}
		if len(words) > at+2 {
			p.wrong(n, "the rule depends on more than the URL: "+strings.Join(words[at+2:], " "))
			return
		}
		if at > 1 {
			r.From += "?" + strings.Join(words[1:at], "&")
		}
		p.splat(r)
	})
}

// splat adds a rule that may have * at the end of its path, which is :splat in its target, or placeholders. Servers that
// know :splat do not apply such a rule where the part of its target before :splat leads.
func (p *parser) splat(r Rule) {
	folder, below := strings.CutSuffix(r.From, "/*")
	if into, _, carries := strings.Cut(r.To, ":splat"); below && carries && strings.HasPrefix(p.absolute(into), strings.TrimSuffix(p.absolute(folder), "/")+"/") {
		r.past, _ = p.Canonical(p.absolute(into)) // if it is no URL, the rule is not read either
	}
	to, carried := strings.CutSuffix(r.To, "/:splat")
	switch {
	case below && carried && !strings.Contains(folder, "/:"):
		r.From, r.To, r.Prefix = folder, to, true
		p.add(r)
	case below || strings.Contains(r.From, "/:"):
		r.From = strings.TrimPrefix(r.From, originOf(p.Base))
		pattern := placeholder.ReplaceAllStringFunc(regexp.QuoteMeta(r.From), func(part string) string {
			if part == `\*` {
				return "(?P<splat>.*)"
			}
			return "(?P<" + strings.TrimLeft(part, `\:`) + ">[^/]+)"
		})
		r.To = regexp.MustCompile(`([^:]/|[^:/]):(\w+)`).ReplaceAllString(r.To, "$1$${$2}")
		p.match(r, "^"+strings.ReplaceAll(pattern, "/(?P<splat>.*)", "(?:/(?P<splat>.*))?")+"/?$", false)
	default:
		p.add(r)
	}
}
