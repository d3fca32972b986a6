package rules

import (
	"errors"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// part is a part of a URL that a condition is about.
type part int

const (
	ofPath part = iota // decoded
	ofRaw              // the path as it was sent, with the query
	ofQuery
	ofHost
)

// cond is a condition of a rule: a pattern for a part of the URL.
type cond struct {
	part    part
	pattern string
	not     bool   // the pattern must not match
	mark    string // what is before the numbers of its groups in a target
	re      *regexp.Regexp
}

// matcher holds the conditions of a rule, all of which must hold.
type matcher struct{ conds []cond }

// asked is a URL as a server may see it: in all forms with the same canonical form.
type asked struct {
	url, plain, origin string
	hosts              []string  // forms of the host
	forms, paths, raws []string  // of the path: encoded, decoded, and with the query
	queries            [1]string // there is one
}

func ask(url string) *asked {
	a := &asked{url: url, origin: originOf(url)}
	plain, query, asks := strings.Cut(url, "?")
	a.plain, a.queries[0] = plain, query
	path, host := strings.TrimPrefix(a.plain, a.origin), a.origin[strings.Index(a.origin, "://")+3:]
	a.hosts, a.forms = []string{host, "www." + host}, []string{path, strings.TrimSuffix(path, "/") + "/"}
	if path == "" {
		a.forms = a.forms[1:]
	}
	for _, form := range a.forms {
		a.paths = append(a.paths, decoded(form))
		if asks {
			form += "?" + query
		}
		a.raws = append(a.raws, form)
	}
	return a
}

// has reports whether a URL has the path and all parameters of another.
func (a *asked) has(url string) bool {
	plain, query, _ := strings.Cut(url, "?")
	for p := range strings.SplitSeq(query, "&") {
		if !strings.Contains("&"+a.queries[0]+"&", "&"+p+"&") {
			return false
		}
	}
	return a.plain == plain
}

// texts returns what a part of a URL may be if its path has a form.
func (a *asked) texts(of part, form int) []string {
	switch of {
	case ofPath:
		return a.paths[form : form+1]
	case ofQuery:
		return a.queries[:]
	case ofHost:
		return a.hosts
	}
	return a.raws[form : form+1]
}

// holds reports whether a condition holds, and for which text.
func (c *cond) holds(texts []string) (text string, ok bool) {
	for _, text := range texts {
		if c.re.MatchString(text) != c.not {
			return text, true
		}
	}
	return "", false
}

// hold reports whether all conditions hold for a form of the path.
func (a *asked) hold(conds []cond, form int) bool {
	for i := range conds {
		if _, ok := conds[i].holds(a.texts(conds[i].part, form)); !ok {
			return false
		}
	}
	return true
}

// vars returns the values of the variables and groups in a target, if all conditions hold for a form of the path.
func (a *asked) vars(conds []cond, form int) map[string]string {
	at := map[string]string{"uri": a.forms[form], "request_uri": a.raws[form], "args": a.queries[0], "host": a.hosts[0]}
	for i := range conds {
		c := &conds[i]
		text, _ := c.holds(a.texts(c.part, form))
		groups := c.re.FindStringSubmatch(text)
		for n, name := range c.re.SubexpNames() {
			if c.not {
				break
			}
			if c.part == ofPath {
				groups[n] = encoded(groups[n])
			}
			at[c.mark+strconv.Itoa(n)] = groups[n]
			if name != "" {
				at[name] = groups[n]
			}
		}
	}
	return at
}

// Answer returns where a rule sends a canonical URL at which there is no page.
func (s *Site) Answer(r *Rule, url string) (to string, ok bool) {
	if r.only {
		return "", false
	}
	return s.answer(r, ask(url))
}

func (s *Site) answer(r *Rule, a *asked) (to string, ok bool) {
	switch {
	case r.past != "" && (a.url == r.past || strings.HasPrefix(a.url, strings.TrimSuffix(r.past, "/")+"/")):
		return "", false
	case r.match != nil:
		return s.matched(r, a)
	case a.url == r.From, a.plain == r.From && !r.bare, r.params && a.has(r.From):
		return r.To, true
	case r.Prefix && strings.HasPrefix(a.url, r.From) && a.url[len(r.From)] == '/':
		return r.To + a.url[len(r.From):], true
	}
	return "", false
}

// matched returns where a rule with conditions sends a URL. A rule that stops others does so only if it holds for every
// form of the URL.
func (s *Site) matched(r *Rule, a *asked) (to string, ok bool) {
	if a.origin != originOf(s.Base) && !slices.ContainsFunc(r.match.conds, func(c cond) bool { return c.part == ofHost && !c.not }) {
		return "", false
	}
	for form := range a.forms {
		switch holds := a.hold(r.match.conds, form); {
		case holds == r.stops:
			ok = r.stops
			continue
		case r.stops:
			return "", false
		case r.To == "":
			return "", true
		}
		at := a.vars(r.match.conds, form)
		end := os.Expand(r.To, func(name string) string { return at[name] })
		to, err := s.target(end)
		if errors.Is(err, urls.ErrTooLong) {
			return end, true
		}
		return to, err == nil
	}
	return "", ok
}

// literal returns the only text that a pattern matches, or the only start if it is not anchored at its end.
func literal(pattern string) (text string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) < 2 || len(parts) > 3 || parts[0].Op != syntax.OpBeginText || parts[len(parts)-1].Op != syntax.OpEndText {
		return "", false
	}
	if len(parts) == 3 {
		if text = string(parts[1].Rune); parts[1].Op != syntax.OpLiteral || parts[1].Flags&syntax.FoldCase != 0 && strings.ToLower(text) != strings.ToUpper(text) {
			return "", false
		}
	}
	return text, true
}

// What may follow a literal path in a pattern: the folder itself and all below it, and other forms of one URL.
var (
	belowFolder = regexp.MustCompile(`(?:\(\?:/\(\.\*\)\)\?|/\(\.\*\))\$?$`)
	otherForms  = strings.NewReplacer(index, "", index[2:], "", "/?$", "$")
	wholeHost   = `(?:www\.)?`
)

// plainly makes a rule with conditions one for a URL or a folder, like those that Compress returns, if they are literal.
func (p *parser) plainly(r Rule, conds []cond) (Rule, bool) {
	origin, path, query := originOf(p.Base), "", ""
	ofPaths := 0
	for _, c := range conds {
		if c.part == ofPath || c.part == ofRaw {
			ofPaths++
		}
		pattern := c.pattern
		if folder := belowFolder.FindString(pattern); folder != "" && c.part == ofPath {
			into, carries := strings.CutSuffix(r.To, "/${1}")
			if r.Prefix = carries; !carries {
				return r, false
			}
			r.To, pattern = into, strings.TrimSuffix(pattern, folder)+"$"
		}
		text, ok := literal(otherForms.Replace(strings.Replace(pattern, wholeHost, "", 1)))
		switch {
		case !ok || c.not:
			return r, false
		case c.part == ofHost:
			origin = "https://" + text
		case c.part == ofQuery:
			query, r.bare = text, text == ""
		case c.part == ofRaw:
			path, query, _ = strings.Cut(text, "?")
			r.bare = query == ""
		default:
			path = encoded(text)
		}
	}
	if query != "" {
		path += "?" + query
	}
	r.From, r.bare = origin+path, r.bare && !r.Prefix
	known := true
	vars := map[string]string{"uri": path, "request_uri": path, "host": strings.TrimPrefix(originOf(p.Base), "https://")}
	r.To = os.Expand(r.To, func(name string) string {
		value, ok := vars[name]
		known = known && ok && !r.Prefix
		return value
	})
	return r, known && ofPaths == 1
}

// when adds a rule with conditions, whose target has variables such as ${uri} and groups such as ${1}.
func (p *parser) when(r Rule, conds []cond) {
	if plain, ok := p.plainly(r, conds); ok && r.Certain() && !r.only {
		p.add(plain)
		return
	}
	r.match, r.From = &matcher{}, "/"
	for _, c := range conds {
		re, err := regexp.Compile(c.pattern)
		if err != nil {
			p.wrong(r.Line, err.Error())
			r.Unsure = err.Error()
			continue // without the condition, so that every finding that could depend on it is in doubt
		}
		c.re = re
		r.match.conds, r.From = append(r.match.conds, c), c.pattern
	}
	if r.To != "" {
		r.To = p.absolute(r.To)
	}
	if to, ok := p.matched(&r, ask(originOf(p.Base)+"/a/b")); r.Unsure != "" && ok && to == originOf(p.Base)+"/a/b" {
		return // to another form of the same URL, whatever it depends on
	}
	p.rules = append(p.rules, r)
}

// doubt names a line that cannot be honoured, and adds a rule that casts doubt on what is found for the URLs of its
// conditions, unless it only leads to another form of the same URL.
func (p *parser) doubt(r Rule, conds []cond, why string) {
	n := len(p.rules)
	r.Unsure = why
	if p.when(r, conds); len(p.rules) > n {
		p.wrong(r.Line, why)
	}
}
