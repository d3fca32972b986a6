package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

func (w *writer) netlify(rules []Rule) {
	for _, r := range rules {
		from, to := w.plain(r), w.target(r)
		path, query, _ := strings.Cut(from, "?")
		switch {
		case strings.Contains(path, "*") || strings.Contains(path, "/:") || strings.Contains(query, "=:"): // it would capture other pages
			w.left++
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

// placeholder matches a part of a path that stands for others, or what stands for itself.
var placeholder = regexp.MustCompile(`/:([^/(*+?]+)(?:\(([^)]*)\))?([*+?]?)|\([^)]*\)|/?\*\*|/\*(?:/|$)|\*|[^(/*]+|.`)

// pathPattern returns the pattern of a path with placeholders, one of which, star, may be * alone, and their names.
func pathPattern(path, star string) (pattern string, names []string) {
	group := func(name, of string) string { // a name that is no word, or stands twice, is not carried over
		if slices.Contains(names, name) || !regexp.MustCompile(`^\w+$`).MatchString(name) {
			return of
		}
		names = append(names, name)
		return "(?P<" + name + ">" + of + ")"
	}
	pattern = placeholder.ReplaceAllStringFunc(path, func(part string) string {
		m := placeholder.FindStringSubmatch(part)
		after, below := strings.CutPrefix(part, "/*")
		switch {
		case m[1] != "" && (m[3] == "*" || m[3] == "?"):
			return "(?:/" + group(m[1], cmp.Or(m[2], ".*")) + ")?"
		case m[1] != "" && m[3] == "+":
			return "/" + group(m[1], ".+")
		case m[1] != "":
			return "/" + group(m[1], cmp.Or(m[2], "[^/]+"))
		case part[0] == '(' && len(part) > 1:
			return part
		case part == "/**" || part == "**":
			return map[string]string{"/**": "(?:/.*)?", "**": ".*"}[part]
		case below:
			return "(?:/" + group("splat", star) + ")?" + after
		case part == "*":
			return group("splat", star)
		}
		return regexp.QuoteMeta(part)
	})
	return pattern, names
}

// named returns a target with the placeholders of some names as variables.
func named(to string, names []string) string {
	return regexp.MustCompile(`:(\w+)[*+]?`).ReplaceAllStringFunc(strings.ReplaceAll(to, "$", "%24"), func(name string) string {
		if plain := strings.TrimRight(name[1:], "*+"); slices.Contains(names, plain) {
			return "${" + plain + "}"
		}
		return name
	})
}

// netlify reads lines of _redirects: a path, parameters, a target, a status and conditions; or the table redirects of
// netlify.toml.
func (p *parser) netlify(text string) {
	if strings.Contains(text, "[[redirects]]") {
		p.netlifyTOML(text)
		return
	}
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
		rest := words[at+1:]
		if len(rest) == 0 {
			rest = []string{"301"}
		}
		p.netlifyRule(Rule{From: words[0], To: words[at], Line: n}, words[1:at], rest[0], strings.TrimSpace(strings.Join(rest[1:], " ")))
	})
}

// netlifyRule adds a rule with a status, perhaps with ! after it, and conditions.
func (p *parser) netlifyRule(r Rule, query []string, status, conditions string) {
	status, forced := strings.CutSuffix(status, "!")
	redirects := r.status(status)
	r.Weak, r.Serves = !forced, strings.HasPrefix(status, "2")
	if r.stops = r.stops && !r.Serves; !redirects && !r.Serves {
		r.To = ""
	}
	if strings.HasPrefix(r.To, "/.netlify/") { // a program answers
		r.Serves, r.To = true, ""
	}
	if r.Unsure = conditions; conditions != "" {
		p.wrong(r.Line, "the rule depends on more than the URL: "+conditions)
	}
	p.splat(r, query)
}

// netlifyTOML reads the tables redirects of netlify.toml.
func (p *parser) netlifyTOML(text string) {
	type table struct {
		From, To                   string
		Status                     int
		Force                      bool
		Query, Conditions, Headers map[string]any
	}
	var file struct{ Redirects []table }
	if _, err := toml.Decode(text, &file); err != nil {
		p.wrong(1, err.Error())
		return
	}
	at := regexp.MustCompile(`(?m)^\s*\[\[redirects\]\]`).FindAllStringIndex(text, -1)
	for i, t := range file.Redirects[:min(len(at), len(file.Redirects))] {
		var query []string
		for name, value := range t.Query {
			query = append(query, fmt.Sprintf("%s=%v", name, value))
		}
		slices.Sort(query)
		status := fmt.Sprint(cmp.Or(t.Status, 301)) + strings.Repeat("!", strings.Count(fmt.Sprint(t.Force), "true"))
		conditions := strings.Repeat(fmt.Sprint(t.Conditions), min(1, len(t.Conditions)))
		p.netlifyRule(Rule{From: t.From, To: t.To, Line: 1 + strings.Count(text[:at[i][1]], "\n")}, query, status, conditions)
	}
}

// splat adds a rule that may have * in its path, which is :splat in its target, or placeholders, also in parameters that
// the URL must have. Servers that know :splat do not apply such a rule where the part of its target before :splat leads.
func (p *parser) splat(r Rule, query []string) {
	folder, below := strings.CutSuffix(r.From, "/*")
	if into, _, carries := strings.Cut(r.To, ":splat"); below && carries && strings.HasPrefix(p.absolute(into), strings.TrimSuffix(p.absolute(folder), "/")+"/") {
		r.past, _ = p.Canonical(p.absolute(into)) // if it is no URL, the rule is not read either
	}
	to, carried := strings.CutSuffix(r.To, "/:splat")
	plain := r.Certain() && !strings.Contains(strings.Join(query, ""), ":")
	switch {
	case plain && below && carried && !strings.Contains(folder, "/:") && !strings.Contains(folder+to, "*") && !strings.Contains(to, "/:") && len(query) == 0:
		r.From, r.To, r.Prefix = folder, to, true
		p.add(r)
		return
	case strings.Contains(r.From, "#"), plain && !below && !strings.Contains(r.From, "/:") && !strings.Contains(r.From, "*"):
		if len(query) > 0 {
			r.From, r.params = r.From+"?"+strings.Join(query, "&"), true
		}
		p.add(r)
		return
	}
	var conds []cond
	origin := originOf(r.From)
	if _, host, ok := strings.Cut(origin, "://"); ok {
		conds = append(conds, cond{part: ofHost, pattern: "^" + regexp.QuoteMeta(strings.TrimPrefix(host, "www.")) + "$"})
	} else {
		origin = ""
	}
	pattern, names := pathPattern(strings.TrimPrefix(r.From, origin), ".*")
	conds = append(conds, cond{pattern: "^" + pattern + "/?$"})
	for _, q := range query {
		name, value, _ := strings.Cut(q, "=")
		of, more := pathPattern("/"+value, ".*")
		names, of = append(names, more...), strings.ReplaceAll(strings.TrimPrefix(of, "/"), "[^/]+", "[^&]*")
		conds = append(conds, cond{part: ofQuery, pattern: "(?:^|&)" + regexp.QuoteMeta(name) + "=" + of + "(?:&|$)"})
	}
	r.To = named(r.To, names)
	p.when(r, conds...)
}
