package rules

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
)

// part is a part of a URL that a condition is about.
type part int

const (
	ofPath part = iota // decoded
	ofQuery
	ofHost
	ofRequest // the path, encoded, and the query
)

// cond is a condition of a rule: a pattern that a part of the URL must match.
type cond struct {
	of      part
	pattern string
	re      *regexp.Regexp
}

// asked is a URL as a server may see it: in the two forms with the same canonical form.
type asked struct {
	url, plain, origin, host, query string
	forms, paths                    []string // of the path: encoded and decoded
}

func ask(url string) *asked {
	a := &asked{url: url, origin: originOf(url)}
	a.plain, a.query, _ = strings.Cut(url, "?")
	path := strings.TrimPrefix(a.plain, a.origin)
	_, a.host, _ = strings.Cut(a.origin, "://")
	if path != "" {
		a.forms = []string{path}
	}
	a.forms = append(a.forms, strings.TrimSuffix(path, "/")+"/")
	for _, form := range a.forms {
		a.paths = append(a.paths, ascii.Unescaped(form))
	}
	return a
}

// text returns a part of a URL if its path has a form.
func (a *asked) text(of part, form int) string {
	if of == ofRequest {
		return strings.TrimSuffix(a.forms[form]+"?"+a.query, "?")
	}
	return []string{a.paths[form], a.query, a.host}[of]
}

// vars returns the values of the variables and groups in a target, if all conditions hold for a form of the path.
func (a *asked) vars(conds []cond, form int) map[string]string {
	at := map[string]string{"uri": a.forms[form], "host": a.host, "args": a.query}
	for _, c := range conds {
		groups := c.re.FindStringSubmatch(a.text(c.of, form))
		for n, name := range c.re.SubexpNames() {
			if c.of == ofPath {
				groups[n] = encoded(groups[n])
			}
			if c.of == ofPath || c.of == ofRequest {
				at[strconv.Itoa(n)] = groups[n]
			}
			if name != "" {
				at[name] = groups[n]
			}
		}
	}
	return at
}

// answer returns where a rule sends a URL if its path has a form.
func (s *Site) answer(r *Rule, a *asked, form int) (to string, ok bool) {
	switch {
	case r.past != "" && below(a.url, r.past):
		return "", false
	case r.conds != nil:
		return s.matched(r, a, form)
	case a.url == r.From || a.plain == r.From:
		return r.To, true
	case r.Prefix && below(a.url, r.From):
		return r.To + a.url[len(r.From):], true
	}
	return "", false
}

// inBraces matches a variable or group in a target.
var inBraces = expression(`\$\{[^}]*\}`)

// expand gives variables and groups their values.
func expand(to string, values map[string]string) string {
	return inBraces().ReplaceAllStringFunc(to, func(name string) string { return values[name[2:len(name)-1]] })
}

// below reports whether a URL is a folder or below it.
func below(url, folder string) bool {
	rest, ok := strings.CutPrefix(url, strings.TrimSuffix(folder, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

// matched returns where a rule with conditions sends a URL.
func (s *Site) matched(r *Rule, a *asked, form int) (to string, ok bool) {
	if a.origin != originOf(s.Base) && r.conds[0].of != ofHost {
		return "", false
	}
	for i := range r.conds {
		if c := &r.conds[i]; !c.re.MatchString(a.text(c.of, form)) {
			return "", false
		}
	}
	if r.To == "" {
		return "", true
	}
	end := expand(r.To, a.vars(r.conds, form))
	to, err := s.target(end)
	if errors.Is(err, urls.ErrTooLong) {
		return end, true
	}
	return to, err == nil
}

// otherForms removes other forms of one URL from a pattern.
var otherForms = strings.NewReplacer(index, "", index[2:], "", "/?$", "$")

// plainly makes a rule with conditions one for a URL or a folder, like those that Compress returns, if they are literal.
func (p *parser) plainly(r Rule, conds []cond) (Rule, bool) {
	from, query := [4]string{ofHost: strings.TrimPrefix(originOf(p.Base), "https://")}, ""
	for _, c := range conds {
		pattern := otherForms.Replace(c.pattern)
		folder, below := strings.CutSuffix(pattern, everything+"$")
		if to, carried := strings.CutSuffix(r.To, "/${1}"); carried && below && c.of == ofPath {
			r.To, r.Prefix, pattern = to, true, folder+"$"
		}
		re, err := regexp.Compile(pattern)
		if err != nil || !strings.HasPrefix(pattern, "^") {
			return r, false
		}
		text, ok := re.LiteralPrefix()
		if ok && c.of == ofRequest {
			text, from[ofQuery], ok = strings.Cut(text, "?")
			text, c.of = ascii.Unescaped(text), ofPath
		}
		if !ok && (pattern != "^$" || c.of == ofQuery) || c.of == ofPath && text != "/" && strings.HasSuffix(text, "/") {
			return r, false
		}
		from[c.of] = text
	}
	if from[ofQuery] != "" {
		query = "?" + from[ofQuery]
	}
	path := encoded(from[ofPath])
	if r.From == "" || r.Prefix {
		r.From = "https://" + from[ofHost] + path + query
	}
	r.To = expand(r.To, map[string]string{"uri": path, "host": from[ofHost]})
	return r, (path != "" || r.Prefix) && (query == "" || !r.Prefix)
}

// lookAround matches what package regexp does not know.
var lookAround = expression(`\(\?<?[=!](?:[^()]|\([^()]*\))*\)`)

// when adds a rule with conditions, whose target has variables such as ${uri} and groups such as ${1}. If it is unsure, its
// line is named, unless it only leads to another form of the same URL, and it casts doubt on what is found for the URLs of
// its conditions.
func (p *parser) when(r Rule, conds ...cond) {
	if plain, ok := p.plainly(r, conds); ok && r.Certain() {
		p.add(plain)
		return
	}
	r.From = "/"
	for _, c := range append(slices.Clip(conds), cond{}) {
		c.pattern = strings.Replace(c.pattern, noIndex, "", 1) // no canonical URL ends so
		re, err := regexp.Compile(c.pattern)
		if err != nil {
			r.Unsure = err.Error()
			re, err = regexp.Compile(lookAround().ReplaceAllString(c.pattern, "")) // which matches more
		}
		if err != nil {
			continue // without the condition, so that every finding that could depend on it is in doubt
		}
		c.re = re
		if c.pattern != "" {
			r.From = c.pattern
		}
		r.conds = append(r.conds, c)
	}
	if r.To != "" {
		r.To = p.absolute(r.To)
	}
	if r.Unsure != "" {
		if to, ok := p.matched(&r, ask(originOf(p.Base)+"/a/b"), 0); ok && to == originOf(p.Base)+"/a/b" {
			return
		}
		p.wrong(r.Line, r.Unsure)
	}
	p.rules = append(p.rules, r)
}

// variable matches a variable in a target of a server, and certain what rules know.
var (
	variable = expression(`\$(\w+)`)
	certain  = expression(`^\$\{(?:uri|args|host|\d+)\}$`)
)

// lead adds a rule with conditions, whose target has variables of a server. It is unsure if they are about more than the URL.
func (p *parser) lead(r Rule, conds []cond) {
	r.To = variable().ReplaceAllString(variables.Replace(r.To), "$${$1}")
	for _, v := range inBraces().FindAllString(r.To, -1) {
		if !certain().MatchString(v) && !slices.ContainsFunc(conds, func(c cond) bool { return strings.Contains(c.pattern, "<"+v[2:len(v)-1]+">") }) {
			r.Unsure = cmp.Or(r.Unsure, "it depends on more than the URL: "+v)
		}
	}
	p.when(r, conds...)
}
