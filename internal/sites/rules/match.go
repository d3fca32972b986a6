package rules

import (
	"errors"
	"os"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// part is a part of a URL that a condition is about.
type part int

const (
	ofPath part = iota // decoded
	ofQuery
	ofHost
)

// cond is a condition of a rule: a pattern that a part of the URL must match.
type cond struct {
	part    part
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
		a.paths = append(a.paths, decoded(form))
	}
	return a
}

// has reports whether a URL has the path and all parameters of another.
func (a *asked) has(url string) bool {
	plain, query, _ := strings.Cut(url, "?")
	for p := range strings.SplitSeq(query, "&") {
		if !strings.Contains("&"+a.query+"&", "&"+p+"&") {
			return false
		}
	}
	return a.plain == plain
}

// text returns a part of a URL if its path has a form.
func (a *asked) text(of part, form int) string {
	return []string{a.paths[form], a.query, a.host}[of]
}

// hold reports whether all conditions hold for a form of the path.
func (a *asked) hold(conds []cond, form int) bool {
	for i := range conds {
		if !conds[i].re.MatchString(a.text(conds[i].part, form)) {
			return false
		}
	}
	return true
}

// vars returns the values of the variables and groups in a target, if all conditions hold for a form of the path. The
// numbers of groups of a query follow a percent sign.
func (a *asked) vars(conds []cond, form int) map[string]string {
	at := map[string]string{"uri": a.forms[form], "host": a.host, "args": a.query}
	for _, c := range conds {
		groups := c.re.FindStringSubmatch(a.text(c.part, form))
		for n, name := range c.re.SubexpNames() {
			if c.part == ofPath {
				groups[n] = encoded(groups[n])
			}
			at[[]string{"", "%", ""}[c.part]+strconv.Itoa(n)] = groups[n]
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
	case r.past != "" && (a.url == r.past || strings.HasPrefix(a.url, strings.TrimSuffix(r.past, "/")+"/")):
		return "", false
	case r.conds != nil:
		return s.matched(r, a, form)
	case r.slash && form+1 < len(a.forms) && a.plain == strings.TrimSuffix(r.From, "/"):
		return "", false
	case a.url == r.From, a.plain == r.From, r.params && a.has(r.From):
		return r.To, true
	case r.Prefix && strings.HasPrefix(a.url, r.From) && a.url[len(r.From)] == '/':
		return r.To + a.url[len(r.From):], true
	}
	return "", false
}

// matched returns where a rule with conditions sends a URL.
func (s *Site) matched(r *Rule, a *asked, form int) (to string, ok bool) {
	if a.origin != originOf(s.Base) && r.conds[0].part != ofHost || !a.hold(r.conds, form) {
		return "", false
	}
	if r.To == "" {
		return "", true
	}
	at := a.vars(r.conds, form)
	end := os.Expand(r.To, func(name string) string { return at[name] })
	to, err := s.target(end)
	if errors.Is(err, urls.ErrTooLong) {
		return end, true
	}
	return to, err == nil
}

// literal returns the only text that an anchored pattern matches, if it stands for one URL.
func literal(pattern string) (text string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || len(re.Sub) < 2 || len(re.Sub) > 3 || re.Sub[0].Op != syntax.OpBeginText || re.Sub[len(re.Sub)-1].Op != syntax.OpEndText {
		return "", false
	}
	if len(re.Sub) == 3 {
		text = string(re.Sub[1].Rune)
		ok = re.Sub[1].Op == syntax.OpLiteral && (re.Sub[1].Flags&syntax.FoldCase == 0 || strings.ToLower(text) == strings.ToUpper(text))
		return text, ok
	}
	return "", true
}

// What may follow a literal path in a pattern: the folder itself and all below it, and other forms of one URL.
var (
	belowFolder = regexp.MustCompile(`(?:\(\?:/\(\.\*\)\)\?|/\(\.\*\))\$?$`)
	otherForms  = strings.NewReplacer(index, "", index[2:], "", "/?$", "$")
)

// plainly makes a rule with conditions one for a URL or a folder, like those that Compress returns, if they are literal.
func (p *parser) plainly(r Rule, conds []cond) (Rule, bool) {
	from, query := [3]string{ofHost: strings.TrimPrefix(originOf(p.Base), "https://")}, ""
	for _, c := range conds {
		pattern := otherForms.Replace(c.pattern)
		if folder := belowFolder.FindString(pattern); folder != "" && c.part == ofPath && strings.HasSuffix(r.To, "/${1}") {
			r.To, r.Prefix, pattern = strings.TrimSuffix(r.To, "/${1}"), true, strings.TrimSuffix(pattern, folder)+"$"
			r.slash = folder[0] == '/'
		}
		text, ok := literal(pattern)
		if !ok || c.part == ofQuery && text == "" || r.Prefix && len(conds) > 1 {
			return r, false
		}
		from[c.part], r.slash = text, r.slash || c.part == ofPath && strings.HasSuffix(c.pattern, "/$")
	}
	if from[ofQuery] != "" {
		query = "?" + from[ofQuery]
	}
	path := encoded(from[ofPath])
	r.From = "https://" + from[ofHost] + path + query
	r.To = os.Expand(r.To, func(name string) string { return map[string]string{"uri": path, "host": from[ofHost]}[name] })
	return r, path != ""
}

// lookAround matches what package regexp does not know.
var lookAround = regexp.MustCompile(`\(\?<?[=!](?:[^()]|\([^()]*\))*\)`)

// when adds a rule with conditions, whose target has variables such as ${uri} and groups such as ${1}.
func (p *parser) when(r Rule, conds ...cond) {
	if plain, ok := p.plainly(r, conds); ok && r.Certain() && len(conds) > 0 {
		p.add(plain)
		return
	}
	r.From = "/"
	for _, c := range append(conds, cond{}) {
		re, err := regexp.Compile(c.pattern)
		if err != nil {
			p.wrong(r.Line, err.Error())
			r.Unsure = err.Error()
			re, err = regexp.Compile(lookAround.ReplaceAllString(c.pattern, "")) // which matches more
		}
		if err != nil {
			continue // without the condition, so that every finding that could depend on it is in doubt
		}
		if c.re = re; c.pattern != "" {
			r.From = c.pattern
		}
		r.conds = append(r.conds, c)
	}
	if r.To != "" {
		r.To = p.absolute(r.To)
	}
	if to, ok := p.matched(&r, ask(originOf(p.Base)+"/a/b"), 0); r.Unsure != "" && ok && to == originOf(p.Base)+"/a/b" {
		return // to another form of the same URL, whatever it depends on
	}
	p.rules = append(p.rules, r)
}

// doubt names a line that cannot be honoured, and adds a rule that casts doubt on what is found for the URLs of its
// conditions, unless it only leads to another form of the same URL.
func (p *parser) doubt(r Rule, why string, conds ...cond) {
	n := len(p.rules)
	r.Unsure = why
	if p.when(r, conds...); len(p.rules) > n {
		p.wrong(r.Line, why)
	}
}
