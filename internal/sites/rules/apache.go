package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func (w *writer) apache(rules []Rule) {
	for _, r := range rules {
		w.apacheRule(r)
	}
}

func (w *writer) apacheRule(r Rule) {
	s, flags := sourceOf(r), "R=301,L"
	if w.hosts {
		fmt.Fprintf(w, "RewriteCond \"%%{HTTP_HOST}\" \"^(?:www\\.)?%s$\" [NC]\n", quoteMeta(s.host))
	}
	if s.query != "" {
		fmt.Fprintf(w, "RewriteCond \"%%{QUERY_STRING}\" \"^%s$\"\n", quoteMeta(s.query))
		flags += ",QSD"
	}
	to, rest := w.target(r), ""
	if r.Prefix { // Apache encodes the whole target, so pass it decoded
		origin := originOf(to)
		to, rest = origin+decoded(to[len(origin):]), "$1"
	} else {
		flags += ",NE"
	}
	to = strings.NewReplacer("%", `\%`, "$", `\$`, `"`, `\"`).Replace(to)
	fmt.Fprintf(w, "RewriteRule \"^/?%s$\" \"%s%s\" [%s]\n", s.pattern(r.Prefix), to, rest, flags)
}

// apacheWord matches a quoted or plain word of a directive.
var apacheWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\S+`)

// apacheReader reads the directives of mod_alias and mod_rewrite that redirect.
type apacheReader struct {
	*parser
	other   map[int]bool // lines of virtual hosts of other hosts
	conds   []cond       // of the next RewriteRule
	or      bool         // the next condition or the last
	weak    bool         // a condition asks that there is no file
	only    bool         // a condition asks that there is a file
	unknown string       // a condition that depends on more than the URL
	within  []string     // open sections that may depend on more than the URL
	off     bool
}

func (p *parser) apache(text string) {
	a := apacheReader{parser: p, other: map[int]bool{}}
	text = strings.ReplaceAll(text, "\\\n", "  ") // a line that goes on: the lines after it lose one of their numbers
	a.hosts(text)
	var aliases []Rule
	lines(text, func(n int, line string) {
		words := apacheWord.FindAllString(line, -1)
		for i, w := range words {
			if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
				words[i] = strings.ReplaceAll(w[1:len(w)-1], `\"`, `"`)
			}
		}
		kind, before := strings.ToLower(words[0]), len(p.rules)
		if a.other[n] || a.section(kind, words) {
			return
		}
		a.directive(Rule{Line: n}, kind, words[1:])
		if kind != "rewritecond" {
			a.conds, a.or, a.weak, a.only, a.unknown = nil, false, false, false, ""
		}
		if !strings.HasPrefix(kind, "rewrite") { // mod_rewrite comes first
			aliases, p.rules = append(aliases, p.rules[before:]...), p.rules[:before]
		}
	})
	p.rules = append(p.rules, aliases...)
}

// hosts finds the lines of virtual hosts of other hosts. Those without a name count if none has the name of the site.
func (a *apacheReader) hosts(text string) {
	sections, named, from := map[[2]int]int{}, false, 0
	var names []string
	lines(text, func(n int, line string) {
		switch words := strings.Fields(strings.ToLower(line)); {
		case strings.HasPrefix(words[0], "<virtualhost"):
			from, names = n, nil
		case words[0] == "servername" || words[0] == "serveralias":
			names = append(names, words[1:]...)
		case strings.HasPrefix(words[0], "</virtualhost"):
			at := a.named(names)
			sections[[2]int{from, n}], named = at, named || at > 0
		}
	})
	for lines, at := range sections {
		for n := lines[0]; n <= lines[1] && (at < 0 || at == 0 && named); n++ {
			a.other[n] = true
		}
	}
}

// section opens or closes a section.
func (a *apacheReader) section(kind string, words []string) bool {
	switch {
	case strings.HasPrefix(kind, "</"):
		a.within = a.within[:max(0, len(a.within)-1)]
	case strings.HasPrefix(kind, "<"):
		plain := strings.HasPrefix(kind, "<virtualhost") || strings.HasPrefix(kind, "<directory") || kind == "<ifmodule" && !strings.HasPrefix(words[len(words)-1], "!")
		section := strings.Join(words, " ")
		if plain {
			section = ""
		}
		a.within = append(a.within, section)
	default:
		return false
	}
	return true
}

func (a *apacheReader) directive(r Rule, kind string, words []string) {
	inside := strings.Join(a.within, "")
	switch {
	case kind == "rewriteengine":
		a.off = slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "off") })
	case kind == "rewritecond" && len(words) > 1:
		a.condition(words)
	case kind == "rewriterule" && len(words) > 1 && !a.off:
		a.unknown = cmp.Or(a.unknown, inside)
		a.rewrite(r, words)
	case kind == "rewritebase" && words[len(words)-1] != "/":
		a.wrong(r.Line, "rules below a RewriteBase other than / are read as if it were /")
	case strings.HasPrefix(kind, "redirect"):
		a.redirect(r, kind, words, inside)
	case kind == "include" || kind == "includeoptional":
		a.doubt(r, nil, "the file is not read: "+kind+" "+strings.Join(words, " "))
	case kind == "proxypass" && len(words) > 1 || kind == "proxypassmatch" || kind == "scriptalias":
		r.Unsure = kind + " asks a program"
		a.when(r, []cond{{pattern: "^" + regexp.QuoteMeta(words[0])}})
	case kind == "fallbackresource" && len(words) > 0 && words[0] != "disabled":
		r.To = words[0]
		a.inside(&r, true)
		a.when(r, nil)
	}
}

// apacheSubjects are what conditions are about.
var apacheSubjects = map[string]part{"%{HTTP_HOST}": ofHost, "%{SERVER_NAME}": ofHost, "%{QUERY_STRING}": ofQuery, "%{REQUEST_URI}": ofPath}

// condition adds a RewriteCond.
func (a *apacheReader) condition(words []string) {
	subject := strings.ToUpper(words[0])
	of, known := apacheSubjects[subject]
	flags := apacheFlags(words[2:])
	pattern, not := strings.CutPrefix(words[1], "!")
	c := cond{part: of, pattern: pattern, not: not, mark: "%"}
	if text, equals := strings.CutPrefix(pattern, "="); equals {
		c.pattern = "^" + regexp.QuoteMeta(text) + "$"
	}
	if flags["NC"] != "" && of != ofHost {
		c.pattern = "(?i)" + c.pattern
	}
	file := len(pattern) == 2 && pattern[0] == '-' && strings.IndexByte("fdlsFU", pattern[1]) >= 0
	last := len(a.conds) - 1
	switch or := a.or; {
	case strings.HasPrefix(subject, "%{REQUEST_FILENAME}") && file && not && !or, subject == "%{ENV:REDIRECT_STATUS}":
		a.weak = a.weak || file
	case strings.HasSuffix(subject, "%{REQUEST_FILENAME}") && file && !not && (a.only || !or):
		a.only = true
	case !known || file || a.unknown != "" || strings.HasPrefix(pattern, "<") || strings.HasPrefix(pattern, ">"):
		a.unknown = cmp.Or(a.unknown, "RewriteCond "+strings.Join(words, " "))
	case or && last >= 0 && a.conds[last].part == of && !not && !a.conds[last].not:
		a.conds[last].pattern += "|" + c.pattern
	case or:
		a.unknown = "RewriteCond with OR: " + strings.Join(words, " ")
	default:
		a.conds = append(a.conds, c)
	}
	a.or = flags["OR"] != ""
}

// apacheFlags returns the flags of a directive by their short names, with their values or "yes".
func apacheFlags(words []string) map[string]string {
	long := map[string]string{"REDIRECT": "R", "GONE": "G", "FORBIDDEN": "F", "LAST": "L", "END": "L", "NOCASE": "NC", "ORNEXT": "OR", "PROXY": "P", "CHAIN": "C", "SKIP": "S", "NEXT": "N", "PASSTHROUGH": "PT"}
	flags := map[string]string{}
	for flag := range strings.SplitSeq(strings.Trim(strings.Join(words, " "), "[]"), ",") {
		name, value, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(flag)), "=")
		flags[cmp.Or(long[name], name)] = cmp.Or(value, "yes")
	}
	return flags
}

// status makes a rule what a status says: a redirect, gone for good, or the end of all rules.
func (r *Rule) status(status string) (redirects bool) {
	switch strings.ToLower(status) {
	case "301", "302", "303", "307", "308", "permanent", "temp", "seeother", "yes":
		return true
	case "410", "gone":
		r.Gone = true
	default:
		r.stops = true
	}
	return false
}

// redirect adds the rule of a directive of mod_alias.
func (a *apacheReader) redirect(r Rule, kind string, words []string, inside string) {
	redirects := true
	if len(words) > 0 && !strings.ContainsAny(words[0], `/^\.(`) {
		redirects = r.status(words[0])
		words = words[1:]
	}
	if len(words) != 2 && (redirects || len(words) != 1) {
		a.wrong(r.Line, kind+" needs a path and a URL")
		return
	}
	if redirects {
		r.To = words[1]
	}
	switch {
	case inside != "":
		a.doubt(r, nil, kind+" depends on more than the URL: "+inside)
	case kind == "redirectmatch":
		r.To = a.target(r.To)
		a.when(r, []cond{{pattern: words[0]}})
	case r.stops:
		a.when(r, []cond{{pattern: "^" + regexp.QuoteMeta(strings.TrimSuffix(words[0], "/")) + "(?:/|$)"}})
	default:
		r.From, r.Prefix, r.To = encoded(strings.TrimSuffix(words[0], "/")), true, strings.TrimSuffix(r.To, "/")
		a.add(r)
	}
}

// apacheMark matches what is not literal in a target.
var apacheMark = regexp.MustCompile(`\\.|%\{\w+\}|[%$]\d|[$]\{[^}]*\}`)

// target returns the target of a rule with variables. It sets a.unknown if it depends on more than the URL.
func (a *apacheReader) target(to string) string {
	vars := map[string]string{"%{HTTP_HOST}": "${host}", "%{SERVER_NAME}": "${host}", "%{REQUEST_URI}": "${uri}", "%{QUERY_STRING}": "${args}", "%{REQUEST_SCHEME}": "https", `\$`: "%24"}
	return apacheMark.ReplaceAllStringFunc(strings.TrimSuffix(to, "?"), func(mark string) string {
		value, known := vars[strings.TrimSuffix(mark, "\n")]
		switch {
		case known:
			return value
		case mark[0] == '\\':
			return mark[1:]
		case len(mark) == 2 && mark[0] == '%':
			return "${" + mark + "}"
		case len(mark) == 2:
			return "${" + mark[1:] + "}"
		}
		a.unknown = cmp.Or(a.unknown, mark)
		return mark
	})
}

// pathStart matches how the pattern of a RewriteRule begins: in .htaccess the path has no slash at the start.
var pathStart = regexp.MustCompile(`^\^(?:\\?/\??)?`)

// rewrite adds the rule of a RewriteRule.
func (a *apacheReader) rewrite(r Rule, words []string) {
	flags := apacheFlags(words[2:])
	pattern, not := strings.CutPrefix(words[0], "!")
	if pattern = pathStart.ReplaceAllString(pattern, "^/"); pattern == "^/" && words[0] == "^" {
		pattern = "^"
	}
	if flags["NC"] != "" {
		pattern = "(?i)" + pattern
	}
	conds := slices.Concat(a.conds, []cond{{pattern: pattern, not: not}})
	r.Weak, r.only = a.weak, a.only
	status := flags["R"]
	if flags["G"] != "" {
		status = "410"
	} else if flags["F"] != "" {
		status = "403"
	}
	r.To = a.target(words[1])
	switch {
	case status == "" && r.To == "-":
		if r.To, r.stops = "", true; flags["L"] == "" {
			return
		}
	case status == "" && flags["P"] != "":
		r.Unsure, r.To = "a proxy answers", ""
	case status == "" && !strings.Contains(r.To, "://"):
		a.inside(&r, flags["L"] != "" || flags["PT"] != "")
	case status != "" && !r.status(status):
		r.To = ""
	}
	for _, flag := range []string{"C", "S", "N"} {
		if flags[flag] != "" {
			a.unknown = cmp.Or(a.unknown, "the flag "+flag)
		}
	}
	switch {
	case a.unknown != "":
		a.doubt(r, conds, "the rule depends on more than the URL: "+a.unknown)
	case r.Unsure == changes:
		a.doubt(r, conds, r.Unsure)
	default:
		a.when(r, conds)
	}
}
